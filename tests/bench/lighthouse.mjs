// What Lighthouse says of the page, served compressed as a host would: scores of 100, times in ms.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { launch } from 'chrome-launcher';
import lighthouse, { desktopConfig } from 'lighthouse';

const categories = ['performance', 'accessibility', 'best-practices', 'seo'];
const timings = {
  first_paint: 'first-contentful-paint',
  largest_paint: 'largest-contentful-paint',
  blocked: 'total-blocking-time',
};

function serveCompressed(file) {
  const page = gzipSync(readFileSync(file), { level: 9 });
  const server = createServer((request, response) => {
    if (request.url !== '/') {
      response.writeHead(404).end();
      return;
    }
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip' })
      .end(page);
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** @returns [name, value, unit] of every score and timing, on a phone and on a desk */
export async function lighthouseFigures(file, chromePath = '/usr/bin/chromium') {
  const server = await serveCompressed(file);
  const chrome = await launch({
    chromePath,
    chromeFlags: ['--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic'],
  });
  const figures = [];
  try {
    for (const [device, config] of [
      ['phone', undefined],
      ['desk', desktopConfig],
    ]) {
      const { lhr } = await lighthouse(
        `http://127.0.0.1:${server.address().port}/`,
        { port: chrome.port, onlyCategories: categories, logLevel: 'error' },
        config,
      );
      if (lhr.runtimeError) throw new Error(`lighthouse: ${lhr.runtimeError.message}`);
      for (const name of categories) {
        const score = Math.round(lhr.categories[name].score * 100);
        figures.push([`lighthouse_${device}_${name.replace('-', '_')}`, score, '']);
        const lost = lhr.categories[name].auditRefs.filter(({ id, weight }) => {
          const { score: each } = lhr.audits[id];
          return weight > 0 && each !== null && each < 0.9;
        });
        if (lost.length > 0)
          console.log(`  ${device} ${name}: ${lost.map(({ id }) => id).join(', ')}`);
      }
      for (const [name, audit] of Object.entries(timings)) {
        const { numericValue } = lhr.audits[audit];
        figures.push([`lighthouse_${device}_${name}`, Math.round(numericValue), 'ms']);
      }
    }
  } finally {
    chrome.kill();
    server.close();
  }
  return figures;
}
