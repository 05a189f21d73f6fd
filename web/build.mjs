// Makes dist/index.html: the whole page in one file that asks nobody for anything, and dist/schema/.
//
//   node web/build.mjs [--glue FILE] [--wasm FILE] [--out DIR]
//
// The same input gives the same bytes.
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { bundle, minifiedCss, root } from './build/bundle.mjs';
import { shippedCatalog } from './build/catalog.mjs';
import { generateTypes } from './types.mjs';

/** Bytes of the whole page, as a server would send it (gzip -9). */
const budget = 300_000;

/** gzip without the time and the system's name in its header. */
function gzip(bytes) {
  const packed = gzipSync(bytes, { level: 9 });
  packed.fill(0, 4, 8);
  packed[9] = 255;
  return packed;
}

const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

async function iconAddress() {
  const svg = (await readFile(`${root}web/icon.svg`, 'utf8')).replace(/\s*\n\s*/g, '').trim();
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

export async function makePage({ glue, wasm }) {
  const page = await bundle('web/src/main.ts', glue);
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
    catalog: JSON.stringify(await shippedCatalog()).replaceAll('<', '\\u003c'),
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
