// Unit tests of what the page does by itself: reading numbers, writing links, formatting, words.
//
//   node tests/web/unit.mjs
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { suite } from './suite.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The page's TypeScript modules, as node can import them. */
async function load(...names) {
  const directory = await mkdtemp(join(tmpdir(), 'traintally-unit-'));
  try {
    await build({
      absWorkingDir: root,
      entryPoints: names.map((name) => `web/src/${name}.ts`),
      outdir: directory,
      outbase: 'web/src',
      outExtension: { '.js': '.mjs' },
      format: 'esm',
      bundle: true,
    });
    const modules = [];
    for (const name of names) {
      modules.push(await import(pathToFileURL(join(directory, `${name}.mjs`)).href));
    }
    return modules;
  } finally {
    await rm(directory, { recursive: true });
  }
}

const [
  numbers,
  documents,
  fragments,
  formats,
  locales,
  codes,
  english,
  chinese,
  presets,
  sizes,
  keeping,
  simple,
  catalogs,
] = await load(
  'scenario/number',
  'scenario/document',
  'scenario/fragment',
  'format/format',
  'words/locale',
  'words/codes',
  'words/en',
  'words/zh-cn',
  'scenario/presets',
  'scenario/text-size',
  'scenario/kept',
  'scenario/simple',
  'catalog/catalog',
);
const { parseNumber } = numbers;
const { test, finish } = suite('web-unit');

// --- Numbers as people type them -----------------------------------------------------------------

const readAs = {
  '1.5万': 15_000,
  '10亿': 1e9,
  '1e9': 1e9,
  '1E9': 1e9,
  '2T': 2e12,
  '7b': 7e9,
  '1,000': 1000,
  '1,234,567.89': 1_234_567.89,
  '1.234.567,89': 1_234_567.89,
  '１．５万': 15_000,
  '１，０００': 1000,
  '1。5': 1.5,
  '1,5': 1.5,
  '0,125': 0.125,
  '1,0000': 10_000,
  '1.000': 1,
  三千万: 3e7,
  一亿二千万: 1.2e8,
  两千三百: 2300,
  十五: 15,
  百: 100,
  千: 1000,
  百万: 1e6,
  千万: 1e7,
  百亿: 1e10,
  千亿: 1e11,
  万亿: 1e12,
  百二十: 120,
  '500百万': 5e8,
  '2万亿': 2e12,
  '1亿2000万': 1.2e8,
  '1万5千亿': 1.5e12,
  '1万5': 15_000,
  '1万零5': 10_005,
  '2^20': 1_048_576,
  '10^9': 1e9,
  '1.5×10^9': 1.5e9,
  '15 trillion tokens': 15e12,
  '100 million': 1e8,
  '500m': 5e8,
  '¥12.50': 12.5,
  '12 元': 12,
  '$1,234': 1234,
  '1 000 000': 1_000_000,
  "1'000'000": 1_000_000,
  '.5': 0.5,
  '5.': 5,
  '-5': -5,
  '−5': -5,
  '1e-3': 0.001,
};
for (const [text, value] of Object.entries(readAs)) {
  test(`"${text}" is read as ${value}`, () => {
    const parsed = parseNumber(text);
    assert.equal(parsed.ok, true);
    assert.equal(parsed.value, value);
  });
}

for (const text of [
  'abc',
  '1.2.3',
  '万',
  'k',
  '1k2',
  '一亿百万',
  '--5',
  '二〇二六',
  '9'.repeat(65),
  '1,23,4',
]) {
  test(`"${text.slice(0, 12)}" is no number`, () => {
    assert.deepEqual(parseNumber(text), { ok: false, code: 'not_a_number' });
  });
}

for (const text of ['1e400', '999^999', '9'.repeat(64), '-1e61', '1e-70']) {
  test(`"${text.slice(0, 12)}" is out of range`, () => {
    assert.deepEqual(parseNumber(text), { ok: false, code: 'out_of_range' });
  });
}

test('nothing is empty, and so are blanks', () => {
  assert.deepEqual(parseNumber('  　'), { ok: false, code: 'empty' });
});

test('a decimal keeps every digit', () => {
  assert.equal(parseNumber('0.100000000000000000001').decimal, '0.100000000000000000001');
  assert.equal(parseNumber('1.1万').decimal, '11000');
  assert.equal(parseNumber('12.50').decimal, '12.5');
});

// --- Documents -----------------------------------------------------------------------------------

test('a value is set and taken away, empty objects with it, without touching the original', () => {
  const before = { model: 'x', training: { kind: 'full' } };
  const after = documents.withValue(before, '/cluster/count', 8);
  assert.deepEqual(after, { model: 'x', training: { kind: 'full' }, cluster: { count: 8 } });
  assert.deepEqual(documents.withValue(after, '/cluster/count', undefined), before);
  assert.deepEqual(before, { model: 'x', training: { kind: 'full' } });
});

test('a number in the way of a path gives way to an object', () => {
  assert.deepEqual(documents.withValue({ tokens: 5 }, '/tokens/epochs', 3), {
    tokens: { epochs: 3 },
  });
});

test('inherited names are no values', () => {
  assert.equal(documents.valueAt({}, '/constructor'), undefined);
});

// --- Links ---------------------------------------------------------------------------------------

const { readFragment, writeFragment } = fragments;
const scenarios = {
  'every short name': {
    model: 'qwen3-32b',
    training: {
      kind: 'pretrain',
      tokens: 5e10,
      sequence_length: 4096,
      micro_batch: 2,
      global_batch: 1024,
      precision: 'fp8',
      optimizer: 'adamw-8bit',
      stack: 'megatron',
      recompute: 'selective',
      flash_attention: false,
      compile: true,
      fused_loss: true,
      lora: { rank: 8, targets: ['q_proj', 'v_proj'], quantization: 'nf4' },
    },
    cluster: { gpu: 'h100-sxm-80gb', count: 64, per_node: 8, internode_gb_s_per_gpu: 50 },
    layout: { tp: 8, pp: 2, cp: 1, ep: 1, dp: 4, zero: 1, sequence_parallel: true },
    price: { offer: 'article-flagship', currency: 'USD', billing: 'annual' },
  },
  'amounts that look like numbers': { price: { per_gpu_hour: '12.00', per_month: '0.10' } },
  'a data set': { training: { tokens: { dataset_tokens: 1e8, epochs: 2.5 } } },
  'one target': { training: { lora: { targets: ['mlp'] } } },
  'a layout left to the search': { layout: 'auto' },
  'a size': { model: { params: 7e9 } },
  'a config.json': {
    model: {
      hf_config: {
        model_type: 'llama',
        num_hidden_layers: 32,
        rope_scaling: { type: 'yarn', factor: 4 },
        layer_types: ['full_attention', 'sliding_attention'],
        tie_word_embeddings: false,
        rms_norm_eps: 1e-5,
        'odd.key': 'a=b&c,d%~',
        text: '12',
        truth: 'true',
        tilde: '~1',
        none: null,
        empty: {},
        nothing: [],
      },
    },
  },
  'fields of tomorrow': {
    model: 'x',
    training: { phases: [{ tokens: 1e9, lr: { peak: 1e-4 } }, { tokens: 2e9 }] },
    nebula: { depth: 3, names: ['甲', '乙'] },
  },
};
for (const [name, scenario] of Object.entries(scenarios)) {
  test(`a link brings back ${name}`, () => {
    const text = writeFragment(scenario);
    assert.match(text, /^v=1&/);
    assert.doesNotMatch(text, /[^\x21-\x7e]/); // survives every chat and mail program
    assert.deepEqual(readFragment(`#${text}`).scenario, scenario);
    assert.equal(writeFragment(readFragment(text).scenario), text);
  });
}

test('the default scenario needs no link', () => {
  assert.equal(writeFragment({}), '');
});

test('a link is readable', () => {
  assert.equal(
    writeFragment({
      model: 'qwen3-32b',
      training: { kind: 'pretrain', tokens: 5e10 },
      cluster: { count: 64 },
    }),
    'v=1&model=qwen3-32b&kind=pretrain&tokens=5e10&gpus=64',
  );
});

test('what isn’t a link of ours is left alone', () => {
  for (const text of ['', '#', '#section-2', '#model=x', `#v=1&${'x'.repeat(100_001)}`]) {
    assert.equal(readFragment(text), undefined);
  }
});

test('a broken pair is dropped, the rest of the link stands', () => {
  const { scenario, lost } = readFragment('#v=1&model=%E4%B&gpus=8&=3&__proto__.x=1');
  assert.deepEqual(scenario, { cluster: { count: 8 } });
  assert.deepEqual(lost, ['model=%E4%B', '=3', '__proto__.x=1']);
  assert.equal({}.x, undefined);
});

test('a link nested without end is not read', () => {
  const deep = `${'a.'.repeat(5000)}b=1`;
  const wide = `a${':0'.repeat(5000)}=1`;
  const link = readFragment(`#v=1&gpus=8&${deep}&${wide}`);
  assert.deepEqual(link.scenario, { cluster: { count: 8 } });
  assert.deepEqual(link.lost, [deep, wide]);
});

test('a link of a later version is read as far as it goes, and says so', () => {
  const link = readFragment('#v=2&model=x&warp.drive=9');
  assert.equal(link.newer, true);
  assert.deepEqual(link.scenario, { model: 'x', warp: { drive: 9 } });
});

test('language, colours and view travel apart from the scenario', () => {
  const text = writeFragment({ model: 'x' }, { lang: 'en', scheme: 'dark' });
  const link = readFragment(text);
  assert.deepEqual(link.page, { lang: 'en', scheme: 'dark' });
  assert.deepEqual(link.scenario, { model: 'x' });
});

// --- Sizes of data, kept scenarios, modes ----------------------------------------------------------

const counted = (jsonl, ...pieces) => {
  const counter = new sizes.TextCounter(jsonl);
  for (const piece of pieces) counter.add(piece);
  return counter.finish();
};

test('a text is counted in characters, however it comes in pieces', () => {
  const text = '训练 a token。\n\n😀𠀀 end';
  const whole = counted(false, text);
  assert.deepEqual(whole, { rows: 2, characters: 18, chinese: 4 });
  assert.deepEqual(counted(false, ...text.split(/(?=[ \n])/)), whole);
});

test('of JSONL the strings are counted, not names and marks; a broken row is text', () => {
  assert.deepEqual(counted(true, '{"a":"xy","b":[{"c":"训"}],"n":12}\n{"a"'), {
    rows: 2,
    characters: 3 + 4,
    chinese: 1,
  });
});

test('characters become tokens as a range', () => {
  const rate = { id: 'en', characters_per_token: { low: 4, value: 4.5, high: 5 } };
  assert.deepEqual(sizes.tokensOf(9000, rate), { low: 1800, value: 2000, high: 2250 });
});

test('a kept scenario is there once, newest first, and goes when it is told to', () => {
  const store = new Map();
  globalThis.localStorage = {
    getItem: (key) => store.get(key) ?? null,
    setItem: (key, value) => store.set(key, value),
    removeItem: (key) => store.delete(key),
  };
  for (const [name, link] of ['a1', 'b2', 'a3']) assert.ok(keeping.keep({ name, link }));
  assert.deepEqual(keeping.readKept(), [
    { name: 'a', link: '3' },
    { name: 'b', link: '2' },
  ]);
  keeping.forget('b');
  assert.equal(keeping.readKept().length, 1);
  keeping.forget();
  assert.equal(store.size, 0);
  store.set('train-tally.kept', '[{"name":1},'); // somebody else's, or broken
  assert.deepEqual(keeping.readKept(), []);
  Object.defineProperty(globalThis, 'localStorage', {
    configurable: true,
    get() {
      throw new Error('SecurityError');
    },
  });
  assert.equal(keeping.readKept(), undefined);
  assert.equal(keeping.keep({ name: 'a', link: '1' }), false);
  delete globalThis.localStorage;
});

test('the simple mode knows which fields it doesn’t show', () => {
  assert.equal(
    simple.expertSettings({
      model: { params: 7e9 },
      training: { kind: 'full', tokens: 1e9, precision: 'fp8', tokens_like: 1 },
      cluster: { gpu: 'a', count: 2, count_not: 3 },
      price: { offer: 'x', billing: 'annual' },
      layout: { tp: 2, pp: 2 },
    }),
    6,
  );
});

// --- Formats -------------------------------------------------------------------------------------

const zh = new formats.Format('zh-CN');
const en = new formats.Format('en');

test('durations take the unit that suits them', () => {
  assert.equal(zh.durationText(39_600), '11 小时');
  assert.equal(en.durationText(39_600), '11 hours');
  assert.equal(en.durationText(1.5), '1.5 seconds');
  assert.equal(zh.durationText(1.5), '1.5 秒');
  assert.equal(en.durationText(86_400 * 30), '30 days');
  assert.equal(zh.durationText(90 * 60), '90 分钟');
  // As fine as the figure deserves, and the same wherever it stands.
  assert.equal(zh.durationText(89.9 * 60), '90 分钟');
  assert.equal(en.durationText(4140), '69 minutes');
  assert.equal(en.durationText(3600 * 11.34), '11.3 hours');
});

test('an interval is said in the unit of its middle', () => {
  assert.deepEqual(en.duration(5400, 40_000), { value: '1.5', unit: 'hours' });
});

test('a day is a day, a month stays a month, an age is in months', () => {
  assert.equal(zh.date('2026-05-24'), '2026年5月24日');
  assert.equal(zh.date('2026-03'), '2026年3月');
  assert.equal(en.date('2026-03'), 'March 2026');
  assert.equal(en.age(275), '9 months');
  assert.equal(zh.age(275), '9 个月');
});

test('money is exact where it is small and short where it is large', () => {
  assert.equal(zh.moneyText({ value: '1210.55', currency: 'CNY' }), '1,211 元');
  assert.equal(en.moneyText({ value: '1210.55', currency: 'CNY' }), 'CNY\u00a01,211');
  assert.equal(zh.moneyText({ value: '0.000213', currency: 'CNY' }), '0.000213 元');
  assert.equal(zh.moneyText({ value: '123456789.12', currency: 'CNY' }), '1.235 亿元');
  assert.equal(zh.moneyText({ value: '21.3', currency: 'USD' }), '21.30 美元');
  assert.equal(en.price('1.86', 'CNY'), 'CNY\u00a01.86');
});

test('a range of money names its currency once', () => {
  const money = { value: '2', low: '1.5', high: '2.5', currency: 'CNY' };
  assert.equal(zh.moneyRange(money), '1.50–2.50 元');
  assert.equal(en.moneyRange(money), 'CNY\u00a01.50–2.50');
  assert.equal(zh.moneyRange({ value: '2', currency: 'CNY' }), undefined);
});

test('a field shows a round number short and any other in full', () => {
  assert.equal(zh.exact(1e9), '10 亿');
  assert.equal(en.exact(1e9), '1B');
  assert.equal(zh.exact(123_456_789), '123,456,789');
  assert.equal(zh.exact(4096), '4,096');
});

test('what a field shows is read back as the same number', () => {
  for (const format of [zh, en]) {
    for (const value of [1, 0.5, 2048, 15_000, 1e7, 5e10, 2e12, 123_456_789, 1.5e13]) {
      const parsed = parseNumber(format.exact(value));
      assert.equal(parsed.value, value, `${format.language} ${format.exact(value)}`);
    }
  }
});

test('GiB are 2^30 bytes, disks are counted in powers of ten', () => {
  assert.equal(zh.gib(24 * 2 ** 30), '24.0');
  assert.equal(zh.bytes(16e9), '16 GB');
});

// --- Words ---------------------------------------------------------------------------------------

function* leaves(node, path = '') {
  if (typeof node === 'string') yield [path, node];
  else for (const [key, value] of Object.entries(node)) yield* leaves(value, `${path}.${key}`);
}
const placeholders = (text) =>
  new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name));

test('both languages have the same keys, and none is empty', () => {
  const inEnglish = [...leaves(english.en)];
  const inChinese = new Map(leaves(chinese.zhCN));
  assert.deepEqual(inEnglish.map(([key]) => key).sort(), [...inChinese.keys()].sort());
  for (const [key, text] of [...inEnglish, ...inChinese]) assert.notEqual(text.trim(), '', key);
});

test('no key is left that nothing says', async () => {
  const sources = await readdir(`${root}web/src`, { recursive: true });
  const texts = await Promise.all(
    sources
      .filter((name) => name.endsWith('.ts') && !/^words.(?:en|zh)/.test(name))
      .map((name) => readFile(`${root}web/src/${name}`, 'utf8')),
  );
  const all = texts.join('\n');
  for (const [path] of leaves(english.en)) {
    const key = path.slice(1).replace(/_(?:one|other)$/, '');
    const group = key.split('.').slice(0, -1).join('.');
    // Names by themselves: see nameOf.
    const named = ['rules', 'changes', 'inexpressible'].includes(group);
    const said = named || all.includes(`'${key}'`) || all.includes(`\`${group}.\${`);
    assert.ok(said, key);
  }
});

test('the Chinese uses no figure that the English doesn’t give, and stresses in pairs', () => {
  const inChinese = new Map(leaves(chinese.zhCN));
  for (const [key, text] of leaves(english.en)) {
    const known = placeholders(text);
    // Chinese counts in tenths: 6.5 zhe.
    if (key === '.billing.pays') known.add('tenths');
    for (const name of placeholders(inChinese.get(key)))
      assert.ok(known.has(name), `${key} ${name}`);
  }
  for (const [key, text] of [...leaves(english.en), ...inChinese]) {
    assert.equal(text.split('<b>').length, text.split('</b>').length, key);
  }
});

test('the Chinese has Chinese marks and no leftover English sentence', () => {
  for (const [key, text] of leaves(chinese.zhCN)) {
    assert.doesNotMatch(text, /[\u4e00-\u9fff][,;:!?]/, key);
    assert.doesNotMatch(text, /[a-z]+ [a-z]+ [a-z]+ [a-z]+/, key);
  }
});

test('a figure closes up with the Chinese word after it', () => {
  const { t, format } = locales.locale('zh-CN');
  assert.equal(t('inputs.parameters', { n: format.compact(8.03e9) }), '80.3 亿参数');
});

test('the first of the wanted languages is taken, any Chinese is Chinese', () => {
  assert.equal(locales.chooseLanguage(['fr', 'zh-TW', 'en']), 'zh-CN');
  assert.equal(locales.chooseLanguage(['en-GB', 'zh']), 'en');
  assert.equal(locales.chooseLanguage(['de']), 'en');
});

/** Every code that the core's sources can answer with at these places. */
async function codesIn(files, pattern) {
  const found = new Set();
  for (const file of files) {
    const text = await readFile(`${root}${file}`, 'utf8');
    for (const [, code] of text.matchAll(pattern)) found.add(code);
  }
  return [...found];
}

test('every warning that the core can give has its sentence', async () => {
  const given = await codesIn(['core/src/advise.cpp'], /warn\(\s*"(\w+)"/g);
  const chosen = await codesIn(['core/src/advise.cpp'], /[?:] "(\w+_bound)"/g);
  assert.ok(given.length > 20 && chosen.length > 1);
  for (const code of [...given, ...chosen]) {
    const known = Object.keys(english.en.warnings).some(
      (key) => key === code || key.startsWith(`${code}_`),
    );
    assert.ok(known, code);
  }
});

/** All of the core's sources in one. */
async function coreText() {
  const names = await readdir(`${root}core/src`, { recursive: true });
  const sources = names.filter((name) => /\.[ch]pp$/.test(name));
  return (
    await Promise.all(sources.map((name) => readFile(`${root}core/src/${name}`, 'utf8')))
  ).join('\n');
}

const schemaOf = async (name) =>
  JSON.parse(await readFile(`${root}core/schema/${name}.schema.json`, 'utf8'));

/** Words for each in both languages; a language without one doesn't pass for the other's. */
function haveWords(group, given, least) {
  assert.ok(given.length >= least, `${group}: only ${given.length}`);
  const at = (node) => group.split('.').reduce((inner, key) => inner[key], node);
  for (const language of [english.en, chinese.zhCN]) {
    for (const code of given) assert.equal(typeof at(language)[code], 'string', `${group}.${code}`);
  }
}

const matched = (text, ...patterns) => [
  ...new Set(
    patterns.flatMap((pattern) =>
      [...text.matchAll(pattern)].flatMap(([, ...codes]) => codes.filter(Boolean)),
    ),
  ),
];

test('every problem, absence and warning of the core has its words', async () => {
  const text = await coreText();
  const problems = matched(
    text,
    /\bproblem\(\s*(?:"[^"]*"|\w+),\s*"([a-z_]+)"/g,
    /\badd_problem\([\w.()]+,\s*(?:\w+|[^,;]*\([^()]*\)),\s*"([a-z_]+)"/g,
    /\bproblems?_?\.push_back\(\s*\{[^{};]*?,\s*"([a-z_]+)"/g,
    /\b(?:fail|fail_at|report)\((?:\{\},\s*|[\w.]+,\s*)?"([a-z_]+)"/g,
  );
  // What the core tells is wrong with its own catalogue reaches nobody but its authors.
  const ours = new Set(['unchecked_statement', 'unknown_constant']);
  haveWords(
    'problems',
    problems.filter((code) => !ours.has(code)),
    35,
  );
  haveWords(
    'absent',
    matched(
      text,
      /absent_?\.push_back\(\s*\{[^{};]*?"[^"]*",\s*"(\w+)"/g,
      /\babsent\(\s*"[^"]*",\s*(?:[^";]*\?\s*)?"(\w+)"(?:\s*:\s*"(\w+)")?/g,
    ),
    15,
  );
  haveWords(
    'warnings',
    matched(text, /warnings_?\.push_back\(\s*\{(?:[^"{};]*\?\s*)?"(\w+)"(?:\s*:\s*"(\w+)")?/g),
    5,
  );
});

test('every sentence about a statement has its words', async () => {
  const header = await readFile(`${root}core/src/statement_check.hpp`, 'utf8');
  const verdicts = matched(
    await coreText(),
    /conclude\([^;]*Verdict::(slip|conflict|infeasible|implausible)\)/g,
  );
  assert.equal(verdicts.length, 4);
  const rules = matched(header, /^void (\w+)\(StatementCheck& check\);$/gm);
  assert.ok(rules.length > 40);
  for (const rule of rules) {
    const sentences = Object.keys(english.en.statements).filter((key) =>
      key.startsWith(`${rule}_`),
    );
    assert.ok(sentences.length > 0, rule);
  }
  const { properties } = await schemaOf('quote-answer');
  const said = properties.statements.items.properties.sentence_code.description;
  haveWords('statements', ['holds', ...matched(said, /(quote_\w+)/g)], 20);
  const figures = { params_b: 7, unreduced_gb: 84, have_gb: 96 };
  assert.notEqual(
    codes.sentenceText('fits_holds', figures, locales.locale('en')),
    codes.sentenceText('vram_rule_holds', figures, locales.locale('en')),
  );
});

test('a range with equal ends is one figure', () => {
  const said = (language, high) =>
    codes.sentenceText(
      'days_physics_implausible',
      { stated_low: 462_000, stated_high: high, mfu_percent: 40, computed: 1.9e9 },
      locales.locale(language),
    );
  assert.match(said('en', 462_000), /make 462,000 tokens/);
  assert.match(said('en', 4_620_000), /make 462,000 to 4,620,000 tokens/);
  assert.match(said('zh-CN', 462_000), /只训了 462,000 个/);
});

test('every choice that an answer’s schema lists has its words', async () => {
  const plan = await schemaOf('plan-answer');
  const fit = await schemaOf('fit-answer');
  const recipe = await schemaOf('recipe-answer');
  const request = await schemaOf('quote-request');
  const answer = await schemaOf('quote-answer');
  haveWords('rules', plan.$defs.rules.items.enum, 9);
  haveWords('changes', fit.properties.changes.items.properties.codes.items.enum, 18);
  haveWords('inexpressible', recipe.properties.inexpressible.items.properties.code.enum, 14);
  haveWords(
    'ruledOut',
    matched(await coreText(), /rule_out\(offer, (?:unknown \? )?"(\w+)"/g, /out\.code = "(\w+)"/g),
    11,
  );
  const { fee, quote } = request.$defs;
  haveWords('quote.fee.categories', fee.properties.category.enum, 6);
  haveWords('quote.fee.kinds', fee.properties.kind.enum, 6);
  const figures = Object.keys(quote.properties).filter((name) => quote.properties[name].anyOf);
  haveWords('quote.fields', figures, 26);
  haveWords('quote.verdicts', answer.properties.statements.items.properties.verdict.enum, 5);
  const { ownership } = JSON.parse(await readFile(`${root}core/catalog/ownership.json`, 'utf8'));
  haveWords('own.input', ['server_price', ...Object.keys(ownership.inputs)], 17);
  const { article } = JSON.parse(await readFile(`${root}core/catalog/article.json`, 'utf8'));
  haveWords(
    'quote.fee.bands',
    article.fees.shares.map(({ code }) => code),
    3,
  );
});

test('every derivation that the core can give has its heading', async () => {
  const given = await codesIn(
    ['cost', 'memory', 'parameters', 'time'].map((part) => `core/src/explain_${part}.cpp`),
    /"(\/(?:parameters|memory|time|cost|storage|energy)\/\w+)"/g,
  );
  assert.ok(given.length > 15);
  for (const pointer of given) {
    assert.ok(Object.hasOwn(english.en.derived, pointer.slice(1).replaceAll('/', '_')), pointer);
  }
});

test('figures come into a sentence with their units', () => {
  const warning = { code: 'tight', figures: { margin_bytes: 2 ** 30, usable_bytes: 24 * 2 ** 30 } };
  assert.match(codes.warningText(warning, locales.locale('en')), /1\.0 GiB of 24\.0 GiB/);
  const statement = {
    code: 'unit-cost-8-h100',
    verdict: 'slip',
    sentence_code: 'unit_cost_ten_times',
    figures: { stated: 27.43, computed: 2.742857 },
  };
  assert.match(codes.statementText(statement, locales.locale('zh-CN')), /27\.43 元.*2\.743 元/);
});

test('advice is none that is so already: less tensor parallelism only where there is some', () => {
  const warning = { code: 'communication_bound', figures: { waiting_share: 0.3 } };
  const english = locales.locale('en');
  assert.doesNotMatch(codes.warningText(warning, english), /tensor/);
  assert.match(codes.warningText(warning, english, 8), /tensor parallelism/);
});

test('a name that isn’t known is repeated, with what is like it and nothing else', () => {
  const problem = { at: '/cluster/gpu', code: 'unknown_gpu', accepts: 't4, a10, a100-sxm-80gb' };
  const said = (given) => codes.problemText(problem, locales.locale('zh-CN'), given);
  assert.match(said('A100-SXM4-80GB'), /“A100-SXM4-80GB”.*相近的有：a100-sxm-80gb$/);
  assert.doesNotMatch(said('bar'), /t4|a10/);
});

test('of a series the newest is found first', async () => {
  const { models } = JSON.parse(await readFile(`${root}core/catalog/models.json`, 'utf8'));
  const found = (query) => new catalogs.Catalog({ models }).findModels(query).map(({ id }) => id);
  assert.deepEqual(found('通义千问 32B').slice(0, 3), ['qwen3-32b', 'qwen2.5-32b', 'qwen1.5-32b']);
  assert.deepEqual(found('llama 70b').slice(0, 4), [
    'llama-3.3-70b',
    'llama-3.1-70b',
    'llama-3-70b',
    'llama-2-70b',
  ]);
  // What is named exactly still comes before what is newer.
  assert.equal(found('llama 3 8b')[0], 'llama-3-8b');
});

test('a config.json of a catalogue model is known by its shape', async () => {
  const { models } = JSON.parse(await readFile(`${root}core/catalog/models.json`, 'utf8'));
  const config = {
    num_hidden_layers: 40,
    hidden_size: 5120,
    num_attention_heads: 40,
    num_key_value_heads: 8,
    vocab_size: 151_936,
  };
  const like = (change) => new catalogs.Catalog({ models }).shapedAs({ ...config, ...change })?.id;
  assert.equal(like({}), 'qwen3-14b');
  assert.equal(like({ num_hidden_layers: 41 }), undefined);
});

test('a code that the page doesn’t know is shown, not swallowed', () => {
  const text = codes.warningText({ code: 'brand_new', figures: { x_gb: 3 } }, locales.locale('en'));
  assert.equal(text, 'brand_new · x_gb 3 GB');
});

test('every preset is its own scenario', () => {
  for (const a of presets.presets) {
    for (const b of presets.presets) {
      assert.equal(presets.sameScenario(a.scenario, b.scenario), a === b, `${a.name} ${b.name}`);
    }
  }
});

// As tests/core/catalog_test.cpp has it of the core.
test('names are found as their makers write them', async () => {
  const read = async (name) =>
    JSON.parse(await readFile(join(root, `core/catalog/${name}.json`), 'utf8'));
  const catalog = new catalogs.Catalog({
    ...(await read('models')),
    ...(await read('gpus')),
    ...(await read('stacks')),
  });
  const expected = {
    model: {
      'Qwen/Qwen2.5-32B-Instruct': 'qwen2.5-32b',
      'unsloth/Meta-Llama-3.1-8B-Instruct': 'llama-3.1-8b',
      'meta-llama/Llama-2-13b-chat-hf': 'llama-2-13b',
      'mistralai/Mistral-Nemo-Instruct-2407': 'mistral-nemo-12b',
      'google/gemma-2-9b-it': 'gemma-2-9b',
      Instruct: undefined,
      'Qwen/': undefined,
    },
    gpu: {
      'NVIDIA A100-SXM4-80GB': 'a100-sxm-80gb',
      'NVIDIA GeForce RTX 4090': 'rtx-4090',
      'NVIDIA H100 80GB HBM3': 'h100-sxm-80gb',
      'a100-80g': 'a100-sxm-80gb',
      '910b': 'ascend-910b2',
      'AMD A100': undefined,
      NVIDIA: undefined,
      '-': undefined,
    },
    stack: { 'Megatron-LM': 'megatron', huggingface: 'hf', fsdp2: 'fsdp', swift: 'ms-swift' },
  };
  for (const [kind, names] of Object.entries(expected)) {
    for (const [name, id] of Object.entries(names)) {
      assert.equal(catalog[kind](name)?.id, id, name);
    }
  }
});

await finish();
