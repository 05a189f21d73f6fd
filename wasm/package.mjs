// Makes dist/package, the npm package, from what the native and wasm builds left.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const out = root + 'dist/package/';
const { version, description, license } = JSON.parse(readFileSync(root + 'package.json', 'utf8'));

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const from of [
  ...['index.js', 'index.d.ts', 'README.md'].map((name) => `wasm/package/${name}`),
  ...['build/wasm/traintally.mjs', 'build/wasm/traintally.wasm', 'build/native/catalog.json'],
  'LICENSE',
]) {
  cpSync(root + from, out + from.split('/').pop());
}
cpSync(root + 'core/schema', out + 'schema', { recursive: true });

const manifest = {
  name: 'traintally',
  version,
  description,
  license,
  type: 'module',
  sideEffects: false,
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './catalog.json': './catalog.json',
    './traintally.wasm': './traintally.wasm',
    './schema/*': './schema/*',
  },
};
writeFileSync(out + 'package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
