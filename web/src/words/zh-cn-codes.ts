/** Chinese sentences for the core's codes. */
import type { Words } from './en';
import type { enCodes } from './en-codes';

export const zhCNCodes: Pick<Words, keyof typeof enCodes> = {
  warnings: {
    server_above_market: '整机价 {{stated}}，是市场价 {{market}} 的 {{ratio}} 倍。',
    server_below_market: '整机价 {{stated}}，只有市场价 {{market}} 的 {{ratio}}：请核实配置。',
    counts_purchase_and_depreciation:
      '文章把采购和折旧各算了一遍，重复 {{counted_twice}} 元；去掉后，按它自己的数字自有是 {{own_without_refresh}} 元，不是 {{own_total}} 元。',
    mixed_currencies: '文字里既有人民币又有美元，已按 1 美元 = {{cny_per_usd}} 元折算后比较。',
    currencies_not_compared: '文字里既有人民币又有美元；没有汇率，另一种货币的价格没有参与比较。',
    typed_over_text: '填的是 {{typed}}，文字里是 {{read}}：以填的为准。',
    typed_gpu_over_text: '所选显卡和文字里写的不一样：以所选为准。',
    phase_does_not_fit: '第 {{phase}} 阶段在所给的卡上放不下。',
    transfer_longer_than_training: '上传数据要 {{days}}，比训练本身（{{training_days}}）还久。',
    does_not_fit: '超出可用显存 {{over_bytes}}。',
    tight: '{{usable_bytes}} 里只剩 {{margin_bytes}}：遇到一条长序列或显存碎片就可能中断。',
    may_not_fit:
      '按 80% 区间上限，最多可能用到 {{high_bytes}}（可用 {{usable_bytes}}）。长租之前请先短租试跑。',
    memory_unused:
      '显存利用率低（可用 {{usable_bytes}}，只用 {{device_bytes}}）。加大微批、少做重计算，或换便宜的卡更划算。',
    logits_dominate:
      'Logits 与损失占了显存的 {{share}}（{{logits_bytes}}）。启用融合交叉熵可以分块计算。',
    host_memory:
      '卸载需要主机内存：每卡 {{host_bytes_per_gpu}}，每台服务器 {{host_bytes_per_node}}。请确认服务器配得够。',
    recompute_unneeded:
      '不做重计算也放得下（{{device_bytes}} / {{usable_bytes}}），能省 {{saved_share}} 的时间。',
    network_bound:
      '每一步有 {{waiting_share}} 的时间在等机间网络。加大微批、减少卡数或换更快的网络会好些。',
    communication_bound: '每一步有 {{waiting_share}} 的时间在等卡间通信。加大微批或全局批会好些。',
    communication_bound_tensor:
      '每一步有 {{waiting_share}} 的时间在等卡间通信。加大微批或降低张量并行度会好些。',
    pcie_bound:
      '这些卡走 PCIe 通信，每一步有 {{waiting_share}} 的时间在等它。加大批量、少切分（显存够就用 ZeRO-2 或 DDP），或换带 NVLink 的卡会好些。',
    tp_across_nodes:
      '张量并行度 {{tp}} 超出了一台服务器的 {{per_node}} 张卡，通信要走慢速网络。请把 TP 限制在单机之内。',
    bubble_large:
      '流水线有 {{bubble_share}} 的时间空转：{{pp}} 级流水线只有 {{micro_batches}} 个微批。请加大全局批，或增加虚拟流水级。',
    floor_bound:
      'GPU 在等主机启动内核（占一步的 {{launch_share}}）。加大微批或用 torch.compile 会好些。',
    offload_bound:
      '与主机内存之间的传输占一步的 {{offload_share}}。多用几张卡，或把 8 位优化器留在显存里，会更快。',
    gpu_low_confidence: '这款 GPU 的参数缺少可靠的公开来源，结果只能当作数量级参考。',
    usable_memory_assumed:
      '没有公开资料说明这款卡实际可用多少显存，这里保守地按 {{usable_bytes}} 计。',
    recalibrated: '时间和费用已按你自己的实测换算（× {{ratio}}）。',
    measured_far_off:
      '你的实测和估算相差 {{ratio}} 倍。请核对批大小、序列长度和框架，可能有设置不一致。',
    scaled_model:
      '只知道参数量，因此按最接近的架构缩放到 {{parameters}}。粘贴 config.json 可以得到更准的结果。',
    extrapolated_parameters:
      '{{parameters}} 参数超出了实测范围（{{measured_low}} 至 {{measured_high}}），实际不确定性比区间所示的更大。',
    extrapolated_sequence_length:
      '序列长度 {{sequence_length}} 超出了实测范围（{{measured_low}} 至 {{measured_high}}），实际不确定性比区间所示的更大。',
    extrapolated_gpus:
      '{{gpus}} 张卡超出了实测范围（{{measured_low}} 至 {{measured_high}}），实际不确定性比区间所示的更大。',
    power_limited: '功率限制使 GPU 只有 {{speed_share}} 的速度。',
    sequence_beyond_model:
      '模型的序列长度上限是 {{max_sequence}}，用 {{sequence_length}} 需要扩展位置编码。',
    no_bf16: '这款 GPU 不支持 BF16，改用带损失缩放的 FP16，更容易发散。',
    attention_not_fused:
      '不用 Flash Attention 就要保存注意力矩阵（{{attention_bytes}}）。建议启用。',
    tokens_below_a_step:
      '总 token 数（{{tokens}}）还不够优化器走一步（{{step_tokens}}）。请减小全局批。',
    goodput_low:
      '卡这么多，平均每 {{mean_time_between_failures_s}} 就有一次故障，只有 {{goodput}} 的时间在有效训练。请更频繁地异步保存检查点。',
    storage_short:
      '需要磁盘 {{needed_bytes}}，方案只带 {{capacity_bytes}}。请少留几个检查点，或加存储。',
    billing_mode_unavailable: '这个方案不支持所选的计费方式，这里按它支持的最便宜方式计。',
    spot_interruptions: '竞价实例随时可能被收回。请勤存检查点；中断的损失没有计入费用。',
    rents_more_gpus: '方案只能整套租用：要付 {{rented_gpus}} 张卡的钱，只用 {{gpus}} 张。',
    price_undated: '这个价格没有日期，使用前请向服务商核实。',
    validity_unchecked: '这个价格有有效期，但没有给出日期，无法核对是否过期。',
    price_low_confidence: '这个价格来源不太可靠，仅供参考，不是报价。',
  },
  problems: {
    above_peak: '比这些卡的峰值还快：请核对这个数。',
    contradicts: '这一项和别的限制不能同时满足。',
    no_offer: '价目表里没有符合这一项的报价。',
    nothing_fits: '价目表里没有放得下这项任务的方案。',
    unknown_column: '没有这一列。',
    duplicate_column: '这一列出现了两次。',
    too_few_fields: '这一行的字段太少。',
    too_many_fields: '这一行的字段太多。',
    unclosed_quote: '引号没有配对。',
    mixed_units: '同一行里既有单卡价又有整套价。',
    unknown_constant: '没有这个常数。',
    internal: '计算程序在这里出错，已经重新启动。请修改最后填的一项再试。',
    malformed_json: '这不是有效的 JSON。',
    wrong_type: '值的类型不对。',
    missing: '这一项必填。',
    empty: '至少要有一项。',
    unknown_field: '没有这个字段。',
    unknown_command: '没有这个命令。',
    not_one_of: '不在可选范围里。',
    out_of_range: '超出范围。',
    not_positive: '要大于 0。',
    not_integer: '请填整数。',
    not_decimal: '请填金额，例如 12.50。',
    not_divisible: '不能整除。',
    not_a_mixture: '这个模型不是 MoE，没有专家可分。',
    not_date: '请填日期。',
    not_currency: '请填货币代码。',
    too_long: '太长了。',
    too_many: '条目太多。',
    too_large: '文档太大。',
    too_deep: '嵌套太深。',
    more_problems: '还有同类问题。',
    duplicate_id: '这个 id 出现了两次。',
    duplicate_field: '这个字段出现了两次。',
    duplicate_mode: '这种计费方式出现了两次。',
    given_twice: '重复填写，两者只能填一个。',
    unknown_model: '没有这个名字的模型，请从列表里选。',
    unknown_gpu: '没有这个型号的 GPU，请从列表里选。',
    unknown_offer: '没有这个报价，请从列表里选。',
    unknown_stack: '没有这个框架，请从列表里选。',
    unknown_precision: '没有这种精度。',
    unknown_optimizer: '没有这种优化器。',
    unknown_quantization: '没有这种量化方式。',
    unsupported_precision: '这款 GPU 不支持这种精度。',
    unsupported_architecture:
      '暂不支持这种架构：目前只支持仅解码器（decoder-only）的 Transformer。',
    unverified_gpu: '没有厂商发布过这款产品，规格不明。请换一款，或自己填写规格。',
    no_model_to_scale: '没有可以缩放到这个大小的架构。',
    model_too_large: '超过了可以估算的最大模型。',
    batch_not_divisible: '全局批必须是 微批 × DP 的整数倍。',
    product_not_count: 'TP × PP × CP × DP 必须等于卡数。',
    no_valid_layout: '这个模型配这么多卡，没有可行的并行策略。',
    offer_or_price: '方案和自填价格只能用一个。',
    offer_of_other_gpu: '这个方案是另一款 GPU 的。',
  },
  derived: {
    parameters_total: '参数量',
    parameters_trainable: '可训练参数量',
    memory_weights: '权重',
    memory_gradients: '梯度',
    memory_optimizer: '优化器状态',
    memory_activations: '激活值',
    memory_logits: 'Logits 与损失',
    memory_buffers: '缓冲区',
    memory_device_peak: '单卡峰值',
    time_compute: '每步计算',
    time_exposed_communication: '每步未掩盖的通信',
    time_bubble: '每步流水线气泡',
    time_step: '单步',
    time_run: '整次训练',
    time_tokens_per_second: '吞吐',
    time_mfu_causal: 'MFU（因果口径）',
    time_mfu_full_attention: 'MFU（全注意力口径）',
    time_hfu: 'HFU',
    cost_total: '总费用',
    cost_per_1k_tokens: '每千 token',
    cost_per_million_tokens: '每百万 token',
    storage_needed_bytes: '所需磁盘',
    energy_kwh: '用电量',
  },
  absent: {
    not_within_ten_years: '十年之内没有',
    rent_cheaper_at_any_use: '利用率再高也是租更便宜',
    no_market_price: '没有市场价',
    no_gpu_recognised: '没认出卡的型号',
    no_monthly_and_hourly_price: '没有同时提供包月价和按量价',
    no_line: '没有填带宽',
    offers_expired: '目录里的报价都已过期',
    offer_expired: '这个报价已过期',
    no_offer_for_gpu: '没有报价',
    offer_without_price: '方案没有标价',
    out_of_range: '超出范围',
    published_method: '文章口径没有这一项',
    no_failure_rate: '故障率未知',
    no_storage_rate: '存储速度未知',
    no_board_power: '这款 GPU 的功耗未知',
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
    holds: '与所核对的数字一致。',
    annual_price_holds: '年租 {{stated}} 元，是月租 {{monthly}} 元 × 12 的 {{paid_percent}}%。',
    cheaper_than_holds: '{{ours}} 元比所称均价 {{average}} 元低 {{computed_percent}}%。',
    unit_cost_holds:
      '每月 {{monthly}} 元训 {{tokens_per_month}} token，每千 token {{computed}} 元。',
    tokens_per_month_holds:
      '每卡每天 {{tokens_per_card_day}} token，{{cards}} 张卡一个月 {{computed}} token。',
    hourly_total_holds: '{{hours}} 小时 × {{hourly}} 元 = {{computed}} 元。',
    breakeven_hours_holds:
      '按每小时 {{hourly}} 元，一个月用满 {{hours}} 小时以上，月租 {{monthly}} 元就划算。',
    fits_holds: '按文章的公式，{{params_b}} 要 {{unreduced_gb}}，这里有 {{have_gb}}。',
    fits_holds_reduced:
      '按文章的公式，{{params_b}} 优化 {{reduction_percent}}% 后放得下：{{need_gb}} / {{have_gb}}。',
    quote_annual_share: '年租是 12 个月月租的 {{paid_percent}}%，即优惠 {{off_percent}}%。',
    quote_discount_holds: '优惠 {{stated_percent}}% 属实：年租是 12 个月月租的 {{paid_percent}}%。',
    quote_discount_is_the_share_paid:
      '{{stated_percent}}% 是要付的比例，不是优惠：真正的优惠是 {{off_percent}}%。',
    quote_discount_slip:
      '说优惠 {{stated_percent}}%；按月租 {{monthly}} 元、年租 {{year}} 元算，优惠 {{off_percent}}%。',
    quote_prices_holds: '同一个价格说了两遍，一致。',
    quote_month_prices_conflict: '一个月有两个价：{{low}} 元和 {{high}} 元。',
    quote_hour_prices_conflict: '一小时有两个价：{{low}} 元和 {{high}} 元。',
    quote_fits_holds:
      '{{params_b}} 模型放得进 {{count}} 张卡：每卡 {{need_gib}} / {{have_gib}} GiB。',
    quote_fits_lora_only:
      '{{params_b}} 模型全参训练放不进 {{count}} 张卡：每卡要 {{need_gib}} GiB，只有 {{have_gib}} GiB。用 LoRA 才行（{{adapters_need_gib}} GiB）。',
    quote_fits_qlora_only:
      '{{params_b}} 模型放不进 {{count}} 张卡：每卡要 {{need_gib}} GiB，只有 {{have_gib}} GiB。只有 QLoRA 才行（{{adapters_need_gib}} GiB）。',
    quote_does_not_fit:
      '{{params_b}} 模型放不进 {{count}} 张卡：每卡要 {{need_gib}} GiB，只有 {{have_gib}} GiB；只训适配器也要 {{adapters_need_gib}} GiB。',
    quote_far_below_market: '每卡时 {{price}} 元，不到最低标价（{{market_low}} 元）的一半。',
    quote_below_market:
      '每卡时 {{price}} 元，低于市面标价（{{market_low}}–{{market_high}} 元）：请问清不含哪些项目。',
    quote_within_market: '每卡时 {{price}} 元，在市面标价 {{market_low}}–{{market_high}} 元之内。',
    quote_above_market: '每卡时 {{price}} 元，高于市面标价（{{market_low}}–{{market_high}} 元）。',
    quote_far_above_market: '每卡时 {{price}} 元，超过最高标价（{{market_high}} 元）的两倍。',
    quote_discounted_price: '{{before}} 元打折后是 {{after}} 元（{{paid_percent}}%），算得对。',
    quote_tokens_above_measured:
      '每天 {{stated}} token 要用到这张卡（{{tflops}} TFLOPS）的 {{mfu_percent}}%；训练实测从没超过 {{most_mfu_percent}}%。如果用的是 FP8，请写明。',
    quote_tokens_above_peak:
      '每天 {{stated}} token，是这张卡满算力（{{tflops}} TFLOPS，{{peak}} token）的 {{ratio}} 倍。',
    quote_transfer_time: '以 {{mbit_s}} Mbit/s 传输 {{terabytes}} TB 要 {{days}}。',
    quote_transfer_longer_than_training:
      '以 {{mbit_s}} Mbit/s 传输 {{terabytes}} TB 要 {{days}}，比训练（{{training_days}}）还久。',
    quote_fees_share: '另收的费用占账单的 {{share_percent}}%。',
    quote_fees_within_stated:
      '另收的费用占账单的 {{share_percent}}%，没有超过所说的 {{stated_percent}}%。',
    quote_fees_above_stated:
      '另收的费用占账单的 {{share_percent}}%，超过所说的 {{stated_percent}}%。',
    vram_rule_slip: '文章写 {{params_b}} 参数要 {{stated_gb}}，按它自己的公式是 {{computed_gb}}。',
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
    depreciation_slip: '文章写每年 {{stated}} 元；采购价的 {{rate_percent}}% 是 {{computed}} 元。',
    purchase_slip: '文章写 {{stated}} 元；{{cards}} 张卡每张 {{per_card}} 元，共 {{computed}} 元。',
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
      '{{slow_gb_s}} GB/s 时通信占 {{slow_percent}}%，{{fast_gb_s}} GB/s 时占 {{fast_percent}}%，快慢颠倒。',
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
    saving_claims_conflict: '租用省多少：一处说 {{first_percent}}%，另一处说 {{second_percent}}%。',
  },
  ruledOut: {
    does_not_fit: '放不下：每卡要 {{needed_bytes}}，可用 {{usable_bytes}}',
    no_layout: '没有可行的并行策略',
    too_slow: '太慢：最快也要 {{days}}',
    too_dear: '太贵：最少也要 {{total}}',
    too_dear_by_month: '每月太贵：{{per_month}}',
    constraints_together: '没有哪种卡数能同时满足所有限制',
    expired: '报价已于 {{valid_until}} 过期',
    requirement_missing: '没有{{requirement}}',
    requirement_unknown: '未说明有没有{{requirement}}',
    gpu_not_allowed: '不是所选的卡',
    provider_not_allowed: '服务商已排除',
    no_price: '没有价格',
    billing_unavailable: '没有这种计费方式',
    no_exchange_rate: '没有 {{currency}} 的汇率',
    out_of_range: '超出范围',
  },
  rules: {
    tensor_on_fast_link: 'TP 限于高速互联之内',
    tensor_as_needed: 'TP 不超过所需',
    tensor_before_pipeline: '优先 TP，再用 PP',
    pipeline_shards_optimizer: '优化器按 DP 分片',
    pipeline_filled: '微批数填得满流水线',
    interleaved_rounds: '微批数能被流水级数整除',
    context_for_long_sequences: '长序列才用 CP',
    full_shard_bounded: 'ZeRO-3 不跨太多卡',
    states_on_device: '训练状态不卸载',
  },
  changes: {
    recompute_selective: '选择性重计算',
    recompute_full: '全量重计算',
    zero_1: 'ZeRO-1',
    zero_2: 'ZeRO-2',
    zero_3: 'ZeRO-3',
    optimizer_8bit: '8 位优化器',
    optimizer_paged_8bit: '分页 8 位优化器',
    lora: '改用 LoRA',
    qlora: '改用 QLoRA',
    micro_batch_half: '微批减半',
    micro_batch_1: '微批设为 1',
    fused_loss: '融合交叉熵',
    flash_attention: 'Flash Attention',
    offload_optimizer: '优化器状态卸载到主机内存',
    offload_parameters: '优化器状态和权重卸载到主机内存',
    offload_activations: '激活值卸载到主机内存',
    gpus_twice: '卡数翻倍',
    gpus_4_times: '卡数加到四倍',
  },
  inexpressible: {
    tensor_parallel: '不支持张量并行',
    pipeline_parallel: '不支持流水线并行',
    context_parallel: '不支持上下文并行',
    expert_parallel: '不支持专家并行',
    precision: '不支持这种精度',
    optimizer: '不支持这个优化器',
    adapters: '不支持 LoRA',
    offload: '不支持卸载',
    activation_offload: '不支持卸载激活值',
    parameter_offload_needs_zero_3: '只有 ZeRO-3 才能卸载权重',
    zero_1: '不能单独用 ZeRO-1',
    sharding_groups: '不支持这样的分组分片',
    selective_recompute: '不支持选择性重计算',
    linear_attention: '不支持线性注意力',
    uneven_virtual_stages: '层数不能被虚拟流水级整除',
  },
};
