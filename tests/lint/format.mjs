// Every source is as its formatter leaves it (./tally format does that). One check a file.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import prettier from 'prettier';
import { each, root, run, sources } from './sources.mjs';

const counts = { passed: 0, failed: 0 };
function count(ok, message) {
  counts[ok ? 'passed' : 'failed'] += 1;
  if (!ok) console.log(message);
}

await each(sources(/\.[ch]pp$/), availableParallelism(), async (file) => {
  const { status, output } = await run('clang-format', ['--dry-run', '-Werror', file]);
  count(status === 0, output);
});

for (const file of sources(/./)) {
  const path = root + file;
  const { ignored, inferredParser } = await prettier.getFileInfo(path, {
    ignorePath: root + '.prettierignore',
  });
  if (ignored || inferredParser === null) continue;
  const options = { ...(await prettier.resolveConfig(path)), filepath: path };
  let ok = false;
  try {
    ok = await prettier.check(readFileSync(path, 'utf8'), options);
  } catch (error) {
    console.log(error.message);
  }
  count(ok, `${file}: not as prettier leaves it`);
}

console.log(`format: ${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
