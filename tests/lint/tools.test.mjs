// Each tool finds nothing to complain of.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { root, run, sources } from './sources.mjs';

const bin = root + 'node_modules/.bin/';

async function clean(tool, args) {
  const { status, output } = await run(bin + tool, args);
  assert.equal(status, 0, `${tool}\n${output}`);
}

test('eslint', () => clean('eslint', ['--max-warnings', '0', '.']));

test('the types hold', () => clean('tsc', ['--noEmit']));

test('stylelint', async (t) => {
  const files = sources(/\.css$/);
  if (files.length === 0) return t.skip('no style sheets');
  await clean('stylelint', files);
});

test('html-validate', async () => {
  const pages = ['dist/index.html', 'dist/embed.html'].filter((page) => existsSync(root + page));
  assert.ok(pages.length > 0, 'build the page first');
  await clean('html-validate', pages);
});

for (const workflow of sources(/^\.github\/workflows\/.*\.yml$/)) {
  test(`${workflow} is a valid workflow`, () => clean('action-validator', [workflow]));
}
