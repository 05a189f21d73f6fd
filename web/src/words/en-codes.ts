/** English sentences for the core's codes. Figures come in with their units (see codes.ts). */
export const enCodes = {
  warnings: {
    server_above_market:
      'A server at {{stated}} costs {{ratio}} times the market price of {{market}}.',
    server_below_market:
      'A server at {{stated}} is only {{ratio}} of the market price ({{market}}): check what is included.',
    counts_purchase_and_depreciation:
      'The article counts both the purchase and its depreciation, CNY {{counted_twice}} twice. Without that, its own figures give CNY {{own_without_refresh}}, not CNY {{own_total}}.',
    mixed_currencies:
      'Yuan and dollars both occur in the text; they were compared at CNY {{cny_per_usd}} to the dollar.',
    currencies_not_compared:
      'Yuan and dollars both occur in the text. Without a rate nothing in the other currency was compared.',
    typed_over_text: '{{typed}} was typed, {{read}} stands in the text: the typed figure counts.',
    typed_gpu_over_text: 'The text names another GPU than the one chosen: the chosen one counts.',
    phase_does_not_fit: 'Phase {{phase}} doesn’t fit on its GPUs.',
    transfer_longer_than_training:
      'Uploading the data takes {{days}}, longer than the training itself ({{training_days}}).',
    does_not_fit: 'Over the usable memory by {{over_bytes}}.',
    tight:
      'Only {{margin_bytes}} of {{usable_bytes}} are left: one longer sequence or a fragmented allocator and the run stops.',
    may_not_fit:
      'It may need up to {{high_bytes}} of the {{usable_bytes}} usable (upper end of the 80% interval). Make a short test run before you rent for long.',
    memory_unused:
      'Much of the memory is unused ({{device_bytes}} of {{usable_bytes}} used). A larger micro-batch, less recomputation or a cheaper card would make better use of the money.',
    logits_dominate:
      'Logits and loss take {{share}} of the memory ({{logits_bytes}}). Turn on fused cross-entropy, which computes them in chunks.',
    host_memory:
      'Offloading needs {{host_bytes_per_gpu}} of host memory per GPU, {{host_bytes_per_node}} per server. Make sure the server has it.',
    recompute_unneeded:
      'It would also fit without recomputation ({{device_bytes}} of {{usable_bytes}}), which would save {{saved_share}} of the time.',
    network_bound:
      'The GPUs wait for the network between servers for {{waiting_share}} of each step. A larger micro-batch, fewer GPUs or a faster network helps.',
    communication_bound:
      'The GPUs wait for each other for {{waiting_share}} of each step. A larger micro-batch or a larger global batch helps.',
    communication_bound_tensor:
      'The GPUs wait for each other for {{waiting_share}} of each step. A larger micro-batch or less tensor parallelism helps.',
    pcie_bound:
      'These GPUs talk over PCIe and wait for it for {{waiting_share}} of each step. Larger batches, less sharding (ZeRO-2 or DDP where memory allows), or cards with NVLink help.',
    tp_across_nodes:
      'Tensor parallelism {{tp}} spans more than one server of {{per_node}} GPUs, so its traffic would cross the slow network. Keep TP within a server.',
    bubble_large:
      'The pipeline is idle for {{bubble_share}} of the step: {{micro_batches}} micro-batches are too few for {{pp}} stages. Increase the global batch or use virtual stages.',
    floor_bound:
      'Launching kernels takes longer than running them ({{launch_share}} of the step). A larger micro-batch or torch.compile helps.',
    offload_bound:
      'Traffic to host memory takes {{offload_share}} of the step. More GPUs, or an 8-bit optimizer on the GPU, would be faster.',
    gpu_low_confidence:
      'The specifications of this GPU have no reliable public source. Take the result as an order of magnitude.',
    usable_memory_assumed:
      'How much memory the driver leaves usable on this GPU isn’t published; {{usable_bytes}} is assumed, conservatively.',
    recalibrated: 'Time and cost are scaled to your own measurement (× {{ratio}}).',
    measured_far_off:
      'Your measurement differs from the estimate by a factor of {{ratio}}. Check the batch, the sequence length and the software: some setting may differ.',
    scaled_model:
      'Only the size is known: the nearest architecture was scaled to {{parameters}} parameters. Paste the config.json for a more precise answer.',
    extrapolated_parameters:
      'A model of {{parameters}} is outside the measured range ({{measured_low}} to {{measured_high}} parameters): the uncertainty is larger than the interval suggests.',
    extrapolated_sequence_length:
      'Sequences of {{sequence_length}} tokens are outside the measured range ({{measured_low}} to {{measured_high}}): the uncertainty is larger than the interval suggests.',
    extrapolated_gpus:
      '{{gpus}} GPUs are outside the measured range ({{measured_low}} to {{measured_high}}): the uncertainty is larger than the interval suggests.',
    power_limited: 'The power limit reduces the GPU to {{speed_share}} of its speed.',
    sequence_beyond_model:
      'The model was trained for sequences of up to {{max_sequence}} tokens; {{sequence_length}} needs its position encoding extended.',
    no_bf16:
      'This GPU has no BF16: FP16 with loss scaling is used, which is more prone to diverge.',
    attention_not_fused:
      'Without flash attention, the attention matrices are kept in memory ({{attention_bytes}}). Turn it on.',
    tokens_below_a_step:
      'The whole run has fewer tokens ({{tokens}}) than one optimizer step ({{step_tokens}}). Reduce the global batch.',
    goodput_low:
      'With this many GPUs something fails every {{mean_time_between_failures_s}}: only {{goodput}} of the time is productive. Write checkpoints more often and asynchronously.',
    storage_short:
      'The run needs {{needed_bytes}} of disk, the plan has {{capacity_bytes}}. Keep fewer checkpoints or add storage.',
    billing_mode_unavailable:
      'This offer isn’t sold in the chosen billing mode; the cheapest mode available is used.',
    spot_interruptions:
      'Spot instances can be reclaimed at any time. Write checkpoints often; interruptions are not included in the price.',
    rents_more_gpus:
      'The plan is rented in whole units only: you pay for {{rented_gpus}} GPUs and use {{gpus}}.',
    price_undated: 'This price has no date: ask the provider before you rely on it.',
    validity_unchecked:
      'This price is only valid until a certain day, and no day was given to check it against.',
    price_low_confidence:
      'This price comes from an uncertain source: indicative only, not an offer.',
  },
  problems: {
    above_peak: 'Faster than these GPUs can compute: check the figure.',
    contradicts: 'This contradicts the other limits.',
    no_offer: 'No offer in the list meets this.',
    nothing_fits: 'No offer in the list can hold this job.',
    unknown_column: 'There is no such column.',
    duplicate_column: 'This column is there twice.',
    too_few_fields: 'This row has too few fields.',
    too_many_fields: 'This row has too many fields.',
    unclosed_quote: 'A quotation mark is never closed.',
    mixed_units: 'This row mixes prices per GPU and per plan.',
    unknown_constant: 'There is no such constant.',
    internal: 'The calculator failed on this and was restarted. Please change the last entry.',
    malformed_json: 'This isn’t valid JSON.',
    wrong_type: 'This is the wrong type of value.',
    missing: 'This is required.',
    empty: 'At least one is required.',
    unknown_field: 'There is no such field.',
    unknown_command: 'There is no such command.',
    not_one_of: 'Not one of the choices.',
    out_of_range: 'Out of range.',
    not_positive: 'Must be greater than zero.',
    not_integer: 'Enter a whole number.',
    not_decimal: 'Enter an amount such as 12.50.',
    not_divisible: 'Doesn’t divide evenly.',
    not_a_mixture: 'This model has no experts to distribute.',
    not_date: 'Enter a date.',
    not_currency: 'Enter a currency code.',
    too_long: 'Too long.',
    too_many: 'Too many entries.',
    too_large: 'The document is too large.',
    too_deep: 'Nested too deeply.',
    more_problems: 'There are more problems like this.',
    duplicate_id: 'This id is there twice.',
    duplicate_field: 'This field is there twice.',
    duplicate_mode: 'This billing mode is there twice.',
    given_twice: 'Given twice: keep one of the two.',
    unknown_model: 'There is no model of this name. Choose one from the list.',
    unknown_gpu: 'There is no GPU of this name. Choose one from the list.',
    unknown_offer: 'There is no offer of this name. Choose one from the list.',
    unknown_stack: 'There is no software stack of this name. Choose one from the list.',
    unknown_precision: 'There is no precision of this name.',
    unknown_optimizer: 'There is no optimizer of this name.',
    unknown_quantization: 'There is no quantization of this name.',
    unsupported_precision: 'This GPU can’t compute in this precision.',
    unsupported_architecture:
      'This architecture isn’t supported: only decoder-only transformers are.',
    unverified_gpu:
      'No vendor lists this product, so its specifications are unknown. Choose another, or enter its specifications.',
    no_model_to_scale: 'There is no architecture to scale to this size.',
    model_too_large: 'Larger than any model that can be estimated.',
    batch_not_divisible: 'The global batch must be a multiple of micro-batch × DP.',
    product_not_count: 'TP × PP × CP × DP must come to the number of GPUs.',
    no_valid_layout: 'No parallel layout is valid for this model and this number of GPUs.',
    offer_or_price: 'Either an offer or your own price, not both.',
    offer_of_other_gpu: 'This offer is for another GPU.',
  },
  derived: {
    parameters_total: 'Parameters',
    parameters_trainable: 'Trainable parameters',
    memory_weights: 'Weights',
    memory_gradients: 'Gradients',
    memory_optimizer: 'Optimizer',
    memory_activations: 'Activations',
    memory_logits: 'Logits and loss',
    memory_buffers: 'Buffers',
    memory_device_peak: 'Peak per GPU',
    time_compute: 'Computation, per step',
    time_exposed_communication: 'Exposed communication, per step',
    time_bubble: 'Pipeline bubble, per step',
    time_step: 'One step',
    time_run: 'Whole run',
    time_tokens_per_second: 'Throughput',
    time_mfu_causal: 'MFU, causal',
    time_mfu_full_attention: 'MFU, full attention',
    time_hfu: 'HFU',
    cost_total: 'Total cost',
    cost_per_1k_tokens: 'Per 1,000 tokens',
    cost_per_million_tokens: 'Per million tokens',
    storage_needed_bytes: 'Disk space needed',
    energy_kwh: 'Energy',
  },
  absent: {
    not_within_ten_years: 'not within ten years',
    rent_cheaper_at_any_use: 'renting is cheaper at any utilization',
    no_market_price: 'no market price known',
    no_gpu_recognised: 'no GPU recognised',
    no_monthly_and_hourly_price: 'not sold both by the month and by the hour',
    no_line: 'bandwidth not given',
    offers_expired: 'all listed prices have expired',
    offer_expired: 'this price has expired',
    no_offer_for_gpu: 'no listed price',
    offer_without_price: 'the offer has no price',
    out_of_range: 'out of range',
    published_method: 'not part of the article’s method',
    no_failure_rate: 'failure rate not known',
    no_storage_rate: 'storage speed not known',
    no_board_power: 'power of this GPU not known',
    no_energy_factors: 'no energy factors',
    no_grid_factor: 'carbon intensity not given',
    no_tariff: 'electricity price not given',
    no_article: 'no article',
    not_finite: 'not computable',
    gpu_not_in_article: 'GPU not in the article',
    gpu_memory_not_known: 'memory of this GPU not known',
    not_stated_for_this_job: 'not stated for this job',
    no_duration: 'no duration',
    no_stated_speed: 'no stated speed',
    no_monthly_price: 'no monthly price',
    no_purchase_price: 'no purchase price',
    no_monthly_price_in_yuan: 'no monthly price in yuan',
    no_profile_for_size_and_budget: 'no profile for this size and budget',
  },
  statements: {
    holds: 'This agrees with the figures that it was held against.',
    annual_price_holds:
      'A year at CNY {{stated}} is {{paid_percent}}% of twelve months at CNY {{monthly}}.',
    cheaper_than_holds:
      'CNY {{ours}} is {{computed_percent}}% below the stated average of CNY {{average}}.',
    unit_cost_holds:
      'CNY {{monthly}} for {{tokens_per_month}} tokens is CNY {{computed}} per 1,000.',
    tokens_per_month_holds:
      '{{tokens_per_card_day}} tokens per card per day come to {{computed}} a month with {{cards}} card{{s}}.',
    hourly_total_holds: '{{hours}} hours at CNY {{hourly}} come to CNY {{computed}}.',
    breakeven_hours_holds:
      'At CNY {{hourly}} an hour, the monthly price of CNY {{monthly}} pays off from {{hours}} hours a month.',
    fits_holds:
      'By the article’s rule, {{params_b}} parameters need {{unreduced_gb}}; {{have_gb}} is available.',
    fits_holds_reduced:
      'By the article’s rule, {{params_b}} parameters fit after the {{reduction_percent}}% reduction: {{need_gb}} of {{have_gb}}.',
    quote_annual_share: 'The year costs {{paid_percent}}% of twelve months: {{off_percent}}% off.',
    quote_discount_holds:
      '{{stated_percent}}% off is right: the year costs {{paid_percent}}% of twelve months.',
    quote_discount_is_the_share_paid:
      '{{stated_percent}}% is the share you pay, not the discount: the discount is {{off_percent}}%.',
    quote_discount_slip:
      'It states {{stated_percent}}% off; CNY {{year}} a year against CNY {{monthly}} a month is {{off_percent}}% off.',
    quote_prices_holds: 'The same price is given twice.',
    quote_month_prices_conflict: 'Two prices for a month: CNY {{low}} and CNY {{high}}.',
    quote_hour_prices_conflict: 'Two prices for an hour: CNY {{low}} and CNY {{high}}.',
    quote_fits_holds:
      'A {{params_b}} model fits on {{count}} card{{s}}: {{need_gib}} of {{have_gib}} GiB each.',
    quote_fits_lora_only:
      'A {{params_b}} model doesn’t fit on {{count}} card{{s}}: it needs {{need_gib}} GiB each, and {{have_gib}} is available. With LoRA it fits ({{adapters_need_gib}} GiB).',
    quote_fits_qlora_only:
      'A {{params_b}} model doesn’t fit on {{count}} card{{s}}: it needs {{need_gib}} GiB each, and {{have_gib}} is available. It fits only with QLoRA ({{adapters_need_gib}} GiB).',
    quote_does_not_fit:
      'A {{params_b}} model doesn’t fit on {{count}} card{{s}}: it needs {{need_gib}} GiB each, and {{have_gib}} is available; even training adapters only needs {{adapters_need_gib}} GiB.',
    quote_far_below_market:
      'CNY {{price}} per GPU hour is less than half the lowest listed price (CNY {{market_low}}).',
    quote_below_market:
      'CNY {{price}} per GPU hour is below the listed prices (CNY {{market_low}} to {{market_high}}): ask what isn’t included.',
    quote_within_market:
      'CNY {{price}} per GPU hour is within the listed prices (CNY {{market_low}} to {{market_high}}).',
    quote_above_market:
      'CNY {{price}} per GPU hour is above the listed prices (CNY {{market_low}} to {{market_high}}).',
    quote_far_above_market:
      'CNY {{price}} per GPU hour is more than twice the highest listed price (CNY {{market_high}}).',
    quote_discounted_price:
      'CNY {{before}} less the discount is CNY {{after}} ({{paid_percent}}%).',
    quote_tokens_above_measured:
      '{{stated}} tokens a day would take {{mfu_percent}}% of the card’s {{tflops}} TFLOPS; no training was measured above {{most_mfu_percent}}%. If it was in FP8, say so.',
    quote_tokens_above_peak:
      '{{stated}} tokens a day are {{ratio}} times what the card could do at its full {{tflops}} TFLOPS ({{peak}}).',
    quote_transfer_time: 'Transferring {{terabytes}} TB at {{mbit_s}} Mbit/s takes {{days}}.',
    quote_transfer_longer_than_training:
      'Transferring {{terabytes}} TB at {{mbit_s}} Mbit/s takes {{days}}, longer than the training itself ({{training_days}}).',
    quote_fees_share: 'The fees are {{share_percent}}% of the bill.',
    quote_fees_within_stated:
      'The fees are {{share_percent}}% of the bill, within the {{stated_percent}}% stated.',
    quote_fees_above_stated:
      'The fees are {{share_percent}}% of the bill, more than the {{stated_percent}}% stated.',
    vram_rule_slip:
      'It gives {{stated_gb}} for {{params_b}} parameters; its own formula gives {{computed_gb}}.',
    vram_with_activations_conflict:
      'Its table gives {{stated_gb}} for a {{params_b}} model; its formula, with activations, gives {{low_gb}} to {{high_gb}}. The table leaves the activations out.',
    vram_reduced_slip:
      'It states a reduction of {{reduction_percent}}%; from {{unreduced_gb}} that would leave {{reduced_gb}}.',
    fits_infeasible:
      'It offers {{count}} × {{memory_gb}} for {{params_b}} models. By its own formula, even after the {{reduction_percent}}% reduction, {{need_gb}} is needed and only {{have_gb}} is available.',
    fits_infeasible_range:
      'It offers {{count}} × {{memory_gb}} for {{smallest_params_b}} to {{params_b}} models. By its own formula, even after the {{reduction_percent}}% reduction, {{smallest_need_gb}} to {{need_gb}} is needed and only {{have_gb}} is available.',
    days_fit_infeasible:
      'It states training times of a {{params_b}} model on {{count}} card{{s}}. By its own formula that needs {{need_gb}}, and only {{have_low_gb}} to {{have_high_gb}} is available.',
    capacity_infeasible:
      '{{cards}} × {{memory_gb}} comes to {{have_gb}}; {{params_b}} parameters need {{need_gb}}.',
    memory_use_conflict:
      'It says that a {{params_b}} model uses {{stated_percent}}% of this card ({{stated_gb}}). Its own formula gives {{need_gb}}, {{computed_percent}}% of {{memory_gb}}.',
    accounts_of_fit_conflict:
      'In one place a {{params_b}} model can’t be trained on this card, in another it only takes {{slowdown_percent}}% longer. Its formula gives {{need_gb}}; the card has {{memory_gb}}.',
    bytes_sum_slip:
      'It says {{stated}} bytes per parameter; the components add up to {{computed}}.',
    adam_bytes_sum_slip: 'It says {{stated}} bytes for Adam; two FP32 moments take {{computed}}.',
    own_total_slip: 'It puts owning at CNY {{stated}}; the items add up to CNY {{computed}}.',
    operation_sum_slip:
      'It puts operation at CNY {{stated}}; the items add up to CNY {{computed}}.',
    depreciation_slip:
      'It says CNY {{stated}} a year; {{rate_percent}}% of the purchase is CNY {{computed}}.',
    purchase_slip:
      'It says CNY {{stated}}; {{cards}} cards at CNY {{per_card}} come to CNY {{computed}}.',
    rent_total_slip:
      'It says CNY {{stated}}; {{months}} months at CNY {{monthly}} come to CNY {{computed}}.',
    rent_of_plan_conflict:
      'It names CNY {{stated}} for training a {{params_b}} model over {{months}} months; its plan for models of {{plan_params_b}} or more costs CNY {{computed}} over that time.',
    saving_slip: 'It says {{stated_percent}}% saved; its figures give {{computed_percent}}%.',
    monthly_prices_conflict:
      'Three prices for {{count}} of these cards, by its own figures: CNY {{first}}, {{second}} and {{third}} a month.',
    card_prices_conflict:
      'It names this card at CNY {{monthly_low}} and {{monthly_high}} a month, and at CNY {{hourly_low}} and {{hourly_high}} an hour.',
    annual_price_slip:
      'It says CNY {{stated}} a year and “pay {{paid_percent}}%”. {{paid_percent}}% of twelve months is CNY {{computed}}; what it says is {{stated_percent}}%.',
    annual_prices_conflict:
      'A year of this plan costs CNY {{stated}} in one place ({{stated_percent}}% of twelve months) and CNY {{also}} in another ({{also_percent}}%). At the {{paid_percent}}% that it states, it would be CNY {{computed}}.',
    discount_words_conflict:
      'It calls one discount both “{{zhe}} zhe” (pay {{paid_percent}}%, {{off_percent}}% off) and “{{discount_percent}}% discount”, which read literally pays {{discount_paid_percent}}%.',
    cheaper_than_slip:
      'It says {{stated_percent}}% cheaper; CNY {{ours}} against {{average}} is {{computed_percent}}%.',
    cheaper_range_slip:
      'It says {{stated_low_percent}} to {{stated_high_percent}}% cheaper; its plans come to {{computed_low_percent}} to {{computed_high_percent}}%.',
    unit_cost_slip:
      'It says CNY {{stated}} per 1,000 tokens; its own formula gives CNY {{computed}}.',
    unit_cost_ten_times:
      'It says CNY {{stated}} per 1,000 tokens; its own formula gives CNY {{computed}}, a tenth of that.',
    hourly_total_slip:
      'It says CNY {{stated}}; {{hours}} hours at CNY {{hourly}} come to CNY {{computed}}.',
    breakeven_hours_conflict:
      'At CNY {{hourly}} an hour, the monthly price of CNY {{monthly}} pays off from {{hours}} hours a month. A month has only {{hours_per_month}}, so it never does.',
    saving_against_time_conflict:
      'Time falls by {{time_saving_percent}}% (from {{days_before}} to {{days_after}}) but cost by only {{stated_percent}}%: the price per day must have risen by {{dearer_percent}}%, which it doesn’t say.',
    long_term_conflict:
      'A rental of half a year or more pays {{paid_low_percent}} to {{paid_high_percent}}%, a whole year {{annual_percent}}%: the longer rental is the more expensive.',
    tokens_per_month_conflict:
      'It says {{stated}} tokens a month; its {{tokens_per_card_day}} tokens per card per day come to {{computed}} with {{cards}} card{{s}}.',
    tokens_per_day_implausible:
      'It says {{stated}} tokens a day for a {{params_b}} model on one card; at {{mfu_percent}}% MFU the card does {{computed}}, {{ratio}} times as many.',
    tokens_per_card_day_implausible:
      'Its monthly figure comes to {{computed}} tokens per card per day for a {{params_b}} model; at {{mfu_percent}}% MFU a card does {{physical}}, {{ratio}} times as many.',
    days_physics_implausible:
      'Its days and speeds make {{stated_low}} to {{stated_high}} tokens in all, far below any training run; at {{mfu_percent}}% MFU the cards could do up to {{computed}}.',
    training_peak_conflict:
      'It prints {{stated}} and {{stated_tensor}} TFLOPS. What training can use, dense with FP32 accumulation, is {{computed}}.',
    link_conventions_conflict:
      'Its link rates mix conventions: {{first}} counts one way, {{second}} and {{third}} both ways added. One way it is {{first_one_way}}, {{second_one_way}} and {{third_one_way}} GB/s.',
    transfer_time_conflict:
      'Transferring {{terabytes}} TB over this plan’s {{mbit_s}} Mbit/s line takes {{days}}, longer than the training itself ({{training_days}}).',
    dataset_size_slip:
      'It says {{stated_tb}} of text for {{tokens}} tokens; at {{bytes_per_token}} bytes each that is {{computed_tb}}.',
    communication_order_conflict:
      'It gives {{slow_percent}}% communication at {{slow_gb_s}} GB/s and {{fast_percent}}% at {{fast_gb_s}} GB/s: not in order.',
    cluster_sizes_conflict:
      'Its cluster sizes disagree: A100 from {{second_least}} to {{second_most}} cards, but a plan with {{second_plan}}; H100 from {{third_least}} to {{third_most}}, but a plan with {{third_plan}}.',
    storage_bands_conflict: 'Its storage sizes are too small for its own models’ training state.',
    billing_bands_conflict: 'Its bands of rental time leave a gap or overlap.',
    config_bands_infeasible:
      'A recommended cluster can’t hold the largest model it is recommended for.',
    profile_plans_conflict: 'A kind of user is sent to a plan beyond their budget or size.',
    fee_bands_conflict:
      'It announces {{stated}} kinds of hidden fee and lists {{kinds}}, or its shares are out of order.',
    product_listed_conflict:
      'It offers an “H300” with {{memory_gb}}. No vendor lists such a product: listed by the provider, unverified.',
    stability_order_conflict: 'Its stability figures don’t meet its own advice.',
    delivery_times_conflict:
      'A cluster is ready within {{at_most_hours}} hours in one place and in {{soonest_hours}} at the soonest in another.',
    size_range_conflict:
      'The largest model that fits is {{first_b}} in one place and {{second_b}} in another.',
    reserve_per_user_implausible:
      '{{devices}} devices for {{users}} users at once: {{users_per_device}} users share one.',
    fee_claims_conflict:
      'Hidden fees are “none”, “below {{below_percent}}%” and “within {{within_percent}}%” in three places.',
    included_storage_conflict:
      '{{free_tb}} come free in one place; plans include up to {{most_tb}} in another.',
    saving_claims_conflict:
      'Renting saves {{first_percent}}% in one place and {{second_percent}}% in another.',
  },
  /** Why an offer is left out of a plan. */
  ruledOut: {
    does_not_fit: 'doesn’t fit: {{needed_bytes}} per GPU, {{usable_bytes}} usable',
    no_layout: 'no valid layout',
    too_slow: 'too slow: {{days}} at best',
    too_dear: 'too expensive: {{total}} at least',
    too_dear_by_month: 'too expensive per month: {{per_month}}',
    constraints_together: 'no number of GPUs meets all limits at once',
    expired: 'expired {{valid_until}}',
    requirement_missing: 'without {{requirement}}',
    requirement_unknown: 'doesn’t say whether it has {{requirement}}',
    gpu_not_allowed: 'other GPU',
    provider_not_allowed: 'provider excluded',
    no_price: 'no price',
    billing_unavailable: 'not sold in this billing mode',
    no_exchange_rate: 'no exchange rate for {{currency}}',
    out_of_range: 'out of range',
  },
  /** Rules of practice that a layout keeps to or breaks. */
  rules: {
    tensor_on_fast_link: 'TP within the fast interconnect',
    tensor_as_needed: 'TP no larger than needed',
    tensor_before_pipeline: 'TP before PP',
    pipeline_shards_optimizer: 'optimizer sharded over DP',
    pipeline_filled: 'enough micro-batches for the pipeline',
    interleaved_rounds: 'micro-batches divisible by the stages',
    context_for_long_sequences: 'CP only for long sequences',
    full_shard_bounded: 'ZeRO-3 over a limited number of GPUs',
    states_on_device: 'training states in GPU memory',
  },
  /** What makes a job fit. */
  changes: {
    recompute_selective: 'Selective recomputation',
    recompute_full: 'Full recomputation',
    zero_1: 'ZeRO-1',
    zero_2: 'ZeRO-2',
    zero_3: 'ZeRO-3',
    optimizer_8bit: '8-bit optimizer',
    optimizer_paged_8bit: 'Paged 8-bit optimizer',
    lora: 'Switch to LoRA',
    qlora: 'Switch to QLoRA',
    micro_batch_half: 'Half the micro-batch',
    micro_batch_1: 'Micro-batch 1',
    fused_loss: 'Fused cross-entropy',
    flash_attention: 'Flash attention',
    offload_optimizer: 'Offload optimizer states to host memory',
    offload_parameters: 'Offload optimizer states and weights to host memory',
    offload_activations: 'Offload activations to host memory',
    gpus_twice: 'Twice the GPUs',
    gpus_4_times: 'Four times the GPUs',
  },
  /** Why a tool can't be told a job. */
  inexpressible: {
    tensor_parallel: 'no tensor parallelism',
    pipeline_parallel: 'no pipeline parallelism',
    context_parallel: 'no context parallelism',
    expert_parallel: 'no expert parallelism',
    precision: 'not this precision',
    optimizer: 'not this optimizer',
    adapters: 'no LoRA adapters',
    offload: 'no offloading',
    activation_offload: 'no offloading of activations',
    parameter_offload_needs_zero_3: 'offloads weights only with ZeRO-3',
    zero_1: 'no ZeRO-1 by itself',
    sharding_groups: 'no sharding inside such groups of GPUs',
    selective_recompute: 'no selective recomputation',
    linear_attention: 'no linear attention',
    uneven_virtual_stages: 'layers not divisible by the virtual stages',
  },
} as const;
