/** What helps those who don't do this every day: modes, terms, sizes of data, own measurements. */
export const enHelp = {
  mode: {
    label: 'Level of detail',
    simple: 'Simple',
    expert: 'Expert',
    chosen: 'Chosen for you',
    show: 'Show every setting',
    kept_one: '{{count}} expert setting is in effect.',
    kept_other: '{{count}} expert settings are in effect.',
  },
  help: {
    of: 'What is {{term}}?',
    title: 'Glossary',
  },
  terms: {
    model:
      '<b>Model.</b> The network you start from. “8B” means 8 billion parameters: numbers that training adjusts.',
    kind: '<b>Pre-training</b> teaches a model from scratch. <b>Full</b> fine-tuning adjusts all parameters of a finished one. <b>LoRA</b> trains a small addition beside the frozen model. <b>QLoRA</b> does the same with the frozen part quantized to 4 bits: least VRAM.',
    tokens:
      '<b>Token.</b> The unit of text that a model reads: about three quarters of an English word, or one to two Chinese characters. Here: all that training reads, repeats included.',
    dataset_tokens: '<b>Data set.</b> Tokens of your data, counted once.',
    epochs:
      '<b>Epoch.</b> One pass over the whole data set; fine-tuning usually takes one to three.',
    sequence_length:
      '<b>Sequence length.</b> The longest piece of text, in tokens, that is trained on at once. Longer needs more VRAM.',
    gpu: '<b>GPU.</b> The card that computes. Its memory, the VRAM, decides whether training fits at all.',
    count: '<b>GPUs.</b> How many cards work on the same job.',
    per_node: '<b>Node.</b> One server. GPUs inside it talk fast, between servers slowly.',
    internode_gb_s_per_gpu:
      '<b>Network.</b> What one GPU can send to other servers per second, one way. 400 Gbit/s is 50 GB/s.',
    'price-from': '<b>Price.</b> An offer from the list, or what you were quoted.',
    billing:
      '<b>Billing.</b> Hourly: pay as you go. Monthly and annual: cheaper per hour, but the whole period is paid. Spot: cheapest, but it can be reclaimed at any time.',
    precision:
      '<b>Precision.</b> How many bits a number has: fewer is faster and smaller, but too few harm training. BF16 mixed is usual.',
    optimizer:
      '<b>Optimizer.</b> The rule that turns gradients into updates. AdamW keeps two numbers for each trained parameter, which takes VRAM.',
    stack:
      '<b>Software stack.</b> The training software; each has its own speed and memory habits.',
    recompute:
      '<b>Recomputation</b> (gradient checkpointing). Discards intermediate results and computes them again when needed: less VRAM, up to a third more time.',
    recompute_share:
      '<b>Recomputed layers.</b> Which share of the layers recomputes; the rest keep everything. 0.5: every second layer.',
    flash_attention:
      '<b>Flash attention.</b> Computes attention without storing its big table: the same result, less VRAM, faster.',
    compile: '<b>Compiling</b> merges small operations into larger ones: usually faster.',
    fused_loss:
      '<b>Fused cross-entropy.</b> Computes the loss in chunks, so that the scores of the whole vocabulary are never all in VRAM.',
    micro_batch:
      '<b>Micro-batch.</b> Sequences that one GPU works on at once: more is faster, and needs more VRAM.',
    global_batch: '<b>Global batch.</b> Sequences per update of the model, over all GPUs.',
    rank: '<b>Rank.</b> How wide LoRA’s addition is: 8 to 64 is usual.',
    targets: '<b>LoRA applied to.</b> Which matrices of the model get an addition.',
    quantization:
      '<b>Frozen weights.</b> How the part that isn’t trained is stored: 4 bits take a quarter of the VRAM of 16.',
    layout: '<b>Parallelism.</b> How a job is split over GPUs. Auto tries all ways.',
    tp: '<b>Tensor parallelism.</b> Each matrix is split over GPUs, which must exchange results in every layer: inside one server only.',
    pp: '<b>Pipeline parallelism.</b> The layers are divided into stages on different GPUs; data flows through them.',
    cp: '<b>Context parallelism.</b> One long sequence is split over GPUs.',
    ep: '<b>Expert parallelism.</b> The experts of a mixture-of-experts model are placed on different GPUs.',
    dp: '<b>Data parallelism.</b> Each group of GPUs has the whole model and processes different data.',
    zero: '<b>ZeRO stage</b> (FSDP). What data-parallel copies shard instead of each keeping all: 1 optimizer states, 2 also gradients, 3 also weights.',
    virtual_stages:
      '<b>Virtual stages.</b> Several small stages on each GPU instead of one: less waiting in the pipeline, more traffic.',
    sequence_parallel:
      '<b>Sequence parallelism.</b> With tensor parallelism, also splits what is kept between matrices.',
    offload:
      '<b>Offloading.</b> Keeps part of the training state in the server’s memory: fits more, but slower.',
    cny_per_usd: '<b>Exchange rate</b> for prices in the other currency.',
    currency: '<b>Currency</b> of all amounts on this page.',
    article:
      '<b>The article.</b> Two Chinese articles of 2026 on renting GPUs for training, which present the plans of the provider 星宇智算: one titled 《2026 年算力租赁平台市场格局与企业采购策略分析》, one untitled. Their rules of thumb and prices are quoted as printed, for comparison alone; the detailed model uses none of them.',
    memory:
      '<b>VRAM.</b> What the fullest GPU needs at its peak. If it is more than usable, training stops with “out of memory”.',
    time: '<b>Total time.</b> From start to last step, including restarts after failures.',
    cost: '<b>Total cost.</b> The rent of all GPUs for that time.',
    token:
      '<b>Per million tokens.</b> Total cost divided by the tokens trained on: the figure to compare offers by.',
    mfu: '<b>MFU.</b> Share of the GPUs’ peak that goes into the model: 30% to 55% is good.',
    weights: '<b>Weights.</b> The model’s parameters themselves.',
    gradients:
      '<b>Gradients.</b> For each trained parameter, the direction in which it should change.',
    activations:
      '<b>Activations.</b> Intermediate results that are kept until the error has been traced back.',
    interval:
      '<b>80% interval.</b> In eight cases out of ten the true value lies in it, judged by published measurements.',
    bubble: '<b>Bubble.</b> Time in which pipeline stages wait for each other.',
    goodput: '<b>Goodput.</b> Share of the time that isn’t lost to failures and checkpointing.',
    fragmentation: '<b>Fragmentation.</b> VRAM lost in gaps between blocks.',
  },
  size: {
    by: 'From my data',
    what: 'What you know about it',
    rows: 'Rows',
    characters: 'Characters',
    gigabytes: 'Gigabytes of text',
    file: 'A file',
    amount: { rows: 'Rows (examples)', characters: 'Characters', gigabytes: 'GB (10⁹ bytes)' },
    perRow: 'Characters per row',
    language: 'Written in',
    languages: { en: 'English', zh: 'Chinese', code: 'Code' },
    short: 'Short rows are',
    packed: 'Packed together',
    padded: 'Padded to full length',
    open: 'Open a text or JSONL file…',
    drop: 'or drop it anywhere on this page. It is counted here and never uploaded.',
    counting: 'Counting… {{share}}',
    unreadable: 'This file can’t be read as text.',
    counted: '{{name}}: {{rows}} rows, {{characters}} characters, {{chinese}} of them Chinese.',
    result: 'Estimate: <b>{{tokens}}</b> tokens in the data set ({{low}}–{{high}}).',
    packedNote: 'Packed: rows fill each sequence, so only real tokens are computed.',
    paddedNote:
      'Padded: every row costs {{sequence}} tokens, {{share}} of them real. Packing would save the rest.',
    source: 'Tokens per character depend on the tokenizer. {{source}}',
    need: 'How many do I need?',
    optimal: 'Compute-optimal for {{model}}: {{ratio}} tokens per parameter',
    overtrained: 'What {{name}} was trained on, more than optimal so as to be cheaper to run',
    tuned: '{{name}}: {{rows}} examples, {{epochs}} epochs',
    needNote:
      'For fine-tuning, quality matters more than quantity. Start with a thousand good examples, look at the result, then add more.',
    use: 'Use {{tokens}}',
  },
  ran: {
    title: 'I ran it: my step takes…',
    lead: 'Time and cost then follow your measurement, and the interval narrows to the usual variation between such runs.',
    by: 'Measured as',
    step: 'Seconds per step',
    rate: 'Tokens per second',
    stepHint: 'one optimizer step, accumulation included',
    rateHint: 'of all GPUs together',
    ratio: 'Your run takes {{ratio}} times as long as the model says.',
    basis: 'Time and cost are based on your own measurement of this very job.',
    contribute: 'Contribute this measurement',
    note: 'Copies a text with the whole configuration, to send to the project: nothing is sent from here.',
    copied: 'Copied',
    heading: 'A measurement for TrainTally',
    measured: 'measured',
    predicted: 'predicted',
    source:
      'Please add: software versions, how it was measured, and a public source if there is one.',
  },
  kept: {
    title: 'Saved on this device',
    lead: 'Only what you save here by name is stored, in this browser; it is never uploaded.',
    name: 'Name',
    keep: 'Save this scenario',
    open: 'Open {{name}}',
    remove: 'Delete {{name}}',
    forget: 'Delete all',
    none: 'This browser stores nothing for this page (opened from disk, in a frame, or blocked). Copy the link instead.',
  },
} as const;
