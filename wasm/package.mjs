// Makes dist/package, the npm package, from what the native, wasm and page builds left.
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
  ...['train-tally.js', 'train-tally.d.ts', 'custom-elements.json'].map((name) => `dist/${name}`),
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
  sideEffects: ['./train-tally.js'],
  customElements: './custom-elements.json',
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './element': { types: './train-tally.d.ts', default: './train-tally.js' },
    './custom-elements.json': './custom-elements.json',
    './catalog.json': './catalog.json',
    './traintally.wasm': './traintally.wasm',
    './schema/*': './schema/*',
  },
};
writeFileSync(out + 'package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
