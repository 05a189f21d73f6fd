/** English sentences for the core's codes. Figures come in with their units (see codes.ts). */
export const enCodes = {
  warnings: {
    server_above_market: 'A server at {{stated}} is {{ratio}} times the market’s {{market}}.',
    server_below_market:
      'A server at {{stated}} is only {{ratio}} of the market’s {{market}}: check what is in it.',
    counts_purchase_and_depreciation:
      'The article counts the purchase and its depreciation both: {{counted_twice}} CNY twice. Without that its figures make {{own_without_refresh}} CNY, not {{own_total}} CNY.',
    mixed_currencies: 'Yuan and dollars both occur in the text; all prices were read as yuan.',
    phase_does_not_fit: 'Phase {{phase}} doesn’t fit its GPUs.',
    transfer_longer_than_training:
      'Uploading the data takes {{days}}, longer than the training itself ({{training_days}}).',
    does_not_fit:
      'This overfills the GPU by {{over_bytes}}. Try a smaller micro-batch, recomputation, ZeRO-3 over more GPUs, an 8-bit optimizer, LoRA or QLoRA, or a card with more memory.',
    tight:
      'Only {{margin_bytes}} of {{usable_bytes}} are left: one longer sequence or a fragmented allocator and the run stops. Shorten the sequences or recompute more.',
    may_not_fit:
      'It should fit, but may need up to {{high_bytes}} of {{usable_bytes}}. Try it briefly before you rent for long.',
    memory_unused:
      'Much of the memory stays empty ({{device_bytes}} of {{usable_bytes}} used). A larger micro-batch, less recomputation or a cheaper card would use the money better.',
    logits_dominate:
      'Logits and loss take {{share}} of the memory ({{logits_bytes}}). Turn on the fused loss: it works through them in chunks.',
    host_memory:
      'Offloading needs {{host_bytes_per_gpu}} of host memory per GPU, {{host_bytes_per_node}} per server. Make sure that the server has it.',
    recompute_unneeded:
      'It would fit without recomputation too ({{device_bytes}} of {{usable_bytes}}): {{saved_share}} of the time saved.',
    network_bound:
      'The network between servers holds the GPUs up for {{waiting_share}} of each step. A larger micro-batch, fewer GPUs or a faster network helps.',
    communication_bound:
      'The GPUs wait for each other for {{waiting_share}} of each step. A larger micro-batch or less tensor parallelism helps.',
    pcie_bound:
      'These GPUs talk over PCIe and wait for it for {{waiting_share}} of each step. Larger batches, fewer GPUs, or cards with NVLink help.',
    tp_across_nodes:
      'Tensor parallelism {{tp}} reaches beyond a server of {{per_node}} GPUs: its traffic would cross the slow network. Keep TP within a server.',
    bubble_large:
      'The pipeline stands idle for {{bubble_share}} of the step: {{micro_batches}} micro-batches are few for {{pp}} stages. Enlarge the global batch or use virtual stages.',
    floor_bound:
      'The GPU waits for the host to launch its kernels ({{launch_share}} of the step). A larger micro-batch or torch.compile helps.',
    offload_bound:
      'Traffic to host memory takes {{offload_share}} of the step. More GPUs, or an 8-bit optimizer on the GPU, would be faster.',
    gpu_low_confidence:
      'Figures of this GPU are uncertain: no good public source. Take the result as an order of magnitude.',
    usable_memory_assumed:
      'Nobody publishes how much memory the driver leaves on this GPU; {{usable_bytes}} is assumed, on the safe side.',
    recalibrated: 'Time and cost are scaled to your own measurement (× {{ratio}}).',
    measured_far_off:
      'Your measurement differs from the estimate by a factor of {{ratio}}. Check the batch, the sequence length and the software: something may be set differently.',
    scaled_model:
      'Only the size is known: the nearest architecture was scaled to {{parameters}} parameters. Paste the config.json for a narrower answer.',
    extrapolated_parameters:
      'Models of {{parameters}} lie outside what was measured ({{measured_low}} to {{measured_high}} parameters): less certain than the interval says.',
    extrapolated_sequence_length:
      'Sequences of {{sequence_length}} tokens lie outside what was measured ({{measured_low}} to {{measured_high}}): less certain than the interval says.',
    extrapolated_gpus:
      '{{gpus}} GPUs lie outside what was measured ({{measured_low}} to {{measured_high}}): less certain than the interval says.',
    power_limited: 'The power limit slows the GPU to {{speed_share}} of its speed.',
    sequence_beyond_model:
      'The model was made for sequences of up to {{max_sequence}} tokens; {{sequence_length}} needs its positions extended.',
    no_bf16:
      'This GPU has no bf16: fp16 with loss scaling is used, which is more prone to diverge.',
    attention_not_fused:
      'Without flash attention the score matrices are kept ({{attention_bytes}}). Turn it on.',
    tokens_below_a_step:
      'The whole run has fewer tokens ({{tokens}}) than one optimizer step ({{step_tokens}}). Reduce the global batch.',
    goodput_low:
      'With this many GPUs something fails every {{mean_time_between_failures_s}}: only {{goodput}} of the time makes progress. Write checkpoints more often and asynchronously.',
    storage_short:
      'The run needs {{needed_bytes}} of disk, the plan has {{capacity_bytes}}. Keep fewer checkpoints or add storage.',
    billing_mode_unavailable:
      'This offer isn’t sold in the chosen billing mode; the cheapest one that it is sold in is counted.',
    spot_interruptions:
      'Spot instances can be taken back at any moment. Write checkpoints often; interruptions are not in the price.',
    rents_more_gpus:
      'The plan is only rented in whole units: you pay for {{rented_gpus}} GPUs and use {{gpus}}.',
    price_undated: 'This price has no date: ask the provider before you rely on it.',
    price_low_confidence: 'This price comes from an uncertain source: an indication, not an offer.',
  },
  problems: {
    above_peak: 'Faster than these GPUs can compute: check the figure.',
    contradicts: 'This can’t hold together with the others.',
    no_offer: 'No offer in the list meets this.',
    nothing_fits: 'Nothing in the list holds this job.',
    unknown_column: 'There is no such column.',
    duplicate_column: 'This column is there twice.',
    too_few_fields: 'This row has too few fields.',
    too_many_fields: 'This row has too many fields.',
    unclosed_quote: 'A quotation mark is never closed.',
    mixed_units: 'Prices per GPU and per plan stand in one row.',
    unknown_constant: 'There is no such constant.',
    internal: 'The calculator stumbled over this and was restarted. Please change the last entry.',
    malformed_json: 'This isn’t valid JSON.',
    wrong_type: 'Something else is expected here.',
    missing: 'This is needed.',
    empty: 'At least one is needed.',
    unknown_field: 'There is no such field.',
    unknown_command: 'There is no such command.',
    not_one_of: 'Not one of the choices.',
    out_of_range: 'Out of range.',
    not_positive: 'Must be greater than zero.',
    not_integer: 'A whole number is needed.',
    not_decimal: 'An amount such as 12.50 is needed.',
    not_divisible: 'Doesn’t divide evenly.',
    not_a_mixture: 'This model has no experts to spread.',
    not_date: 'A date is needed.',
    not_currency: 'A currency code is needed.',
    too_long: 'Too long.',
    too_many: 'Too many entries.',
    too_large: 'Too large a document.',
    too_deep: 'Nested too deeply.',
    more_problems: 'And more of the kind.',
    duplicate_id: 'This id is there twice.',
    duplicate_field: 'This field is there twice.',
    duplicate_mode: 'This billing mode is there twice.',
    given_twice: 'Said twice: give one of the two.',
    unknown_model: 'There is no model of this name. Did you mean one of these?',
    unknown_gpu: 'There is no GPU of this name. Did you mean one of these?',
    unknown_offer: 'There is no offer of this name. Did you mean one of these?',
    unknown_stack: 'There is no software stack of this name. Did you mean one of these?',
    unknown_precision: 'There is no precision of this name.',
    unknown_optimizer: 'There is no optimizer of this name.',
    unknown_quantization: 'There is no quantization of this name.',
    unsupported_precision: 'This GPU can’t compute in this precision.',
    unsupported_architecture:
      'This architecture can’t be estimated: only decoder-only transformers are.',
    unverified_gpu:
      'No vendor lists this product and its figures aren’t known; choose another, or give its figures.',
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
    parameters_trainable: 'Trained parameters',
    memory_weights: 'Weights',
    memory_gradients: 'Gradients',
    memory_optimizer: 'Optimizer',
    memory_activations: 'Activations',
    memory_logits: 'Logits and loss',
    memory_buffers: 'Buffers',
    memory_device_peak: 'Peak on the card',
    time_compute: 'Computing, per step',
    time_exposed_communication: 'Exposed communication, per step',
    time_bubble: 'Pipeline bubble, per step',
    time_step: 'One step',
    time_run: 'The run',
    time_tokens_per_second: 'Throughput',
    time_mfu_causal: 'MFU, causal',
    time_mfu_full_attention: 'MFU, full attention',
    time_hfu: 'HFU',
    cost_total: 'Total cost',
    cost_per_1k_tokens: 'Per 1,000 tokens',
    cost_per_million_tokens: 'Per million tokens',
    storage_needed_bytes: 'Disk needed',
    energy_kwh: 'Energy',
  },
  absent: {
    not_within_ten_years: 'not within ten years',
    rent_cheaper_at_any_use: 'renting is cheaper at any use',
    no_market_price: 'no market price known',
    no_gpu_recognised: 'no GPU recognised',
    no_monthly_and_hourly_price: 'not sold both by the month and by the hour',
    no_line: 'speed of the line not given',
    offers_expired: 'all listed prices have expired',
    offer_expired: 'this price has expired',
    no_offer_for_gpu: 'no listed price',
    offer_without_price: 'the offer has no price',
    out_of_range: 'out of range',
    published_method: 'not part of the article’s method',
    no_failure_rate: 'no failure rate known',
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
      '{{tokens_per_card_day}} tokens per card and day make {{computed}} a month on {{cards}} cards.',
    hourly_total_holds: '{{hours}} hours at CNY {{hourly}} are CNY {{computed}}.',
    breakeven_hours_holds:
      'At CNY {{hourly}} an hour the monthly price of CNY {{monthly}} pays from {{hours}} hours a month.',
    fits_holds: 'By the article’s rule {{params_b}} need {{unreduced_gb}}; {{have_gb}} are there.',
    fits_holds_reduced:
      'By the article’s rule {{params_b}} fit after the {{reduction_percent}}% reduction: {{need_gb}} of {{have_gb}}.',
    quote_annual_share: 'The year costs {{paid_percent}}% of twelve months: {{off_percent}}% off.',
    quote_discount_holds:
      '{{stated_percent}}% off holds: the year costs {{paid_percent}}% of twelve months.',
    quote_discount_is_the_share_paid:
      '{{stated_percent}}% is what you pay, not what is off: the discount is {{off_percent}}%.',
    quote_discount_slip:
      'It says {{stated_percent}}% off; CNY {{year}} a year against CNY {{monthly}} a month is {{off_percent}}% off.',
    quote_prices_holds: 'The same price is given twice.',
    quote_month_prices_conflict: 'Two prices for a month: CNY {{low}} and CNY {{high}}.',
    quote_hour_prices_conflict: 'Two prices for an hour: CNY {{low}} and CNY {{high}}.',
    quote_fits_holds:
      'A {{params_b}} model fits {{count}} cards: {{need_gib}} of {{have_gib}} GiB each.',
    quote_fits_lora_only:
      'A {{params_b}} model doesn’t fit {{count}} cards: {{need_gib}} GiB each, {{have_gib}} are there. It does with LoRA ({{adapters_need_gib}} GiB).',
    quote_fits_qlora_only:
      'A {{params_b}} model doesn’t fit {{count}} cards: {{need_gib}} GiB each, {{have_gib}} are there. It does with QLoRA alone ({{adapters_need_gib}} GiB).',
    quote_does_not_fit:
      'A {{params_b}} model doesn’t fit {{count}} cards: {{need_gib}} GiB each, {{have_gib}} are there; even with adapters {{adapters_need_gib}}.',
    quote_far_below_market:
      'CNY {{price}} per GPU hour is less than half the lowest listed price (CNY {{market_low}}).',
    quote_below_market:
      'CNY {{price}} per GPU hour is below what is listed (CNY {{market_low}} to {{market_high}}): ask what isn’t included.',
    quote_within_market:
      'CNY {{price}} per GPU hour lies within what is listed (CNY {{market_low}} to {{market_high}}).',
    quote_above_market:
      'CNY {{price}} per GPU hour is above what is listed (CNY {{market_low}} to {{market_high}}).',
    quote_far_above_market:
      'CNY {{price}} per GPU hour is more than twice the highest listed price (CNY {{market_high}}).',
    quote_tokens_above_peak:
      '{{stated}} tokens a day are {{ratio}} times what the card could do at its full {{tflops}} TFLOPS ({{peak}}).',
    quote_transfer_time: 'Filling {{terabytes}} TB through {{mbit_s}} Mbit/s takes {{days}}.',
    quote_transfer_longer_than_training:
      'Filling {{terabytes}} TB through {{mbit_s}} Mbit/s takes {{days}}, longer than the training of {{training_days}} itself.',
    quote_fees_share: 'The fees come to {{share_percent}}% of the bill.',
    quote_fees_within_stated:
      'The fees come to {{share_percent}}% of the bill, within the {{stated_percent}}% stated.',
    quote_fees_above_stated:
      'The fees come to {{share_percent}}% of the bill, more than the {{stated_percent}}% stated.',
    vram_rule_slip:
      'It gives {{stated_gb}} for {{params_b}} parameters; its own formula comes to {{computed_gb}}.',
    vram_with_activations_conflict:
      'Its table asks for {{stated_gb}} for a {{params_b}} model; its formula, with activations, for {{low_gb}} to {{high_gb}}. The table leaves the activations out.',
    vram_reduced_slip:
      'It says {{reduction_percent}}% less; from {{unreduced_gb}} that would leave {{reduced_gb}}.',
    fits_infeasible:
      'It offers {{count}} × {{memory_gb}} for {{params_b}} models. By its own formula, even after the {{reduction_percent}}% reduction, {{need_gb}} are needed and {{have_gb}} are there.',
    fits_infeasible_range:
      'It offers {{count}} × {{memory_gb}} for {{smallest_params_b}} to {{params_b}} models. By its own formula, even after the {{reduction_percent}}% reduction, {{smallest_need_gb}} to {{need_gb}} are needed and {{have_gb}} are there.',
    days_fit_infeasible:
      'It states training times of a {{params_b}} model on {{count}} cards. By its own formula that needs {{need_gb}}, and {{have_low_gb}} to {{have_high_gb}} are there.',
    capacity_infeasible:
      '{{cards}} × {{memory_gb}} make {{have_gb}}; {{params_b}} need {{need_gb}}.',
    memory_use_conflict:
      'It says that a {{params_b}} model uses {{stated_percent}}% of this card ({{stated_gb}}). Its own formula comes to {{need_gb}}: {{computed_percent}}% of {{memory_gb}}.',
    accounts_of_fit_conflict:
      'In one place {{params_b}} can’t be trained on this card, in another it only takes {{slowdown_percent}}% longer. Its formula asks for {{need_gb}}; the card has {{memory_gb}}.',
    bytes_sum_slip: 'It says {{stated}} bytes per parameter; its parts add up to {{computed}}.',
    adam_bytes_sum_slip: 'It says {{stated}} bytes for Adam; two fp32 moments are {{computed}}.',
    own_total_slip: 'It puts owning at CNY {{stated}}; its parts add up to CNY {{computed}}.',
    operation_sum_slip:
      'It puts operation at CNY {{stated}}; its parts add up to CNY {{computed}}.',
    depreciation_slip:
      'It says CNY {{stated}} a year; {{rate_percent}}% of the purchase is CNY {{computed}}.',
    purchase_slip:
      'It says CNY {{stated}}; {{cards}} cards at CNY {{per_card}} are CNY {{computed}}.',
    rent_total_slip:
      'It says CNY {{stated}}; {{months}} months at CNY {{monthly}} are CNY {{computed}}.',
    rent_of_plan_conflict:
      'It names CNY {{stated}} for training {{params_b}} over {{months}} months; its plan for {{plan_params_b}} and more costs CNY {{computed}} in that time.',
    saving_slip: 'It says {{stated_percent}}% saved; its figures give {{computed_percent}}%.',
    monthly_prices_conflict:
      'Three prices for {{count}} of these cards, by its own figures: CNY {{first}}, {{second}} and {{third}} a month.',
    card_prices_conflict:
      'It names this card at CNY {{monthly_low}} and {{monthly_high}} a month, and at CNY {{hourly_low}} and {{hourly_high}} an hour.',
    annual_price_slip:
      'It says CNY {{stated}} a year and “pay {{paid_percent}}%”. {{paid_percent}}% of twelve months is CNY {{computed}}; what it says is {{stated_percent}}%.',
    annual_prices_conflict:
      'A year of this plan costs CNY {{stated}} in one place ({{stated_percent}}% of twelve months) and CNY {{also}} in another ({{also_percent}}%). At the {{paid_percent}}% that it names it would be CNY {{computed}}.',
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
      'It says CNY {{stated}}; {{hours}} hours at CNY {{hourly}} are CNY {{computed}}.',
    breakeven_hours_conflict:
      'At CNY {{hourly}} an hour the monthly price of CNY {{monthly}} pays from {{hours}} hours, more than the {{hours_per_month}} that a month has: never.',
    saving_against_time_conflict:
      'Time falls by {{time_saving_percent}}% (from {{days_before}} to {{days_after}}), cost by only {{stated_percent}}%: the price per day must have risen by {{dearer_percent}}%, which it doesn’t say.',
    long_term_conflict:
      'Half a year and more pays {{paid_low_percent}} to {{paid_high_percent}}%, a whole year {{annual_percent}}%: the longer one is the dearer.',
    tokens_per_month_conflict:
      'It says {{stated}} tokens a month; its {{tokens_per_card_day}} tokens per card and day make {{computed}} on {{cards}} cards.',
    tokens_per_day_implausible:
      'It says {{stated}} tokens a day for {{params_b}} on one card; at {{mfu_percent}}% MFU the card does {{computed}}, {{ratio}} times as many.',
    tokens_per_card_day_implausible:
      'Its month makes {{computed}} tokens per card and day for {{params_b}}; at {{mfu_percent}}% MFU a card does {{physical}}, {{ratio}} times as many.',
    days_physics_implausible:
      'Its days and speeds make {{stated_low}} to {{stated_high}} tokens in all, far below any training run; at {{mfu_percent}}% MFU the cards could do up to {{computed}}.',
    training_peak_conflict:
      'It prints {{stated}} and {{stated_tensor}} TFLOPS. What training can use, dense with fp32 accumulation, is {{computed}}.',
    link_conventions_conflict:
      'Its link rates mix conventions: {{first}} counts one way, {{second}} and {{third}} both ways added. One way it is {{first_one_way}}, {{second_one_way}} and {{third_one_way}} GB/s.',
    transfer_time_conflict:
      '{{terabytes}} TB through this plan’s {{mbit_s}} Mbit/s line take {{days}}, longer than the training of {{training_days}} itself.',
    dataset_size_slip:
      'It says {{stated_tb}} of text for {{tokens}} tokens; at {{bytes_per_token}} bytes each that is {{computed_tb}}.',
    communication_order_conflict:
      'It gives {{slow_percent}}% communication at {{slow_gb_s}} GB/s and {{fast_percent}}% at {{fast_gb_s}} GB/s: not in order.',
    cluster_sizes_conflict:
      'Its cluster sizes disagree: A100 from {{second_least}} to {{second_most}} cards, but a plan with {{second_plan}}; H100 from {{third_least}} to {{third_most}}, but a plan with {{third_plan}}.',
    storage_bands_conflict: 'Its storage sizes are too small for its own models’ training state.',
    billing_bands_conflict: 'Its bands of rental time leave a gap or overlap.',
    config_bands_infeasible: 'A recommended cluster doesn’t hold its own largest model.',
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
    too_dear: 'too dear: {{total}} at best',
    too_dear_by_month: 'too dear by the month: {{per_month}}',
    constraints_together: 'no count keeps to all limits at once',
    expired: 'expired {{valid_until}}',
    requirement_missing: 'without {{requirement}}',
    requirement_unknown: 'doesn’t say whether with {{requirement}}',
    gpu_not_allowed: 'other GPU',
    provider_not_allowed: 'provider left out',
    no_price: 'no price',
    billing_unavailable: 'not sold in this billing mode',
    no_exchange_rate: 'no exchange rate for {{currency}}',
    out_of_range: 'out of range',
  },
  /** Rules of practice that a layout keeps to or breaks. */
  rules: {
    tensor_on_fast_link: 'TP stays on the fast link',
    tensor_as_needed: 'TP no larger than needed',
    tensor_before_pipeline: 'TP before PP',
    pipeline_shards_optimizer: 'optimizer sharded over DP',
    pipeline_filled: 'enough micro-batches for the pipeline',
    interleaved_rounds: 'micro-batches divide by the stages',
    context_for_long_sequences: 'CP only for long sequences',
    full_shard_bounded: 'ZeRO-3 not over too many GPUs',
    states_on_device: 'states stay on the GPU',
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
    lora: 'LoRA instead',
    qlora: 'QLoRA instead',
    micro_batch_half: 'Half the micro-batch',
    micro_batch_1: 'Micro-batch 1',
    fused_loss: 'Fused loss',
    flash_attention: 'Flash attention',
    offload_optimizer: 'Optimizer states to host memory',
    offload_parameters: 'Optimizer and weights to host memory',
    offload_activations: 'Activations to host memory',
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
    selective_recompute: 'no selective recomputation',
    linear_attention: 'no linear attention',
    uneven_virtual_stages: 'layers don’t divide by the virtual stages',
  },
} as const;
