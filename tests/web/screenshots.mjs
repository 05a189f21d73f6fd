// Pictures of every view for people to look at: build/screenshots/. Their layouts are compared with
// the approved ones in layouts.json; WEB_APPROVE=1 approves what is seen now.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { changes, layoutOf } from './layout.mjs';
import { chromiumFlags, openPage, root } from './page.mjs';
import { suite } from './suite.mjs';

const folder = `${root}build/screenshots`;
const address = `file://${root}dist/index.html`;
const approvedFile = `${root}tests/web/layouts.json`;
const approving = process.env.WEB_APPROVE === '1';

const answer = '.answer[data-state]:not([data-state=waiting])';
const cluster = 'model=qwen2.5-32b&kind=pretrain&tokens=5e10&seq=4096&gpu=h100-sxm-80gb&gpus=64';
/** The page's address, and what is there once it has answered. */
const scenes = {
  start: ['', answer],
  cluster: [`#v=1&${cluster}`, answer],
  expert: [`#v=1&mode=expert&${cluster}`, answer],
  unfit: [
    '#v=1&model=llama-3.1-70b&kind=full&gpu=a100-sxm-40gb&gpus=4&offer=article-advanced',
    answer,
  ],
  rent: ['#v=1&view=rent&model=qwen3-8b&kind=lora', '[data-complete=true]'],
  compare: [
    '#v=1&view=compare&model=qwen3-8b&with=v%3D1%26model%3Dqwen3-32b%26gpus%3D8',
    '.side-title',
  ],
  own: ['#v=1&view=own&own.preset=article', answer],
  quote: ['#v=1&view=quote', '[data-view=quote]'],
  accuracy: ['#v=1&view=accuracy', '[data-figure=accuracy]'],
};
/** Contexts, each with the widths that it is seen at. */
const screens = [
  { widths: [360], height: 740, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
  { widths: [768, 1440], height: 1000 },
];

const approved = JSON.parse(await readFile(approvedFile, 'utf8'));
const seen = {};
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: chromiumFlags });
const { test, finish } = suite('web-screenshots');

async function look(page, name, width) {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
  const picture = await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  assert.ok(picture.length > 20_000, `${name} is empty`);
  const { boxes, broken } = await layoutOf(page);
  assert.deepEqual(broken, [], name);
  const key = name.replace(/-(light|dark)-/, '-');
  seen[key] ??= boxes; // colours move nothing
  const against = approving ? seen[key] : (approved[key] ?? {});
  assert.deepEqual(changes(boxes, against), [], `${name}, ${width} px wide`);
}

for (const [scene, [hash, there]] of Object.entries(scenes)) {
  for (const locale of ['zh-CN', 'en']) {
    for (const { widths, height, ...screen } of screens) {
      test(`${scene}, ${locale}, ${widths.join(' and ')} px`, async () => {
        const viewport = { width: widths[0], height };
        const options = { viewport, locale, ...screen };
        const opened = await openPage(browser, address + hash, options);
        const { page } = opened;
        await page.locator(there).first().waitFor();
        for (const width of widths) {
          await page.setViewportSize({ width, height });
          for (const colorScheme of ['light', 'dark']) {
            await page.emulateMedia({ colorScheme });
            await look(page, `${scene}-${locale}-${colorScheme}-${width}`, width);
          }
        }
        await opened.close();
      });
    }
  }
}
await finish();
await browser.close();
if (approving) {
  const all = { ...approved, ...seen };
  await writeFile(approvedFile, `${JSON.stringify(all)}\n`);
}
