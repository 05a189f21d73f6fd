// Rules of the house that no tool knows: which way things lean, and what must never appear.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { root, sources } from './sources.mjs';

/** `file:line: text` of every line of the files that matches. */
function matches(files, pattern) {
  return files.flatMap((file) =>
    readFileSync(root + file, 'utf8')
      .split('\n')
      .map((text, index) => ({ text, place: `${file}:${index + 1}: ${text.trim()}` }))
      .filter(({ text }) => pattern.test(text))
      .map(({ place }) => place),
  );
}

function never(name, files, pattern) {
  test(name, () => {
    assert.ok(files.length > 0, 'the rule has something to look at');
    assert.deepEqual(matches(files, pattern), []);
  });
}

const core = sources(/^core\/(include|src)\/.*\.[ch]pp$/);
const maths = core.filter((file) => !file.startsWith('core/src/json/'));
const shipped = [...core, 'wasm/bindings.cpp'];
const text = sources(/\.(cpp|hpp|ts|mjs|js|json|md|yml|html|css|cmake|py|sh|txt)$|^tally$|^\.ci\//);

never('nlohmann/json stays in the JSON layer', maths, /nlohmann/);
never(
  'the core prints nothing and opens no file',
  core,
  /#include <(iostream|fstream|filesystem|locale)>|\b(f?printf|puts|fopen|getenv|setlocale)\(/,
);
never(
  'the core calls no function whose last bits differ between C libraries',
  core,
  /\b(std::)?(exp|log|log2|log10|pow|cbrt|tanh|lgamma)\(/,
);
never('nothing that ships throws', shipped, /\b(throw|catch|dynamic_cast|typeid)\b(?=[\s(])/);
never(
  'the core uses nothing that its compilers lack',
  shipped,
  /std::(format|ranges|views|bit_cast|expected|source_location)\b/,
);
never('TypeScript never goes unchecked', sources(/\.ts$/), /@ts-(ignore|nocheck)/);
never(
  'no address of a package registry',
  text,
  new RegExp(['registry', 'deb', 'pypi', 'proxy'].map((host) => `https?://${host}\\.`).join('|')),
);
never('no address in the lock file', ['package-lock.json'], /"resolved"/);

test('workflows use actions by full commit hash, the version beside it', () => {
  const uses = matches(sources(/^\.github\/workflows\//), /^\s*(- )?uses:/);
  assert.ok(uses.length > 0);
  const loose = uses.filter((use) => !/uses: (\.\/|\S+@[0-9a-f]{40} # v\d+\.\d+\.\d+$)/.test(use));
  assert.deepEqual(loose, []);
});

test('every public header says what it is for', () => {
  const headers = sources(/^core\/include\/.*\.hpp$/);
  assert.ok(headers.length > 0);
  const silent = headers.filter((file) => !readFileSync(root + file, 'utf8').includes('///'));
  assert.deepEqual(silent, []);
});
