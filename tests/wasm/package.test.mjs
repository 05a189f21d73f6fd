// The npm package, packed, installed in an empty directory and used as a stranger would.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { native, root } from './module.mjs';

test('packed, installed elsewhere, it answers as the command does', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'traintally-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const run = (command, ...args) =>
    execFileSync(command, args, {
      cwd: directory,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  execFileSync(process.execPath, [root + 'wasm/package.mjs']);
  const [{ filename, files }] = JSON.parse(run('npm', 'pack', '--json', root + 'dist/package'));
  assert.deepEqual(
    files.map(({ path }) => path).filter((path) => !path.startsWith('schema/')),
    [
      ...['LICENSE', 'README.md', 'catalog.json', 'custom-elements.json', 'index.d.ts', 'index.js'],
      ...[
        'package.json',
        'train-tally.d.ts',
        'train-tally.js',
        'traintally.mjs',
        'traintally.wasm',
      ],
    ],
  );
  writeFileSync(join(directory, 'package.json'), '{"private": true, "type": "module"}');
  run('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${filename}`);

  const scenario = JSON.stringify({ model: 'llama-3.1-8b', cluster: { gpu: 'rtx-4090' } });
  writeFileSync(
    join(directory, 'use.js'),
    `import { openSession } from 'traintally';
     const session = await openSession();
     process.stdout.write(session.evaluate('estimate', ${JSON.stringify(scenario)}));`,
  );
  assert.equal(run(process.execPath, 'use.js'), native('estimate', [scenario])[0]);

  writeFileSync(
    join(directory, 'use.ts'),
    `import { openSession, type Session } from 'traintally';
     const session: Session = await openSession({ catalog: '{}' });
     const answer: string = session.evaluate('estimate', '{}');
     // @ts-expect-error: a document is text
     session.evaluate('estimate', {});
     import 'traintally/element';
     const element = document.createElement('train-tally');
     element.addEventListener('train-tally-change', ({ detail }) => detail.report);
     element.view = 'vram';
     // @ts-expect-error: there are two
     element.scheme = 'pink';
     export { answer };`,
  );
  const compilerOptions = { noEmit: true, strict: true, module: 'nodenext', target: 'es2022' };
  writeFileSync(
    join(directory, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { ...compilerOptions, lib: ['es2022', 'dom'], types: [] },
      files: ['use.ts'],
    }),
  );
  run(root + 'node_modules/.bin/tsc', '--project', '.');
});
