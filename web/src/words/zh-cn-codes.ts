/** Chinese sentences for the core's codes. */
import type { Words } from './en';

export const zhCNCodes: Pick<Words, 'warnings' | 'problems' | 'absent' | 'statements' | 'derived'> =
  {
    warnings: {
      does_not_fit:
        '超出显存 {{over_bytes}}。可以减小微批、打开梯度检查点、用更多卡做 ZeRO-3、换 8 位优化器、改用 LoRA 或 QLoRA，或换显存更大的卡。',
      tight:
        '{{usable_bytes}} 里只剩 {{margin_bytes}}：遇到一条长序列或显存碎片就可能中断。请缩短序列，或多用重计算。',
      may_not_fit:
        '应该放得下，但最多可能用到 {{high_bytes}}（可用 {{usable_bytes}}）。长租之前请先短租试跑。',
      memory_unused:
        '显存空着不少（可用 {{usable_bytes}}，只用 {{device_bytes}}）。加大微批、少做重计算，或换便宜的卡更划算。',
      logits_dominate:
        'Logits 与损失占了显存的 {{share}}（{{logits_bytes}}）。打开融合损失，就会分块计算。',
      host_memory:
        '卸载需要内存：每卡 {{host_bytes_per_gpu}}，每台服务器 {{host_bytes_per_node}}。请确认服务器有这么多。',
      recompute_unneeded:
        '不做重计算也放得下（{{device_bytes}} / {{usable_bytes}}），能省 {{saved_share}} 的时间。',
      network_bound:
        '每一步有 {{waiting_share}} 的时间在等机间网络。加大微批、减少卡数或换更快的网络会好些。',
      communication_bound:
        '每一步有 {{waiting_share}} 的时间卡在互相等待。加大微批或降低张量并行度会好些。',
      pcie_bound:
        '这些卡走 PCIe 通信，每一步有 {{waiting_share}} 的时间在等它。加大批量、减少卡数，或换带 NVLink 的卡会好些。',
      tp_across_nodes:
        '张量并行度 {{tp}} 超出了一台服务器的 {{per_node}} 张卡，通信要走慢速网络。请把 TP 限制在单机之内。',
      bubble_large:
        '流水线有 {{bubble_share}} 的时间空转：{{pp}} 级流水线只有 {{micro_batches}} 个微批。请加大全局批，或用虚拟流水级。',
      floor_bound:
        'GPU 在等主机下发算子（占一步的 {{launch_share}}）。加大微批或用 torch.compile 会好些。',
      offload_bound:
        '与内存之间的传输占一步的 {{offload_share}}。多用几张卡，或把 8 位优化器留在卡上，会更快。',
      gpu_low_confidence: '这款 GPU 的参数缺少可靠的公开来源，结果只能当作数量级参考。',
      usable_memory_assumed:
        '没有公开资料说明这款卡实际可用多少显存，这里保守地按 {{usable_bytes}} 计。',
      recalibrated: '时间和费用已按你自己的实测换算（× {{ratio}}）。',
      measured_far_off:
        '你的实测和估算相差 {{ratio}} 倍。请核对批大小、序列长度和框架，可能有设置对不上。',
      scaled_model:
        '只知道参数量，因此按最接近的架构缩放到 {{parameters}}。粘贴 config.json 可以得到更准的结果。',
      extrapolated_parameters:
        '{{parameters}} 参数超出了实测范围（{{measured_low}} 至 {{measured_high}}），把握比区间所示的更小。',
      extrapolated_sequence_length:
        '序列长度 {{sequence_length}} 超出了实测范围（{{measured_low}} 至 {{measured_high}}），把握比区间所示的更小。',
      extrapolated_gpus:
        '{{gpus}} 张卡超出了实测范围（{{measured_low}} 至 {{measured_high}}），把握比区间所示的更小。',
      power_limited: '功率限制使 GPU 只有 {{speed_share}} 的速度。',
      sequence_beyond_model:
        '模型的序列长度上限是 {{max_sequence}}，用 {{sequence_length}} 需要扩展位置编码。',
      no_bf16: '这款 GPU 不支持 BF16，改用带损失缩放的 FP16，更容易发散。',
      attention_not_fused:
        '不用 Flash Attention 就要保存注意力矩阵（{{attention_bytes}}）。请打开它。',
      tokens_below_a_step:
        '总 token 数（{{tokens}}）还不够优化器走一步（{{step_tokens}}）。请减小全局批。',
      goodput_low:
        '卡这么多，平均每 {{mean_time_between_failures_s}} 就有一次故障，只有 {{goodput}} 的时间在有效训练。请更频繁地异步保存检查点。',
      storage_short:
        '需要磁盘 {{needed_bytes}}，方案只带 {{capacity_bytes}}。请少留几个检查点，或加存储。',
      billing_mode_unavailable: '这个方案不支持所选的计费方式，这里按它支持的最便宜方式计。',
      spot_interruptions: '竞价实例随时可能被收回。请勤存检查点；中断的损失没有计入费用。',
      rents_more_gpus: '方案只能整套租：要付 {{rented_gpus}} 张卡的钱，只用 {{gpus}} 张。',
      price_undated: '这个价格没有日期，使用前请向服务商核实。',
      price_low_confidence: '这个价格来源不太可靠，只能参考，不是报价。',
    },
    problems: {
      internal: '计算程序在这里出错，已经重新启动。请改动最后一项再试。',
      malformed_json: '这不是有效的 JSON。',
      wrong_type: '这里要填别的类型。',
      missing: '这一项必填。',
      empty: '至少要有一项。',
      unknown_field: '没有这个字段。',
      unknown_command: '没有这个命令。',
      not_one_of: '不在可选范围里。',
      out_of_range: '超出范围。',
      not_positive: '要大于 0。',
      not_integer: '要填整数。',
      not_decimal: '要填金额，例如 12.50。',
      not_divisible: '不能整除。',
      not_a_mixture: '这个模型没有专家可分。',
      not_date: '要填日期。',
      not_currency: '要填货币代码。',
      too_long: '太长了。',
      too_many: '条目太多。',
      too_large: '文档太大。',
      too_deep: '嵌套太深。',
      more_problems: '还有同类问题。',
      duplicate_id: '这个 id 出现了两次。',
      duplicate_field: '这个字段出现了两次。',
      duplicate_mode: '这种计费方式出现了两次。',
      given_twice: '填了两遍，二者只能填一个。',
      unknown_model: '没有叫这个名字的模型。是不是其中之一？',
      unknown_gpu: '没有叫这个名字的 GPU。是不是其中之一？',
      unknown_offer: '没有叫这个名字的方案。是不是其中之一？',
      unknown_stack: '没有叫这个名字的框架。是不是其中之一？',
      unknown_precision: '没有这种精度。',
      unknown_optimizer: '没有这种优化器。',
      unknown_quantization: '没有这种量化方式。',
      unsupported_precision: '这款 GPU 不支持这种精度。',
      unsupported_architecture: '这种架构没法估算：目前只支持仅解码器的 Transformer。',
      unverified_gpu: '没有厂商发布过这款产品，参数不明。请换一款，或自己填写参数。',
      no_model_to_scale: '没有可以缩放到这个大小的架构。',
      model_too_large: '超过了可以估算的最大模型。',
      batch_not_divisible: '全局批必须是 微批 × DP 的整数倍。',
      product_not_count: 'TP × PP × CP × DP 必须等于卡数。',
      no_valid_layout: '这个模型配这么多卡，没有可行的并行方式。',
      offer_or_price: '方案和自填价格只能用一个。',
      offer_of_other_gpu: '这个方案是另一款 GPU 的。',
    },
    derived: {
      parameters_total: '参数量',
      parameters_trainable: '训练的参数量',
      memory_weights: '权重',
      memory_gradients: '梯度',
      memory_optimizer: '优化器状态',
      memory_activations: '激活值',
      memory_logits: 'Logits 与损失',
      memory_buffers: '缓冲区',
      memory_device_peak: '卡上的峰值',
      time_compute: '每步计算',
      time_exposed_communication: '每步未掩盖的通信',
      time_bubble: '每步流水线气泡',
      time_step: '一步',
      time_run: '整个训练',
      time_tokens_per_second: '吞吐',
      time_mfu_causal: 'MFU（因果口径）',
      time_mfu_full_attention: 'MFU（全注意力口径）',
      time_hfu: 'HFU',
      cost_total: '总费用',
      cost_per_1k_tokens: '每千 token',
      cost_per_million_tokens: '每百万 token',
      storage_needed_bytes: '需要磁盘',
      energy_kwh: '用电',
    },
    absent: {
      no_offer_for_gpu: '没有报价',
      offer_without_price: '方案没有标价',
      out_of_range: '超出范围',
      published_method: '文章口径没有这一项',
      no_failure_rate: '故障率未知',
      no_storage_rate: '存储速度未知',
      no_board_power: '这款 GPU 功耗未知',
      no_energy_factors: '没有能耗系数',
      no_grid_factor: '没填电网碳强度',
      no_tariff: '没填电价',
      no_article: '没有文章',
      not_finite: '算不出来',
      gpu_not_in_article: '文章里没有这款 GPU',
      gpu_memory_not_known: '这款 GPU 的显存未知',
      not_stated_for_this_job: '文章没有给出',
      no_duration: '没有时长',
      no_stated_speed: '文章没有给出速度',
      no_monthly_price: '没有包月价',
      no_purchase_price: '没有购买价',
      no_monthly_price_in_yuan: '没有人民币包月价',
      no_profile_for_size_and_budget: '文章没有对应这个规模和预算的建议',
    },
    statements: {
      vram_rule_slip:
        '文章写 {{params_b}} 参数要 {{stated_gb}}，按它自己的公式是 {{computed_gb}}。',
      vram_with_activations_conflict:
        '表里写 {{params_b}} 模型要 {{stated_gb}}；公式加上激活值是 {{low_gb}} 至 {{high_gb}}。表格漏了激活值。',
      vram_reduced_slip:
        '文章说降低 {{reduction_percent}}%；从 {{unreduced_gb}} 算，应剩 {{reduced_gb}}。',
      fits_infeasible:
        '文章用 {{count}} × {{memory_gb}} 训 {{params_b}} 模型。按它自己的公式，降低 {{reduction_percent}}% 之后仍要 {{need_gb}}，只有 {{have_gb}}。',
      fits_infeasible_range:
        '文章用 {{count}} × {{memory_gb}} 训 {{smallest_params_b}} 至 {{params_b}} 模型。按它自己的公式，降低 {{reduction_percent}}% 之后仍要 {{smallest_need_gb}} 至 {{need_gb}}，只有 {{have_gb}}。',
      days_fit_infeasible:
        '文章给出了 {{params_b}} 模型在 {{count}} 张卡上的训练天数。按它自己的公式要 {{need_gb}}，而这些卡只有 {{have_low_gb}} 至 {{have_high_gb}}。',
      capacity_infeasible:
        '{{cards}} × {{memory_gb}} 共 {{have_gb}}，{{params_b}} 参数要 {{need_gb}}。',
      memory_use_conflict:
        '文章说 {{params_b}} 模型只用这张卡的 {{stated_percent}}%（{{stated_gb}}）；按它自己的公式要 {{need_gb}}，是 {{memory_gb}} 的 {{computed_percent}}%。',
      accounts_of_fit_conflict:
        '一处说 {{params_b}} 模型在这张卡上训不了，另一处说只是慢 {{slowdown_percent}}%。按公式要 {{need_gb}}，卡只有 {{memory_gb}}。',
      bytes_sum_slip: '文章写每参数 {{stated}} 字节，各项相加是 {{computed}}。',
      adam_bytes_sum_slip: '文章写 Adam 占 {{stated}} 字节，两个 FP32 动量是 {{computed}}。',
      own_total_slip: '文章写自建共 {{stated}} 元，各项相加是 {{computed}} 元。',
      operation_sum_slip: '文章写年运维 {{stated}} 元，各项相加是 {{computed}} 元。',
      depreciation_slip:
        '文章写每年 {{stated}} 元；采购价的 {{rate_percent}}% 是 {{computed}} 元。',
      purchase_slip:
        '文章写 {{stated}} 元；{{cards}} 张卡每张 {{per_card}} 元，共 {{computed}} 元。',
      rent_total_slip:
        '文章写 {{stated}} 元；每月 {{monthly}} 元租 {{months}} 个月，共 {{computed}} 元。',
      rent_of_plan_conflict:
        '文章说训 {{params_b}} 模型 {{months}} 个月约 {{stated}} 元；可它面向 {{plan_params_b}} 以上模型的方案，同样时间只要 {{computed}} 元。',
      saving_slip: '文章说节省 {{stated_percent}}%，按它的数字是 {{computed_percent}}%。',
      monthly_prices_conflict:
        '同样 {{count}} 张卡，文章里能算出三个月租：{{first}}、{{second}}、{{third}} 元。',
      card_prices_conflict:
        '同一张卡，月租有 {{monthly_low}} 和 {{monthly_high}} 元两种说法，时租有 {{hourly_low}} 和 {{hourly_high}} 元两种说法。',
      annual_price_slip:
        '文章写年价 {{stated}} 元、按 {{paid_percent}}% 付；12 个月的 {{paid_percent}}% 是 {{computed}} 元，它写的其实是 {{stated_percent}}%。',
      annual_prices_conflict:
        '同一方案的年价，一处写 {{stated}} 元（12 个月的 {{stated_percent}}%），另一处写 {{also}} 元（{{also_percent}}%）；按它说的 {{paid_percent}}% 应是 {{computed}} 元。',
      discount_words_conflict:
        '同一个折扣，既叫“{{zhe}} 折”（付 {{paid_percent}}%，优惠 {{off_percent}}%），又叫“折扣 {{discount_percent}}%”，照字面只付 {{discount_paid_percent}}%。',
      cheaper_than_slip:
        '文章说便宜 {{stated_percent}}%；{{ours}} 元对 {{average}} 元是 {{computed_percent}}%。',
      cheaper_range_slip:
        '文章说便宜 {{stated_low_percent}}%–{{stated_high_percent}}%，它的方案实际是 {{computed_low_percent}}%–{{computed_high_percent}}%。',
      unit_cost_slip: '文章写每千 token {{stated}} 元，按它自己的公式是 {{computed}} 元。',
      unit_cost_ten_times:
        '文章写每千 token {{stated}} 元，按它自己的公式是 {{computed}} 元，只有十分之一。',
      hourly_total_slip:
        '文章写 {{stated}} 元；{{hours}} 小时每小时 {{hourly}} 元，共 {{computed}} 元。',
      breakeven_hours_conflict:
        '时租 {{hourly}} 元的话，要用满 {{hours}} 小时，{{monthly}} 元的包月才划算；一个月只有 {{hours_per_month}} 小时，永远划不来。',
      saving_against_time_conflict:
        '时间缩短 {{time_saving_percent}}%（从 {{days_before}} 到 {{days_after}}），费用只降 {{stated_percent}}%，说明每天的价格涨了 {{dearer_percent}}%，文章没有提。',
      long_term_conflict:
        '租半年以上付 {{paid_low_percent}}%–{{paid_high_percent}}%，租一年付 {{annual_percent}}%：租得越久反而越贵。',
      tokens_per_month_conflict:
        '文章写每月 {{stated}} 个 token；按它说的每卡每天 {{tokens_per_card_day}} 个，{{cards}} 张卡是 {{computed}} 个。',
      tokens_per_day_implausible:
        '文章说一张卡每天训 {{params_b}} 模型 {{stated}} 个 token；按 {{mfu_percent}}% 的 MFU，应是 {{computed}} 个，差 {{ratio}} 倍。',
      tokens_per_card_day_implausible:
        '按文章的月产量，{{params_b}} 模型每卡每天 {{computed}} 个 token；按 {{mfu_percent}}% 的 MFU，应是 {{physical}} 个，差 {{ratio}} 倍。',
      days_physics_implausible:
        '按文章的天数和速度，总共只训了 {{stated_low}} 至 {{stated_high}} 个 token，远不够一次训练；按 {{mfu_percent}}% 的 MFU，最多可训 {{computed}} 个。',
      training_peak_conflict:
        '文章写 {{stated}} 和 {{stated_tensor}} TFLOPS；训练能用的（稠密、FP32 累加）是 {{computed}}。',
      link_conventions_conflict:
        '互联带宽口径不一：{{first}} 是单向，{{second}} 和 {{third}} 是双向相加。统一按单向是 {{first_one_way}}、{{second_one_way}}、{{third_one_way}} GB/s。',
      transfer_time_conflict:
        '用方案自带的 {{mbit_s}} Mb/s 带宽传 {{terabytes}} TB 数据要 {{days}}，比训练本身的 {{training_days}} 还久。',
      dataset_size_slip:
        '文章写 {{tokens}} 个 token 的数据有 {{stated_tb}}；每个 {{bytes_per_token}} 字节，应是 {{computed_tb}}。',
      communication_order_conflict:
        '{{slow_gb_s}} GB/s 时通信占 {{slow_percent}}%，{{fast_gb_s}} GB/s 时占 {{fast_percent}}%，顺序不对。',
      cluster_sizes_conflict:
        '卡数说法不一：A100 说是 {{second_least}}–{{second_most}} 卡，方案却是 {{second_plan}} 卡；H100 说是 {{third_least}}–{{third_most}} 卡，方案却是 {{third_plan}} 卡。',
      storage_bands_conflict: '存储容量连它自己的训练状态都放不下。',
      billing_bands_conflict: '租期分段有空档或重叠。',
      config_bands_infeasible: '推荐的集群放不下它所说的最大模型。',
      profile_plans_conflict: '有一类用户被推荐了超出预算或规模的方案。',
      fee_bands_conflict: '说有 {{stated}} 类隐性费用，实际列出 {{kinds}} 类，或占比顺序不对。',
      product_listed_conflict:
        '文章提供 {{memory_gb}} 的“H300”。没有厂商发布过这款产品：仅由服务商列出，未经证实。',
      stability_order_conflict: '稳定性数字达不到文章自己的建议。',
      delivery_times_conflict:
        '集群交付一处说不超过 {{at_most_hours}} 小时，另一处说最快 {{soonest_hours}} 小时。',
      size_range_conflict: '可训的最大模型，一处说 {{first_b}}，另一处说 {{second_b}}。',
      reserve_per_user_implausible:
        '{{devices}} 张卡供 {{users}} 个用户同时使用，平均 {{users_per_device}} 人共用一张。',
      fee_claims_conflict:
        '隐性费用三种说法：“没有”、“{{below_percent}}% 以下”、“{{within_percent}}% 以内”。',
      included_storage_conflict: '一处说免费 {{free_tb}}，方案里却最多含 {{most_tb}}。',
      saving_claims_conflict:
        '租用省多少：一处说 {{first_percent}}%，另一处说 {{second_percent}}%。',
    },
  };
