// dist/integrate.html: the page that writes the snippet for other people's pages.
import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';
import { browsers, minifiedCss, root } from './bundle.mjs';
import { sha256 } from './page.mjs';

export async function makeIntegratePage() {
  const source = (name) => readFile(`${root}web/integrate/${name}`, 'utf8');
  const style = await minifiedCss(`${root}web/integrate/integrate.css`);
  const { code } = await transform(await source('integrate.js'), {
    minify: true,
    target: browsers,
    charset: 'utf8',
  });
  const script = code.trim();
  // The element styles itself with sheets that it constructs; from disk there is no 'self'.
  const csp = [
    "default-src 'none'",
    `script-src 'self' file: ${sha256(script)} 'wasm-unsafe-eval'`,
    `style-src ${sha256(style)}`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const parts = { style: `<style>${style}</style>`, script: `<script>${script}</script>` };
  return (await source('integrate.html'))
    .replace(/\s*\n\s*/g, '\n')
    .replace(/<!-- \{\{(\w+)\}\} -->/g, (_, name) => parts[name])
    .replace('{{csp}}', () => csp);
}
