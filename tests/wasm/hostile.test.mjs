// Whatever is handed over is answered, with problems, and the module goes on living.
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { catalog, openSession, unsound } from './module.mjs';

const session = await openSession();
const good = JSON.stringify({ model: 'llama-3.1-8b', cluster: { gpu: 'rtx-4090', count: 1 } });
const expected = session.evaluate('estimate', good);

afterEach(() =>
  assert.equal(session.evaluate('estimate', good), expected, 'still the same answer'),
);

function refused(text, command = 'estimate') {
  const answer = JSON.parse(session.evaluate(command, text));
  const start = text.slice(0, 200);
  assert.equal(answer.version, 1, start);
  assert.ok(answer.problems.length > 0, `accepted: ${start}`);
  assert.equal(unsound(answer), undefined, start);
  for (const { at, code } of answer.problems) {
    assert.equal(typeof at, 'string', start);
    assert.match(code, /^[a-z][a-z0-9_]*$/, start);
  }
  return answer;
}

/** The good scenario with the value at a path replaced. */
function withValue(path, value) {
  const document = {
    version: 1,
    model: 'llama-3.1-8b',
    training: { kind: 'full', lora: {}, sequence_length: 4096, tokens: 1e9 },
    cluster: { gpu: 'h100-sxm-80gb', count: 8 },
    layout: { tp: 1 },
    price: { per_gpu_hour: '12.00', currency: 'CNY' },
    reliability: {},
    storage: {},
    energy: {},
    catalog: {},
  };
  const keys = path.split('/');
  const last = keys.pop();
  let node = document;
  for (const key of keys) node = node[key];
  node[last] = value;
  return JSON.stringify(document);
}

for (const text of ['', ' ', '{', '}', 'null', '[]', '"x"', '1', 'nul', '{"model":', '{"a":1}}']) {
  test(`no scenario: ${JSON.stringify(text)}`, () => refused(text));
}

test('not UTF-8, and characters that JSON must escape', () => {
  refused('{"model":"\u0000"}');
  refused('{"model":"\ud800"}');
  refused('{"model":"\n"}');
  refused('\ufeff{"model":"\\ud800"}');
});

test('a document of 10 MB', () => {
  refused(JSON.stringify({ model: 'x'.repeat(10_000_000) }));
  refused(`{"model":"llama-3.1-8b"${' '.repeat(10_000_000)}`);
  refused(JSON.stringify({ model: 'llama-3.1-8b', x: Array(2_000_000).fill(1) }));
  refused(JSON.stringify({ model: 'llama-3.1-8b', x: Array(2_000_000).fill(1) }), 'catalog');
});

test('a document nested 100,000 deep', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ]) {
    const deep = open.repeat(100_000) + '1' + close.repeat(100_000);
    refused(open.repeat(100_000));
    refused(deep);
    refused(`{"model":${deep}}`);
    refused(`{"model":{"hf_config":${deep}}}`);
    refused(`{"gpus":${deep}}`, 'catalog');
  }
});

test('the same field twice', () => {
  refused('{"model":"llama-3.1-8b","model":"llama-3.1-8b"}');
});

test('numbers that no double holds', () => {
  for (const number of ['1e999', '-1e999', '1' + '0'.repeat(400)]) {
    refused(`{"model":"llama-3.1-8b","training":{"tokens":${number}}}`);
  }
});

const everywhere = {
  version: [0, 2, -1, 1.5, 'x'],
  method: [1, 'neither', {}],
  model: [7, true, [], {}, '', 'no-such-model', { params: 0 }, { params: -7e9 }, { params: 1e300 }],
  'training/kind': [1, 'half', []],
  'training/lora/rank': [0, -1, 1.5, 1e300, '16'],
  'training/lora/targets': ['all-linear', [1], ['nothing']],
  'training/precision': [16, 'fp17'],
  'training/optimizer': [{}, 'prayer'],
  'training/stack': [[], 'house-of-cards'],
  'training/sequence_length': [0, -4096, 0.5, 1e300, 1e9, '4096', true],
  'training/micro_batch': [0, -1, 1e300, 1e12],
  'training/global_batch': [0, -1, 1e300, 1e12],
  'training/tokens': [0, -1, 1e300, '1e9', {}, { dataset_tokens: -1 }, { epochs: 1 }],
  'cluster/gpu': [1, 'no-such-gpu', {}, { base: 'h100-sxm-80gb', memory_gb: 0 }, { base: 1 }],
  'cluster/count': [0, -8, 1e9, 1e300, 2.5, '8'],
  'cluster/per_node': [0, -1, 1e300],
  'cluster/internode_gb_s_per_gpu': [0, -50, 1e300, 'fast'],
  'layout/tp': [0, -1, 3, 16, 1e300],
  'layout/pp': [0, 7, 1000],
  'layout/dp': [0, 7, 1e300],
  'layout/zero': [-1, 4, 1.5],
  'price/per_gpu_hour': [12, -1, '', '-1', '1e3', '1,5', 'NaN', '9'.repeat(40)],
  'price/currency': ['XXX', 1],
  'price/offer': [1, 'no-such-offer'],
  'reliability/failures_per_gpu_day': [-1, 1e300, 'often'],
  'storage/checkpoints_kept': [-1, 0.5, 1e300],
  'energy/pue': [0, 0.5, 1e300],
  'energy/load': [0, -1, 2],
  'catalog/gpus': [1, {}, [1], [{}], [{ id: 'x' }]],
  'catalog/models': [[{ id: 'x', layers: -1 }]],
  'catalog/offers': [[{ id: 'x', gpu: 'no-such-gpu' }]],
  'training/no_such_field': [1],
  no_such_field: [1],
};
for (const [path, values] of Object.entries(everywhere)) {
  test(`wrong at /${path}`, () => {
    for (const value of [null, ...values]) {
      const { problems } = refused(withValue(path, value));
      const field = path.split('/')[0];
      assert.ok(
        problems.some(({ at }) => at === `/${field}` || at.startsWith(`/${field}/`)),
        `${JSON.stringify(value)}: said at ${problems.map(({ at }) => at)}`,
      );
    }
  });
}

test('the largest that is allowed still gives finite answers', () => {
  for (const cluster of [{ count: 1_000_000 }, { count: 999_983 }, { count: 1 }]) {
    for (const params of [1e6, 1e14]) {
      const document = {
        model: { params },
        training: { kind: 'pretrain', tokens: 1e18, sequence_length: 1e8, global_batch: 1e9 },
        cluster: { gpu: 'h100-sxm-80gb', ...cluster },
        price: { per_gpu_hour: '999999999999999', currency: 'CNY' },
        explain: true,
      };
      assert.equal(
        unsound(JSON.parse(session.evaluate('estimate', JSON.stringify(document)))),
        undefined,
      );
    }
  }
});

test('arguments of the wrong type throw, as Embind has it, and harm nothing', () => {
  for (const wrong of [undefined, null, 7, {}]) {
    assert.throws(() => session.evaluate('estimate', wrong));
    assert.throws(() => session.evaluate(wrong, good));
  }
  assert.ok(catalog.models.length > 0);
});
