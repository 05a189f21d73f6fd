// What is shipped stays within its budget: bytes as a server would send them (gzip -9).
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));

const budgets = [
  [85_000, 'build/wasm/traintally.wasm', 'build/wasm/traintally.mjs'],
  [220_000, 'dist/index.html'],
];

const counts = { passed: 0, failed: 0 };
for (const [budget, ...files] of budgets) {
  const name = files.join(' + ');
  const missing = files.filter((file) => !existsSync(root + file));
  const size = files
    .filter((file) => !missing.includes(file))
    .reduce((sum, file) => sum + gzipSync(readFileSync(root + file), { level: 9 }).length, 0);
  const ok = missing.length === 0 && size <= budget;
  counts[ok ? 'passed' : 'failed'] += 1;
  console.log(
    missing.length > 0
      ? `${name}: ${missing.join(', ')} is not built`
      : `${name}: ${size} bytes gzip, at most ${budget}${ok ? '' : ': over budget'}`,
  );
}
console.log(`size: ${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
