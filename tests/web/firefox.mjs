// A smoke test in Firefox, by WebDriver BiDi: it starts, answers, takes input, and asks nobody.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { serve } from '../../web/serve.mjs';
import { native, patience, root } from './page.mjs';
import { suite } from './suite.mjs';

const server = await serve(`${root}dist`, 0);
const overHttp = `http://127.0.0.1:${server.address().port}/index.html`;
const fromDisk = `file://${root}dist/index.html`;
const browser = await puppeteer.launch({
  browser: 'firefox',
  executablePath: '/usr/bin/firefox-esr',
  headless: true,
  protocolTimeout: 3 * patience,
  extraPrefsFirefox: { 'intl.accept_languages': 'zh-CN' },
});
const scratch = await mkdtemp(join(tmpdir(), 'traintally-firefox-'));
const { test, finish } = suite('web-firefox');

async function open(address) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  const wrongs = [];
  page.on('console', (message) => wrongs.push(message.text()));
  page.on('pageerror', (error) => wrongs.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address.split('#')[0]) && !url.startsWith('data:')) wrongs.push(url);
  });
  await page.goto(address);
  await settle(page, () => document.querySelector('train-tally').report !== undefined);
  return {
    page,
    async close() {
      await page.close();
      assert.deepEqual(wrongs, []);
    },
  };
}

/** Polls from outside: the page's policy forbids the polling that puppeteer would inject. */
async function settle(page, condition, ...given) {
  const deadline = Date.now() + patience;
  while (Date.now() < deadline) {
    if (await page.evaluate(condition, ...given)) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(`never came: ${condition}`);
}

const sentence = (page) =>
  page.evaluate(() =>
    document.querySelector('train-tally').shadowRoot.querySelector('.sentence').textContent.trim(),
  );

for (const [name, address] of [
  ['from disk', fromDisk],
  ['over HTTP', overHttp],
]) {
  test(`the page opened ${name} answers as the native command does`, async () => {
    const { page, close } = await open(address);
    assert.match(await sentence(page), /RTX 4090/);
    const report = await page.evaluate(() => document.querySelector('train-tally').report);
    const { date } = report.resolved.price; // the visitor's day, which the page tells the core
    assert.match(date, /^\d{4}-\d\d-\d\d$/);
    assert.deepEqual(report, native({ model: 'llama-3.1-8b', price: { date } }));
    await close();
  });
}

test('a link is read, numbers are typed, the address follows', async () => {
  const { page, close } = await open(
    `${overHttp}#v=1&model=qwen2.5-7b&kind=full&gpu=h100-sxm-80gb&gpus=8`,
  );
  const input = await page.evaluateHandle(() =>
    document
      .querySelector('train-tally')
      .shadowRoot.querySelector('[data-at="/training/tokens"]')
      .shadowRoot.querySelector('input'),
  );
  await input.click({ count: 3 });
  await page.keyboard.type('2亿');
  await settle(
    page,
    () => document.querySelector('train-tally').report.resolved.training.tokens === 2e8,
  );
  await settle(page, () => location.hash.includes('tokens=2e8'));
  await close();
});

test('a page that Firefox saved (without its shadow roots) comes back the same', async () => {
  const first = await open(`${overHttp}#v=1&model=qwen3-8b&kind=qlora&gpus=2`);
  const before = await sentence(first.page);
  const html = await first.page.evaluate(
    () => `<!doctype html>${document.documentElement.outerHTML}`,
  );
  await first.close();
  const file = join(scratch, 'saved.html');
  await writeFile(file, html);
  const second = await open(`file://${file}`);
  assert.equal(await sentence(second.page), before);
  await second.close();
});

for (const view of ['own', 'quote']) {
  // HTML only is the file as it was served: the scenario travels in the address.
  for (const how of ['complete', 'HTML only']) {
    test(`${view} saved as ${how} comes back the same`, async () => {
      const hash = `#v=1&view=${view}&own.months=48&quote.text=4090+8%E5%8D%A1+%E6%9C%88%E7%A7%9F8800%E5%85%83`;
      const first = await open(overHttp + hash);
      const shown = (page) =>
        page.evaluate(
          () => document.querySelector('train-tally').shadowRoot.querySelector('.answer').innerText,
        );
      const before = await shown(first.page);
      const html =
        how === 'complete'
          ? await first.page.evaluate(() => `<!doctype html>${document.documentElement.outerHTML}`)
          : await readFile(`${root}dist/index.html`);
      await first.close();
      const file = join(scratch, `${view}.html`);
      await writeFile(file, html);
      const second = await open(`file://${file}${how === 'complete' ? '' : hash}`);
      assert.equal(await shown(second.page), before);
      await second.close();
    });
  }
}

await finish();
await browser.close();
server.close();
await rm(scratch, { recursive: true });
