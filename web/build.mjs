// Makes dist/index.html: the whole page in one file that asks nobody for anything, and dist/schema/.
//
//   node web/build.mjs [--glue FILE] [--wasm FILE] [--out DIR]
//
// The same input gives the same bytes.
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build, transform } from 'esbuild';
import { generateTypes } from './types.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Bytes of the whole page, as a server would send it (gzip -9). */
const budget = 300_000;

/** What the page needs: adopted style sheets, DecompressionStream, container queries. */
const browsers = ['chrome105', 'edge105', 'firefox113', 'safari16.4'];

/** Style sheets become minified text. */
const cssAsText = {
  name: 'css-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const { code } = await transform(source, { loader: 'css', minify: true, target: browsers });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

/** Without the indentation of the sources: in template literals it would be shipped. */
const withoutIndentation = {
  name: 'without-indentation',
  setup({ onLoad }) {
    onLoad({ filter: /web\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replace(/\n[ \t]+/g, '\n'), loader: 'ts' };
    });
  },
};

/** `traintally/glue` is the module that Emscripten made. */
function glueAt(path) {
  return {
    name: 'glue',
    setup({ onResolve }) {
      onResolve({ filter: /^traintally\/glue$/ }, () => ({ path }));
    },
  };
}

export async function bundle(glue) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['web/src/main.ts'],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    target: browsers,
    charset: 'utf8',
    legalComments: 'none',
    plugins: [cssAsText, withoutIndentation, glueAt(glue)],
    tsconfig: 'tsconfig.json',
  });
  return outputFiles[0].text.trim();
}

/** The files of core/catalog, merged as the core expects them: keys don't repeat, "about" is prose. */
export async function mergedCatalog() {
  const directory = `${root}core/catalog/`;
  const merged = {};
  for (const name of (await readdir(directory)).filter((file) => file.endsWith('.json')).sort()) {
    const file = JSON.parse(await readFile(directory + name, 'utf8'));
    for (const [key, value] of Object.entries(file)) {
      if (key === 'about') continue;
      if (Object.hasOwn(merged, key)) throw new Error(`${name}: "${key}" is in another file too`);
      merged[key] = value;
    }
  }
  return merged;
}

/** gzip without the time and the system's name in its header. */
function gzip(bytes) {
  const packed = gzipSync(bytes, { level: 9 });
  packed.fill(0, 4, 8);
  packed[9] = 255;
  return packed;
}

const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

async function minifiedCss(path) {
  const source = await readFile(path, 'utf8');
  return (await transform(source, { loader: 'css', minify: true, target: browsers })).code.trim();
}

async function iconAddress() {
  const svg = (await readFile(`${root}web/icon.svg`, 'utf8')).replace(/\s*\n\s*/g, '').trim();
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export async function makePage({ glue, wasm }) {
  const page = await bundle(glue);
  const boot = (
    await transform(await readFile(`${root}web/boot.js`, 'utf8'), { minify: true, target: 'es5' })
  ).code.trim();
  const style = await minifiedCss(`${root}web/page.css`);
  const parts = {
    csp: [
      "default-src 'none'",
      `script-src ${sha256(boot)} ${sha256(page)} 'wasm-unsafe-eval'`,
      `style-src ${sha256(style)}`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
    ].join('; '),
    icon: await iconAddress(),
    style,
    catalog: JSON.stringify(await mergedCatalog()).replaceAll('<', '\\u003c'),
    wasm: gzip(await readFile(wasm)).toString('base64'),
    boot,
    page,
  };
  for (const name of ['boot', 'page']) {
    if (/<\/script/i.test(parts[name])) throw new Error(`${name}: "</script" inside a script`);
  }
  const elements = {
    style: `<style>${parts.style}</style>`,
    catalog: `<script type="application/json" id="traintally-catalog">${parts.catalog}</script>`,
    wasm: `<script type="application/wasm" id="traintally-wasm">${parts.wasm}</script>`,
    boot: `<script>${parts.boot}</script>`,
    page: `<script>${parts.page}</script>`,
  };
  const html = (await readFile(`${root}web/index.html`, 'utf8'))
    .replace(/\s*\n\s*/g, '\n')
    .replace(/<!-- \{\{(\w+)\}\} -->/g, (_, name) => elements[name])
    .replace(/\{\{(csp|icon)\}\}/g, (_, name) => parts[name]);
  return { html, parts };
}

function report({ html, parts }) {
  const size = (name, text) => {
    const packed = gzipSync(text, { level: 9 }).length;
    console.log(
      `${name.padEnd(22)}${String(Buffer.byteLength(text)).padStart(9)} bytes${String(packed).padStart(9)} gzip`,
    );
    return packed;
  };
  size('script', parts.page);
  size('catalogue', parts.catalog);
  size('wasm (base64 of gzip)', parts.wasm);
  const whole = size('index.html', html);
  if (whole > budget) {
    console.error(`index.html is ${whole} bytes gzip, over its budget of ${budget}`);
    process.exitCode = 1;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      glue: { type: 'string', default: `${root}build/wasm/traintally.mjs` },
      wasm: { type: 'string', default: `${root}build/wasm/traintally.wasm` },
      out: { type: 'string', default: `${root}dist` },
    },
  });
  await generateTypes();
  const page = await makePage(values);
  await mkdir(values.out, { recursive: true });
  await writeFile(`${values.out}/index.html`, page.html);
  await cp(`${root}core/schema`, `${values.out}/schema`, { recursive: true });
  report(page);
}
