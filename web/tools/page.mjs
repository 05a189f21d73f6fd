// The whole page as one file: dist/index.html, and dist/embed.html for other people's frames.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { bundle, minifiedCss, root } from './bundle.mjs';

export const sha256 = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

async function iconAddress() {
  const svg = (await readFile(`${root}web/icon.svg`, 'utf8')).replace(/\s*\n\s*/g, '').trim();
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

/** A script's or a data block's text, which must not end its element. */
function element(open, text, name) {
  if (/<\/script/i.test(text)) throw new Error(`${name}: "</script" inside a script`);
  return `<script${open}>${text}</script>`;
}

export async function makeParts({ glue, data, first }) {
  const boot = await transform(await readFile(`${root}web/boot.js`, 'utf8'), {
    minify: true,
    target: 'es5',
  });
  return {
    ...data,
    style: await minifiedCss(`${root}web/page.css`),
    first,
    boot: boot.code.trim(),
    showFirst: await bundle('web/src/show-first.ts', glue),
    early: await bundle('web/src/early.ts', glue),
    page: await bundle('web/src/main.ts', glue),
    icon: await iconAddress(),
  };
}

/**
 * @param own what is only this page's: `header`, the element's `attributes` and `first` answer;
 *   `head` of the hosted build; what else its content security policy must allow, `trusted` types among it
 */
export async function makePage(
  parts,
  { header = '', attributes, first, head = '', policy = [], trusted = '' },
) {
  const scripts = [parts.showFirst, parts.early, parts.boot, parts.page];
  const style = parts.style + (first?.style ?? '');
  const csp = [
    "default-src 'none'",
    `script-src ${scripts.map(sha256).join(' ')} 'wasm-unsafe-eval'`,
    `style-src ${sha256(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types lit-html ${trusted}`.trim(),
    ...policy,
  ].join('; ');
  const elements = {
    header,
    first: first?.markup ?? '',
    head,
    style: `<style>${style}</style>`,
    catalog: element(' type="application/json" id="traintally-catalog"', parts.catalog, 'catalog'),
    wasm: element(' type="application/wasm" id="traintally-wasm"', parts.wasm, 'wasm'),
    showFirst: element('', parts.showFirst, 'showFirst'),
    early: element('', parts.early, 'early'),
    boot: element('', parts.boot, 'boot'),
    page: element('', parts.page, 'page'),
  };
  const texts = { csp, icon: parts.icon, attributes };
  return (await readFile(`${root}web/index.html`, 'utf8'))
    .replace(/\s*\n\s*/g, '\n')
    .replace(/<!-- \{\{(\w+)\}\} -->/g, (_, name) => elements[name])
    .replace(/\{\{(csp|icon|attributes)\}\}/g, (_, name) => texts[name]);
}
