// What a caller of the module can count on.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { catalog, openSession, root, unsound } from './module.mjs';
import { Scenarios } from './scenarios.mjs';

const session = await openSession();
const evaluate = (document) => JSON.parse(session.evaluate('estimate', JSON.stringify(document)));

test('the catalogue is sound', () => {
  assert.deepEqual(JSON.parse(session.catalog_problems()), []);
});

test('a scenario becomes a report', () => {
  const report = evaluate({ model: 'llama-3.1-8b' });
  assert.equal(report.version, 1);
  assert.deepEqual(report.problems, []);
  assert.equal(report.parameters.total, 8030261248); // the model card's own count
  assert.equal(report.resolved.cluster.gpu, 'rtx-4090');
  assert.ok(report.memory.device_peak.value > 0);
  assert.ok(report.time.step.low <= report.time.step.value);
  assert.ok(report.time.step.value <= report.time.step.high);
  assert.match(report.cost.total.value, /^\d+(\.\d+)?$/);
});

test('an unknown command is a problem', () => {
  const answer = JSON.parse(session.evaluate('divine', '{}'));
  assert.equal(answer.version, 1);
  assert.deepEqual(
    answer.problems.map(({ at, code }) => [at, code]),
    [['', 'unknown_command']],
  );
});

test('a catalogue that is none gives problems, and the session still answers', async () => {
  for (const text of ['', 'no JSON', '[]', '{"gpus":7,"models":[{"id":1}]}']) {
    const broken = await openSession(text);
    assert.ok(JSON.parse(broken.catalog_problems()).length > 0, text);
    const answer = JSON.parse(broken.evaluate('estimate', '{"model":"llama-3.1-8b"}'));
    assert.ok(answer.problems.length > 0, text);
  }
});

test("a scenario's own entries are used, and forgotten afterwards", () => {
  const base = { model: 'mine', cluster: { gpu: 'rtx-4090' } };
  const shape = { layers: 2, hidden: 512, heads: 8, ffn_hidden: 2048, vocab: 32000 };
  const own = { ...base, catalog: { models: [{ id: 'mine', name: 'Mine', ...shape }] } };
  assert.deepEqual(evaluate(own).problems, []);
  assert.ok(evaluate(base).problems.length > 0);
});

test('the resolved scenario is a scenario with the same answer', () => {
  const scenarios = new Scenarios(catalog, 7);
  let compared = 0;
  for (let i = 0; i < 300; ++i) {
    const report = evaluate(scenarios.sensible());
    if (report.problems.length > 0) continue;
    const again = evaluate(report.resolved);
    // A warning may speak of what was given and is no more, a billing mode that nobody offers say.
    delete again.warnings;
    delete report.warnings;
    assert.deepEqual(again, report);
    compared += 1;
  }
  assert.ok(compared > 100, `${compared} compared`);
});

test('no answer holds null or a number that is none', () => {
  const scenarios = new Scenarios(catalog, 11);
  for (let i = 0; i < 1000; ++i) {
    const document = scenarios.text();
    assert.equal(unsound(JSON.parse(session.evaluate('estimate', document))), undefined, document);
  }
});

test('the module names no path of the machine that built it', () => {
  for (const name of ['traintally.wasm', 'traintally.mjs']) {
    const bytes = readFileSync(`${root}build/wasm/${name}`, 'latin1');
    assert.ok(!bytes.includes(root.replace(/\/$/, '')), name);
  }
});

test('nothing leaks: memory stays as it is after the first rounds', async (t) => {
  // The module keeps its memory to itself; the instance that it makes shows it.
  const instantiate = t.mock.method(WebAssembly, 'instantiate');
  const first = await openSession();
  const { instance } = await instantiate.mock.calls[0].result;
  const memory = Object.values(instance.exports).find((part) => part instanceof WebAssembly.Memory);

  const { constructor: Session } = first;
  const text = JSON.stringify(catalog);
  const scenarios = new Scenarios(catalog, 13);
  const round = () => {
    const other = new Session(text);
    for (let i = 0; i < 20; ++i) other.evaluate('estimate', scenarios.text());
    other.delete();
  };
  for (let i = 0; i < 3; ++i) round();
  const settled = memory.buffer.byteLength;
  for (let i = 0; i < 10; ++i) round();
  assert.equal(memory.buffer.byteLength, settled);
});
