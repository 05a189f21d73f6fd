// What a visitor takes along: pictures, paper, text.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { answered, openPage, stateOf } from './page.mjs';

const cluster =
  '#v=1&mode=expert&model=qwen2.5-32b&kind=pretrain&tokens=5e10&gpu=h100-sxm-80gb&gpus=64';

/** Runs in the page: what is copied is noted in `said`. */
function notingCopies() {
  globalThis.said = [];
  navigator.clipboard.writeText = (text) => {
    globalThis.said.push(text);
    return Promise.resolve();
  };
}

export function taking({ test, browser, address }) {
  for (const [figure, hash] of [
    ['memory', ''],
    ['accuracy', '#v=1&view=accuracy'],
  ]) {
    test(`the chart ${figure} is saved as a drawing and as a bitmap, colours and legend with it`, async () => {
      const opened = await openPage(browser, address + hash, { colorScheme: 'dark' });
      const { page } = opened;
      const chart = page.locator(`[data-figure=${figure}]`);
      await chart.locator('svg[role=img]').waitFor();
      const save = async (kind) => {
        const waiting = page.waitForEvent('download');
        await chart.locator(`[data-save=${kind}]`).click();
        const download = await waiting;
        assert.equal(download.suggestedFilename(), `traintally-${figure}.${kind.toLowerCase()}`);
        return readFile(await download.path());
      };
      const drawing = (await save('SVG')).toString();
      const legend = await chart.locator('.legend li').allTextContents();
      assert.ok(legend.length > 3);
      for (const text of legend)
        assert.ok(drawing.includes(text.replace(/\s+/g, ' ').trim()), text);
      assert.ok(!/var\(|class=|<style|href|lit\$/.test(drawing), drawing.slice(0, 2000));
      const [width, height] = /width="(\d+)" height="(\d+)"/.exec(drawing).slice(1).map(Number);
      // Drawn by somebody who knows nothing of this page.
      const stranger = await opened.context.newPage();
      await stranger.setContent(drawing);
      const fills = await stranger.evaluate(() => [
        ...new Set(
          [...document.querySelectorAll('rect, path, circle')].map(
            (each) => getComputedStyle(each).fill,
          ),
        ),
      ]);
      assert.ok(fills.length > 2, fills.join());
      await stranger.close();
      const bitmap = await save('PNG');
      assert.equal(bitmap.toString('latin1', 1, 4), 'PNG');
      assert.deepEqual([bitmap.readUInt32BE(16), bitmap.readUInt32BE(20)], [2 * width, 2 * height]);
      assert.ok(bitmap.length > 8000);
      await opened.close();
    });
  }

  for (const [locale, hash] of [
    ['zh-CN', ''],
    ['en', ''],
    ['zh-CN', cluster],
    ['en', cluster],
  ]) {
    test(`on paper it is two pages at most, assumptions with it: ${locale} ${hash}`, async () => {
      const opened = await openPage(browser, address + hash, { locale, colorScheme: 'dark' });
      const { page } = opened;
      await answered(page);
      const pdf = (await page.pdf({ format: 'A4', printBackground: false })).toString('latin1');
      const pages = pdf.match(/\/Type\s*\/Page\b/g).length;
      assert.ok(pages <= 2, `${pages} pages`);
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
      assert.equal(await page.locator('.inputs').isVisible(), false);
      assert.match(await page.locator('.paper').innerText(), /2,048|4,096/);
      const ink = await page.locator('.sentence').evaluate((each) => getComputedStyle(each).color);
      assert.ok(
        ink
          .match(/\d+/g)
          .slice(0, 3)
          .every((value) => value < 90),
        ink,
      ); // dark on white
      await opened.close();
    });
  }

  test('text and Markdown say the answer, its figures and what it rests on', async () => {
    const opened = await openPage(browser, `${address}#v=1&model=qwen3-8b`, {
      locale: 'en',
      init: notingCopies,
    });
    const { page } = opened;
    await answered(page);
    for (const name of ['text', 'markdown']) {
      await page.locator(`[data-take=${name}]`).click();
      await page.locator(`[data-take=${name}]`).getByText('Copied').waitFor();
    }
    const [text, markdown] = await page.evaluate(() => globalThis.said);
    const { report } = await stateOf(page);
    assert.ok(report.memory.fits);
    for (const each of [text, markdown]) {
      assert.match(each, /Qwen3.8B · LoRA · 1 × RTX 4090/);
      assert.match(each, /Precision.*BF16 mixed/);
      assert.match(each, /Total cost.*CNY/);
      assert.match(each, /#v=1&model=qwen3-8b$/);
    }
    assert.doesNotMatch(text, /[|*]/);
    assert.match(markdown, /^\| --- \| --- \|$/m);
    await opened.close();
  });

  for (const [locale, first, label] of [
    [
      'en',
      /^Doesn’t fit: .*GiB\. If it fit: .*CNY|^Doesn’t fit: .*GiB\. If it fit: .*USD/m,
      /Total cost \(if it fit\)/,
    ],
    ['zh-CN', /^放不下：.*GiB。假如放得下：用 .*元。$/m, /总费用（假如放得下）/],
  ]) {
    test(`what doesn’t fit is taken along as just that: ${locale}`, async () => {
      const opened = await openPage(
        browser,
        `${address}#v=1&model=llama-3.1-70b&kind=full&gpu=a100-sxm-80gb`,
        {
          locale,
          init: notingCopies,
        },
      );
      const { page } = opened;
      await answered(page);
      for (const name of ['text', 'markdown']) {
        await page.locator(`[data-take=${name}]`).click();
        await page.waitForFunction(
          (wanted) => globalThis.said.length === wanted,
          name === 'text' ? 1 : 2,
        );
      }
      for (const each of await page.evaluate(() => globalThis.said)) {
        assert.match(each, first);
        assert.match(each, label);
      }
      await page.emulateMedia({ media: 'print' });
      assert.match(await page.locator('[data-kpi=cost]').innerText(), label);
      await opened.close();
    });
  }
}
