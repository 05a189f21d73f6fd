// Prints what the module weighs and fails above its budget: node wasm/size.mjs BUILD_DIR
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

const budget = 85_000; // bytes, gzip, wasm and glue together

const sizes = ['traintally.wasm', 'traintally.mjs'].map((name) => {
  const bytes = readFileSync(join(process.argv[2], name));
  const gzip = gzipSync(bytes, { level: 9 }).length;
  return { name, raw: bytes.length, gzip, brotli: brotliCompressSync(bytes).length };
});
const sum = (key) => sizes.reduce((total, size) => total + size[key], 0);
const rows = [
  ...sizes,
  { name: 'together', raw: sum('raw'), gzip: sum('gzip'), brotli: sum('brotli') },
];
for (const { name, raw, gzip, brotli } of rows) {
  console.log(`${name.padEnd(16)} ${raw} B raw, ${gzip} B gzip, ${brotli} B brotli`);
}
if (sum('gzip') > budget) {
  console.error(`over budget: ${sum('gzip')} B gzip, at most ${budget}`);
  process.exit(1);
}
