// The page that writes the snippet: what it writes works when it is pasted.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../web/serve.mjs';
import { openPage, patience, root } from './page.mjs';

const allow = [/request: .*\/(train-tally\.js|embed\.js|embed\.html\b)/];
const answer = '.answer[data-state]:not([data-state=waiting])';

export function integrate({ test, browser, axe }) {
  for (const as of ['element', 'frame']) {
    test(`the snippet as ${as} puts on a page what the preview shows`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'traintally-integrate-'));
      const server = await serve([folder, `${root}dist`], 0);
      const origin = `http://127.0.0.1:${server.address().port}`;
      const opened = await openPage(browser, `${origin}/integrate.html`, { allow, locale: 'en' });
      const { page } = opened;
      await page.locator(answer).waitFor();
      await page.locator(`[name=as][value=${as}]`).check();
      await page.locator('[name=lang]').selectOption('en');
      await page.locator('[name=compact]').check();
      await page.locator('[name=enquiry]').fill('mailto:a@b.example?subject="GPU"&body={scenario}');
      await page.locator('[data-preset=full7b]').click();
      const snippet = page.locator('#snippet');
      await page.waitForFunction(() =>
        document.getElementById('snippet').value.includes('qwen2.5-7b'),
      );
      assert.equal(await page.locator('train-tally [role=tab]').count(), 0);
      await writeFile(
        join(folder, 'pasted.html'),
        `<!doctype html><title>x</title><link rel="icon" href="data:,"><body>${await snippet.inputValue()}`,
      );
      await opened.close();
      const pasted = await openPage(browser, `${origin}/pasted.html`, { allow });
      const inside = as === 'frame' ? pasted.page.frameLocator('iframe') : pasted.page;
      await inside.locator(answer).waitFor();
      assert.match(await inside.locator('.sentence').textContent(), /8 × A100/);
      const enquiry = await inside.locator('[data-take=enquiry]').getAttribute('href');
      assert.match(enquiry, /^mailto:a@b\.example\?subject="GPU"&body=http.*qwen2\.5-7b/);
      await pasted.close();
      server.close();
      await rm(folder, { recursive: true });
    });
  }

  for (const [locale, colorScheme, width] of [
    ['zh-CN', 'light', 1440],
    ['en', 'dark', 320],
  ]) {
    test(`axe finds nothing in the page that writes the snippet: ${locale}, ${colorScheme}`, async () => {
      const server = await serve(`${root}dist`, 0);
      const opened = await openPage(
        browser,
        `http://127.0.0.1:${server.address().port}/integrate.html`,
        { allow, locale, colorScheme, viewport: { width, height: 800 } },
      );
      const { page } = opened;
      await page.locator(answer).waitFor();
      assert.deepEqual(await axe(page), []);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      await opened.close();
      server.close();
    });
  }

  test('a page to look at: the example provider’s list, and enquiries that lead nowhere else', async () => {
    const opened = await openPage(browser, `file://${root}dist/examples/provider.html`, { allow });
    const { page } = opened;
    await page.waitForFunction(
      () => document.querySelector('train-tally')?.report?.resolved.price.offer === 'example-4090',
      undefined,
      { timeout: patience },
    );
    const link = page.locator('[data-take=enquiry]');
    assert.match(await link.getAttribute('href'), /^mailto:.*qwen3-8b/);
    for (const bad of ['javascript:alert(1)', 'http://elsewhere.example/', 'data:text/html,x']) {
      await page.evaluate((address) => {
        const app = document.querySelector('train-tally');
        app.enquiry = address;
        return app.updateComplete;
      }, bad);
      assert.equal(await link.count(), 0, bad);
    }
    await page.evaluate(() => {
      document.querySelector('train-tally').enquiry = 'https://shop.example/?q={scenario}';
    });
    assert.match(await link.getAttribute('href'), /^https:\/\/shop\.example\/\?q=file%3A/);
    await opened.close();
  });
}
