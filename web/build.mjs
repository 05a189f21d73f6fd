// Makes what visitors get: dist/index.html (the whole page, one file), train-tally.js (the element),
// embed.js with embed.html (the frame), site/ (the installable app), and schema/.
//
//   node web/build.mjs [--glue FILE] [--wasm FILE] [--out DIR]
//
// The same input gives the same bytes.
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { browsers, bundle, root } from './tools/bundle.mjs';
import { shippedCatalog } from './tools/catalog.mjs';
import { firstAnswers } from './tools/first-answer.mjs';
import { makeIntegratePage } from './tools/integrate.mjs';
import { makePage, makeParts } from './tools/page.mjs';
import { makeSite } from './tools/site.mjs';
import { generateTypes } from './types.mjs';

/** Bytes as a server would send them (gzip -9). */
const budgets = { 'index.html': 390_000, 'train-tally.js': 386_000, 'embed.js': 1024 };

/** gzip without the time and the system's name in its header. */
function gzip(bytes) {
  const packed = gzipSync(bytes, { level: 9 });
  packed.fill(0, 4, 8);
  packed[9] = 255;
  return packed;
}

/** The files of the page, the element and the frame, by name. */
export async function makeAll({ glue, wasm }) {
  const data = {
    catalog: JSON.stringify(await shippedCatalog()).replaceAll('<', '\\u003c'),
    wasm: gzip(await readFile(wasm)).toString('base64'),
  };
  const first = await firstAnswers({ glue, wasm, catalog: data.catalog });
  const parts = await makeParts({ glue, data, first });
  const loader = await transform(await readFile(`${root}web/embed/embed.js`, 'utf8'), {
    minify: true,
    target: browsers,
  });
  const site = await makeSite(parts, glue);
  return {
    parts,
    files: {
      ...Object.fromEntries(Object.entries(site).map(([name, text]) => [`site/${name}`, text])),
      'index.html': await makePage(parts, {
        header: '<train-tally-header></train-tally-header>',
        attributes: 'url-state',
        first: parts.first,
      }),
      'train-tally.js': await bundle('web/src/element.ts', glue, { data }),
      'embed.js': loader.code,
      'integrate.html': await makeIntegratePage(),
      'embed.html': await makePage(parts, { attributes: 'url-state framed' }),
    },
  };
}

function report({ files, parts }) {
  const size = (name, text) => {
    const packed = gzipSync(text, { level: 9 }).length;
    console.log(
      `${name.padEnd(22)}${String(Buffer.byteLength(text)).padStart(9)} bytes${String(packed).padStart(9)} gzip`,
    );
    const budget = budgets[name];
    if (budget === undefined || packed <= budget) return;
    console.error(`${name} is ${packed} bytes gzip, over its budget of ${budget}`);
    process.exitCode = 1;
  };
  size('script', parts.page);
  size('catalogue', parts.catalog);
  size('wasm (base64 of gzip)', parts.wasm);
  for (const [name, text] of Object.entries(files)) size(name, text);
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
  const made = await makeAll(values);
  await mkdir(`${values.out}/site`, { recursive: true });
  for (const [name, text] of Object.entries(made.files)) {
    await writeFile(`${values.out}/${name}`, text);
  }
  for (const name of ['custom-elements.json', 'train-tally.d.ts']) {
    await cp(`${root}web/${name}`, `${values.out}/${name}`);
  }
  await cp(`${root}web/examples`, `${values.out}/examples`, { recursive: true });
  await cp(`${root}core/schema`, `${values.out}/schema`, { recursive: true });
  report(made);
}
