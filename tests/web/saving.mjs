// A page that was saved and opened again is the same page.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answered, openPage, stateOf, until } from './page.mjs';

const hash =
  '#v=1&model=qwen2.5-7b&kind=full&tokens=2e9&gpu=h100-sxm-80gb&gpus=16&currency=USD&compile=true';

const elements = (page) =>
  page.evaluate(() => {
    const count = (root) =>
      [...root.querySelectorAll('*')].reduce(
        (sum, element) => sum + 1 + (element.shadowRoot ? count(element.shadowRoot) : 0),
        0,
      );
    return count(document);
  });

export function saving({ test, browser, address, scratch }) {
  for (const [name, serialize] of [
    ['by its source', () => `<!doctype html>\n${document.documentElement.outerHTML}`],
    [
      'with its shadow roots, as Chromium saves it',
      () =>
        `<!doctype html>\n${document.documentElement.getHTML({ serializableShadowRoots: true })}`,
    ],
  ]) {
    test(`a page saved ${name}, twice, answers as before and doubles nothing`, async () => {
      let opened = await openPage(browser, address + hash);
      await answered(opened.page);
      await opened.page.evaluate(() =>
        document.querySelector('train-tally').choose({ lang: 'en' }),
      );
      const before = await until(opened.page, (s) => /per million/.test(s.sentence));
      const count = await elements(opened.page);
      for (const time of ['first', 'second']) {
        const file = join(scratch, `${time}.html`);
        await writeFile(file, await opened.page.evaluate(serialize));
        await opened.close();
        opened = await openPage(browser, `file://${file}`);
        await answered(opened.page);
        const after = await until(opened.page, (s) => s.sentence === before.sentence);
        assert.deepEqual(after.report, before.report, time);
        assert.equal(await elements(opened.page), count, time);
      }
      await opened.close();
    });
  }

  test('a web archive, which runs no scripts, still reads as it was saved', async () => {
    const opened = await openPage(browser, address + hash);
    await answered(opened.page);
    const { sentence } = await stateOf(opened.page);
    const devtools = await opened.context.newCDPSession(opened.page);
    const { data } = await devtools.send('Page.captureSnapshot', { format: 'mhtml' });
    const file = join(scratch, 'archive.mhtml');
    await writeFile(file, data);
    await opened.close();
    const archive = await openPage(browser, `file://${file}`, { allow: [/^request: cid:/] });
    const seen = await archive.page.evaluate(() => {
      const root = document.querySelector('train-tally').shadowRoot;
      const icons = [...root.querySelectorAll('svg[width="16"], svg[width="20"]')];
      return {
        sentence: root.querySelector('.sentence').textContent.trim(),
        widest: Math.max(...icons.map((icon) => icon.getBoundingClientRect().width)),
      };
    });
    assert.equal(seen.sentence, sentence);
    assert.ok(seen.widest <= 24, `${seen.widest} pixels of icon`);
    await archive.close();
  });

  test('view, mode, language and colours are saved too', async () => {
    const opened = await openPage(
      browser,
      `${address}#v=1&view=compare&mode=expert&lang=en&scheme=dark&model=qwen3-8b&with=v%3D1%26model%3Dqwen3-32b`,
    );
    await opened.page.locator('.side-title').nth(1).waitFor();
    const titles = await opened.page.locator('.side-title').allTextContents();
    const file = join(scratch, 'compare.html');
    await writeFile(
      file,
      await opened.page.evaluate(() => `<!doctype html>${document.documentElement.outerHTML}`),
    );
    await opened.close();
    const again = await openPage(browser, `file://${file}`);
    await again.page.locator('.side-title').first().waitFor();
    const state = await again.page.evaluate(() => {
      const app = document.querySelector('train-tally');
      return [app.viewName, app.mode, app.language, app.scheme];
    });
    assert.deepEqual(state, ['compare', 'expert', 'en', 'dark']);
    assert.deepEqual(await again.page.locator('.side-title').allTextContents(), titles);
    await again.close();
  });

  test('the offline copy that the page hands out answers as the page does', async () => {
    const opened = await openPage(browser, address + hash);
    await answered(opened.page);
    const before = await stateOf(opened.page);
    const waiting = opened.page.waitForEvent('download');
    await opened.page.locator('[data-tool=offline]').click();
    const download = await waiting;
    const file = join(scratch, 'offline.html');
    await download.saveAs(file);
    await opened.close();
    assert.doesNotMatch(await readFile(file, 'utf8'), /shadowrootmode/);
    const copy = await openPage(browser, `file://${file}`);
    await answered(copy.page);
    assert.deepEqual((await stateOf(copy.page)).report, before.report);
    await copy.close();
  });

  test('a saved page that is opened by a link shows the link’s scenario, unmixed', async () => {
    const opened = await openPage(browser, address + hash);
    await answered(opened.page);
    const file = join(scratch, 'saved.html');
    await writeFile(
      file,
      await opened.page.evaluate(() => `<!doctype html>${document.documentElement.outerHTML}`),
    );
    await opened.close();
    const again = await openPage(browser, `file://${file}#v=1&model=qwen3-8b&kind=qlora`);
    await answered(again.page);
    assert.deepEqual((await stateOf(again.page)).scenario, {
      model: 'qwen3-8b',
      training: { kind: 'qlora' },
    });
    await again.close();
  });
}
