// WebAssembly and native answer with the same text, bit for bit in every figure.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalog, catalogText, native, openSession } from './module.mjs';
import { scenarioTexts } from './scenarios.mjs';

const session = await openSession();

function compare(command, documents) {
  const answers = native(command, documents);
  assert.equal(answers.length, documents.length, 'one answer a line');
  documents.forEach((document, index) => {
    assert.equal(session.evaluate(command, document), answers[index], document);
  });
  return answers.map((answer) => JSON.parse(answer));
}

test('1,000 random scenarios', () => {
  const reports = compare('estimate', scenarioTexts(catalog, 1000, 1));
  // The comparison means little unless both kinds of answer are well represented.
  const answered = reports.filter((report) => report.time !== undefined).length;
  const refused = reports.filter((report) => report.problems.length > 0).length;
  assert.ok(answered > 300, `${answered} answered with a time`);
  assert.ok(refused > 150, `${refused} refused`);
});

test('every model of the catalogue', () => {
  compare(
    'estimate',
    catalog.models.map(({ id }) => JSON.stringify({ model: id, explain: true })),
  );
});

test('every GPU and every offer of the catalogue', () => {
  compare('estimate', [
    ...catalog.gpus.map(({ id }) =>
      JSON.stringify({ model: 'llama-3.1-8b', cluster: { gpu: id } }),
    ),
    ...catalog.offers.map(({ id, gpu, count }) =>
      JSON.stringify({ model: 'llama-3.1-8b', cluster: { gpu, count }, price: { offer: id } }),
    ),
  ]);
});

test("a provider's list", () => {
  const { gpus, models, offers } = JSON.parse(catalogText);
  compare('catalog', [
    JSON.stringify({ gpus, models, offers }),
    JSON.stringify({ offers: [{ id: 'mine', gpu: 'no-such-gpu' }] }),
    '{}',
    '[]',
  ]);
});
