// The commands about money, and launch recipes: answers keep to their schemas, and what a recipe
// says is what a parser of its format reads.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { load } from 'js-yaml';
import { catalog, openSession, root, unsound } from './module.mjs';
import { Scenarios } from './scenarios.mjs';

const ajv = new Ajv2020({ strictTypes: true, allowUnionTypes: true });
addFormats(ajv);
for (const name of readdirSync(root + 'core/schema/')) {
  ajv.addSchema(JSON.parse(readFileSync(`${root}core/schema/${name}`, 'utf8')));
}

const session = await openSession();

/** The answer, which keeps to its schema, as the request does to its own. */
function ask(command, request) {
  const answer = JSON.parse(session.evaluate(command, JSON.stringify(request)));
  for (const [schema, document] of [
    [command === 'recipe' ? 'scenario.schema.json' : `${command}-request.schema.json`, request],
    [`${command}-answer.schema.json`, answer],
  ]) {
    const validate = ajv.getSchema(schema);
    assert.ok(validate(document), `${schema}: ${ajv.errorsText(validate.errors)}`);
  }
  assert.equal(unsound(answer), undefined);
  return answer;
}

test('rent or own', () => {
  for (const request of [
    {},
    { preset: 'article' },
    { purchase: { gpu: 'rtx-4090', count: 16 }, utilization: 0.1, months: 12 },
    { rent: { per_gpu_hour: '2.50', currency: 'USD' }, currency: 'USD' },
  ]) {
    assert.deepEqual(ask('own', request).problems, []);
  }
  const { resolved, ...answer } = ask('own', {});
  const again = ask('own', resolved);
  for (const part of ['own', 'rent', 'curve', 'breakeven_month']) {
    assert.deepEqual(again[part], answer[part], part);
  }
});

test('check a quote', () => {
  assert.equal(catalog.quotes.length, 3);
  for (const { quote } of catalog.quotes) {
    const answer = ask('quote', { quote });
    assert.deepEqual(answer.problems, []);
    // What was understood, asked again, is judged the same.
    assert.deepEqual(ask('quote', { quote: answer.quote }).statements, answer.statements);
  }
  const pasted = ask('quote', { text: '8×A100 80GB，月付 10 万元，包年 65 折；另有 3 个赠品' });
  assert.equal(pasted.quote.gpu, 'a100-sxm-80gb');
  assert.equal(pasted.text.not_understood.length, 1);
});

test('a project', () => {
  const answer = ask('project', {
    phases: [
      { name: 'preprocess', hours: 100, gpus: 1, gpu: 'rtx-4090', price: { per_gpu_hour: '2' } },
      { name: 'tune', scenario: { model: 'llama-3.1-8b', cluster: { gpu: 'rtx-4090' } } },
    ],
    budget: { upload_tb: 10, line_mbit_s: 32, data_preparation: '1000' },
  });
  assert.deepEqual(answer.problems, []);
  assert.equal(answer.budget.upload_days.toFixed(2), '28.94');
});

/** Options of a shell command, by name; true for a flag. */
function options(text) {
  const found = {};
  const words = text.split(/[\s\\]+/).filter(Boolean);
  words.forEach((word, i) => {
    if (!word.startsWith('--')) return;
    const next = words[i + 1];
    found[word.slice(2)] = next === undefined || next.startsWith('--') ? true : next;
  });
  return found;
}

test('recipes of random jobs say what the jobs are', () => {
  const scenarios = new Scenarios(catalog, 17);
  const counts = {};
  for (let i = 0; i < 200; ++i) {
    const answer = ask('recipe', scenarios.sensible());
    if (answer.problems.length > 0) continue;
    const { training, cluster, layout } = answer.resolved;
    const steps = training.global_batch / (training.micro_batch * layout.dp);
    for (const { tool, format, text } of answer.recipes) {
      counts[tool] = (counts[tool] ?? 0) + 1;
      const said =
        format === 'json' ? JSON.parse(text) : format === 'yaml' ? load(text) : options(text);
      if (tool === 'deepspeed') {
        assert.equal(said.train_batch_size, training.global_batch);
        assert.equal(said.gradient_accumulation_steps, steps);
        assert.equal(said.zero_optimization.stage, layout.zero);
        // What DeepSpeed itself checks.
        assert.equal(
          said.train_batch_size,
          said.train_micro_batch_size_per_gpu * said.gradient_accumulation_steps * cluster.count,
        );
      } else if (tool === 'accelerate') {
        assert.equal(said.num_processes, cluster.count);
        if (said.distributed_type === 'DEEPSPEED') {
          assert.equal(said.deepspeed_config.zero3_init_flag, layout.zero === 3);
          assert.ok(answer.recipes.some((each) => each.tool === 'deepspeed'));
        } else {
          assert.equal(said.distributed_type === 'FSDP', layout.zero > 0);
        }
        assert.equal('main_process_ip' in said, said.num_machines > 1);
      } else if (tool === 'megatron') {
        assert.equal(said['tensor-model-parallel-size'], String(layout.tp));
        assert.equal(said['pipeline-model-parallel-size'], String(layout.pp));
        assert.equal(said['global-batch-size'], String(training.global_batch));
      } else if (tool === 'llama_factory') {
        assert.equal(said.cutoff_len, training.sequence_length);
        assert.equal(said.gradient_accumulation_steps, steps);
      } else {
        assert.equal(
          Number(said.nnodes ?? 1) * Number(said.nproc_per_node) >= cluster.count,
          true,
          text,
        );
      }
    }
    // A tool has a recipe, or a reason.
    const named = [...answer.recipes, ...answer.inexpressible].map(({ tool }) => tool);
    assert.equal(new Set(named).size, 5);
  }
  for (const tool of ['deepspeed', 'accelerate', 'megatron', 'torchrun', 'llama_factory']) {
    assert.ok(counts[tool] > 0, tool);
  }
});
