// dist/site/: the page as an installable app, with its service worker and web manifest.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { bundle, root } from './bundle.mjs';
import { makePage } from './page.mjs';

const manifest = {
  name: '训练算账 · TrainTally',
  short_name: '训练算账',
  description: 'What training an LLM takes: VRAM, time, cost. Works offline.',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#f4f5f8',
  theme_color: '#1f5ad6',
  icons: [{ src: 'icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any maskable' }],
};

/** @returns the site's files by name */
export async function makeSite(parts, glue) {
  const files = {
    'index.html': await makePage(parts, {
      header: '<train-tally-header></train-tally-header>',
      attributes: 'url-state',
      first: parts.first,
      head: '<link rel="manifest" href="manifest.webmanifest" />',
      policy: ["manifest-src 'self'", "worker-src 'self'", "connect-src 'self'"],
      trusted: 'traintally',
    }),
    'manifest.webmanifest': `${JSON.stringify(manifest, undefined, 2)}\n`,
    'icon.svg': await readFile(`${root}web/icon.svg`, 'utf8'),
  };
  const listed = Object.entries(files).map(([url, text]) => ({
    url,
    revision: createHash('sha256').update(text).digest('hex').slice(0, 20),
  }));
  const worker = await bundle('web/src/worker.ts', glue, {
    files: listed,
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  return { ...files, 'sw.js': worker };
}
