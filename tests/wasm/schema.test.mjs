// What crosses the boundary is what core/schema says, and the core and the schema agree on what a
// scenario may look like.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { catalog, native, openSession, root } from './module.mjs';
import { edgesOf, withValue } from './edges.mjs';
import { Scenarios, scenarioTexts } from './scenarios.mjs';

const ajv = new Ajv2020({ strictTypes: true, allowUnionTypes: true });
addFormats(ajv);
const directory = root + 'core/schema/';
for (const name of readdirSync(directory)) {
  const schema = JSON.parse(readFileSync(directory + name, 'utf8'));
  test(`${name} is a schema of its own draft`, () => {
    assert.equal(schema.$schema, 'https://json-schema.org/draft/2020-12/schema');
    assert.equal(schema.$id, name);
    assert.ok(ajv.validateSchema(schema), JSON.stringify(ajv.errors));
  });
  ajv.addSchema(schema);
}

function valid(schema, document) {
  const validate = ajv.getSchema(schema);
  assert.ok(validate, `${schema} is known`);
  return validate(document) ? undefined : `${ajv.errorsText(validate.errors)}`;
}

const session = await openSession();

test('the built-in catalogue', () => {
  // The built-in one also carries what no provider changes: stacks, calibration and the like.
  const { properties } = ajv.getSchema('catalog.schema.json').schema;
  const entries = Object.entries(catalog).filter(([name]) => name in properties);
  for (const table of ['gpus', 'models', 'offers']) assert.ok(catalog[table].length > 50, table);
  assert.equal(valid('catalog.schema.json', Object.fromEntries(entries)), undefined);
});

test('the reports of 1,000 random scenarios', () => {
  const documents = scenarioTexts(catalog, 1000, 3);
  for (const document of documents) {
    const report = JSON.parse(session.evaluate('estimate', document));
    // With problems, resolved repeats what is wrong.
    if (report.problems.length > 0) delete report.resolved;
    const wrong = valid('report.schema.json', report);
    assert.equal(wrong, undefined, `${document}\n${JSON.stringify(report)}`);
  }
});

test('plans and fits of random scenarios, alike in wasm and natively', () => {
  const isJson = (text) => {
    try {
      return typeof JSON.parse(text) === 'object';
    } catch {
      return false; // the hostile ones are for the test of hostile documents
    }
  };
  const fits = scenarioTexts(catalog, 60, 9).filter(isJson).slice(0, 40);
  const plans = fits.slice(0, 12).map((text) => {
    const { model, training } = JSON.parse(text);
    const constraints = {
      deadline_days: 60,
      max_gpus: 16,
      budget: { total: '20000.00', per_month: null, currency: 'CNY' },
      gpus: ['h100-sxm-80gb', 'rtx-4090', 'mi300x'],
      require: [],
    };
    return JSON.stringify({ model, training, constraints, price: { date: '2026-11-30' } });
  });
  for (const [command, documents] of [
    ['fit', fits],
    ['plan', plans],
  ]) {
    const answers = native(command, documents);
    for (const [i, document] of documents.entries()) {
      const text = session.evaluate(command, document);
      assert.equal(text, answers[i], `${command} ${document}`);
      const wrong = valid(`${command}-answer.schema.json`, JSON.parse(text));
      assert.equal(wrong, undefined, `${document}\n${text}`);
      if (command === 'plan')
        assert.equal(valid('plan.schema.json', JSON.parse(document)), undefined);
    }
  }
});

test('a plan in slices', () => {
  const request = JSON.stringify({
    model: 'llama-3.1-8b',
    training: { kind: 'full' },
    constraints: { max_gpus: 32, gpus: ['h100-sxm-80gb', 'a100-sxm-80gb'] },
  });
  const plan = session.plan(request);
  let slices = 1;
  for (; !plan.step(100); ++slices) {
    assert.equal(valid('plan-answer.schema.json', JSON.parse(plan.answer())), undefined);
  }
  assert.ok(slices > 3, `${slices} slices`);
  assert.equal(plan.answer(), session.evaluate('plan', request));
  plan.delete();
});

// Codes that speak of a field's form alone; others need the catalogue or other fields to see.
const formal = new Set(['wrong_type', 'unknown_field']);

test('the core refuses what the schema refuses, and for its form nothing else', () => {
  const scenarios = new Scenarios(catalog, 5);
  let refused = 0;
  for (let i = 0; i < 2000; ++i) {
    const document = scenarios.spoil(scenarios.sensible());
    const text = JSON.stringify(document);
    const wrong = valid('scenario.schema.json', document);
    const { problems } = JSON.parse(session.evaluate('estimate', text));
    if (wrong !== undefined) {
      assert.ok(problems.length > 0, `accepted, though ${wrong}: ${text}`);
      refused += 1;
    } else {
      // Of somebody else's file the schema says nothing.
      const found = problems.filter(
        ({ at, code }) => formal.has(code) && !at.startsWith('/model/hf_config/'),
      );
      assert.deepEqual(found, [], `refused, though it has the form: ${text}`);
    }
  }
  assert.ok(refused > 500, `${refused} refused`);
});

// At a field's edges the schema and the reader refuse the same values. What a value means beside
// others, and sums that leave their range, are the core's alone.
const ofForm = new Set([
  'wrong_type',
  'unknown_field',
  'not_decimal',
  'not_date',
  'not_integer',
  'not_positive',
  'too_long',
  'not_one_of',
]);
for (const [command, schema, sound] of [
  ['own', 'own-request.schema.json', {}],
  [
    'project',
    'project-request.schema.json',
    { phases: [{ hours: 1, gpus: 1, price: { per_gpu_hour: '1' } }] },
  ],
  ['quote', 'quote-request.schema.json', { quote: { per_month: '1' } }],
  ['estimate', 'scenario.schema.json', { model: 'llama-3.1-8b' }],
]) {
  test(`${command}: the edges of every field`, () => {
    const root = ajv.getSchema(schema).schema;
    const resolve = (reference) => {
      const [file, pointer] = reference.split('#');
      const from = file === '' ? root : ajv.getSchema(file).schema;
      return pointer
        .split('/')
        .slice(1)
        .reduce((node, part) => node[part], from);
    };
    const elsewhere = ['catalog', 'version', 'scenario', 'text'];
    const wanted = ([first, ...rest]) =>
      !elsewhere.includes(first) &&
      !rest.includes('scenario') &&
      (command !== 'estimate' || first === undefined || first === 'price');
    let count = 0;
    for (const [path, value] of edgesOf(root, resolve, wanted)) {
      const text = JSON.stringify(withValue(sound, path, value));
      const at = `/${path.join('/')}`;
      const { problems } = JSON.parse(session.evaluate(command, text));
      const wrong = valid(schema, JSON.parse(text));
      count += 1;
      if (wrong !== undefined) {
        assert.ok(problems.length > 0, `accepted, though ${wrong}: ${text}`);
        continue;
      }
      const refused = problems.filter(
        (problem) =>
          problem.at === at &&
          (ofForm.has(problem.code) ||
            (problem.code === 'out_of_range' && typeof value === 'number')),
      );
      assert.deepEqual(refused, [], `refused, though it has the form: ${text}`);
    }
    assert.ok(count > 100, `${count} values`);
  });
}

test("the catalogue's normal form is a catalogue, and its own normal form", () => {
  const { gpus, models, offers } = catalog;
  const [answer] = native('catalog', [JSON.stringify({ gpus, models, offers })]).map(JSON.parse);
  assert.deepEqual(answer.problems, []);
  const again = JSON.parse(session.evaluate('catalog', JSON.stringify(answer.catalog)));
  assert.deepEqual(again.catalog, answer.catalog);
});
