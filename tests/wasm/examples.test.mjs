// The README's examples are run as they stand, by the command that ./tally cli builds.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const command = `${root}build/native/traintally`;

const shell = (script) =>
  spawnSync('bash', ['-c', script.replaceAll('./tally cli', command)], { encoding: 'utf8' });

/** Each example: from the line that calls the command to the end of what it is given. */
const examples = [...readme.matchAll(/^```sh\n([\s\S]*?)^```/gm)]
  .flatMap(([, block]) => block.split(/\n(?=\.\/tally |echo )/))
  .filter((each) => each.includes('./tally cli '))
  .map((script) => ({ script, name: /\.\/tally cli (\w+)/.exec(script)[1] }));

test('there is an example of every command', () => {
  const usage = spawnSync(command, { encoding: 'utf8' }).stderr;
  const commands = /COMMAND one of ([\w, ]+)/.exec(usage)[1].split(', ');
  assert.deepEqual(
    [...commands, 'list'].filter((each) => !examples.some(({ name }) => name === each)),
    [],
  );
});

for (const { script, name } of examples) {
  test(`${name}: ${script.split('\n')[0]}`, () => {
    const { status, stdout, stderr } = shell(script);
    assert.equal(stderr, '');
    assert.equal(status, 0);
    if (name === 'list' || script.includes('--summary')) {
      assert.ok(stdout.split('\n').length > 5);
      assert.doesNotMatch(stdout, /^problem/m);
    } else {
      assert.deepEqual(JSON.parse(stdout).problems, []);
    }
  });
}

for (const language of ['English', '中文']) {
  test(`the table of offers, ${language}`, () => {
    const tables = [...readme.matchAll(/^```csv\n([\s\S]*?)^```/gm)].map(([, table]) => table);
    const input = JSON.stringify({ csv: tables[language === 'English' ? 0 : 1] });
    const { stdout } = spawnSync(command, ['catalog'], { input, encoding: 'utf8' });
    const { problems, catalog } = JSON.parse(stdout);
    assert.deepEqual(problems, []);
    assert.equal(catalog.offers[0].gpu, 'a100-sxm-80gb');
  });
}

test('a problem is an answer, but not with --strict', () => {
  const run = (...options) =>
    spawnSync(command, ['estimate', ...options], { input: '{"model":"x"}', encoding: 'utf8' });
  assert.equal(run().status, 0);
  assert.equal(run('--strict').status, 2);
  assert.equal(run('--strict', '--jsonl').status, 2);
  assert.equal(run('--strict').stdout, run().stdout);
  assert.match(run('--summary').stdout, /^problem +\/model: unknown_model; accepts \S/);
});

test('an indented answer is the same document', () => {
  const input = '{"model":"llama-3.1-8b","explain":true,"catalog":{"gpus":[]}}';
  const run = (...options) =>
    spawnSync(command, ['estimate', ...options], { input, encoding: 'utf8' }).stdout;
  assert.deepEqual(JSON.parse(run('--pretty')), JSON.parse(run()));
  assert.equal(run('--pretty').trimEnd(), JSON.stringify(JSON.parse(run()), undefined, 2));
});

test('a list has a line for each entry', () => {
  const catalog = JSON.parse(readFileSync(`${root}build/native/catalog.json`, 'utf8'));
  for (const name of ['models', 'gpus', 'offers', 'stacks', 'optimizers', 'precisions']) {
    const { stdout } = spawnSync(command, ['list', name], { encoding: 'utf8' });
    const ids = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]);
    assert.deepEqual(
      ids,
      catalog[name].map(({ id }) => id),
    );
  }
});
