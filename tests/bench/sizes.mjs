// What is shipped stays within its budget, in bytes as a server would send them (gzip -9):
// node tests/bench/sizes.mjs [module|page]
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));

const budgets = {
  module: { gzip: 211_000, files: ['build/wasm/traintally.wasm', 'build/wasm/traintally.mjs'] },
  page: { gzip: 390_000, files: ['dist/index.html'] },
};

function sizes(bytes) {
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  };
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(budgets);
const counts = { passed: 0, failed: 0 };
for (const name of names) {
  const { gzip: budget, files } = budgets[name];
  const total = { raw: 0, gzip: 0, brotli: 0 };
  const missing = files.filter((file) => !existsSync(root + file));
  for (const file of files) {
    if (missing.includes(file)) continue;
    const size = sizes(readFileSync(root + file));
    for (const form of Object.keys(total)) total[form] += size[form];
    console.log(`${file}: ${size.raw} bytes, ${size.gzip} gzip, ${size.brotli} brotli`);
  }
  const ok = missing.length === 0 && total.gzip <= budget;
  counts[ok ? 'passed' : 'failed'] += 1;
  const verdict = missing.length > 0 ? `${missing.join(', ')} is not built` : 'over budget';
  console.log(
    `${name}: ${total.raw} bytes, ${total.gzip} gzip of at most ${budget}, ${total.brotli} brotli` +
      (ok ? '' : `: ${verdict}`),
  );
}
console.log(`size: ${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
