// Pictures of the page for people to look at: build/screenshots/. A test only in that none may be empty.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { answered, chromiumFlags, openPage, root } from './page.mjs';
import { suite } from './suite.mjs';

const folder = `${root}build/screenshots`;
const address = `file://${root}dist/index.html`;
const scenes = {
  start: '',
  cluster: '#v=1&model=qwen2.5-32b&kind=pretrain&tokens=5e10&seq=4096&gpu=h100-sxm-80gb&gpus=64',
  own: '#v=1&view=own&own.preset=article',
  quote: '#v=1&view=quote',
  unfit: '#v=1&model=llama-3.1-70b&kind=full&gpu=a100-sxm-40gb&gpus=4&offer=article-advanced',
};

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: chromiumFlags });
const { test, finish } = suite('web-screenshots');
for (const [scene, hash] of Object.entries(scenes)) {
  for (const locale of ['zh-CN', 'en']) {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of [360, 768, 1440]) {
        const name = `${scene}-${locale}-${colorScheme}-${width}`;
        test(name, async () => {
          const opened = await openPage(browser, address + hash, {
            viewport: { width, height: width < 500 ? 740 : 1000 },
            isMobile: width < 500,
            hasTouch: width < 500,
            deviceScaleFactor: width < 500 ? 2 : 1,
            locale,
            colorScheme,
          });
          await answered(opened.page);
          const picture = await opened.page.screenshot({
            path: `${folder}/${name}.png`,
            fullPage: true,
          });
          assert.ok(picture.length > 50_000);
          await opened.close();
        });
      }
    }
  }
}
await finish();
await browser.close();
