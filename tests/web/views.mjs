// The way from view to view, and what each view shows.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { digestText } from '../../web/tools/accuracy.mjs';
import { answered, openPage, root } from './page.mjs';

const shown = (page) =>
  page.evaluate(() => {
    const app = document.querySelector('train-tally');
    return {
      view: app.viewName,
      tab: app.shadowRoot.querySelector('[role=tab][aria-selected=true]')?.id,
      focus: app.shadowRoot.activeElement?.id,
      hash: location.hash,
    };
  });

export function views({ test, browser, address }) {
  test('tabs lead from view to view, by arrow keys too, and the link says which', async () => {
    const opened = await openPage(browser, address);
    const { page } = opened;
    await answered(page);
    await page.locator('#tab-estimate').focus();
    await page.keyboard.press('End');
    assert.deepEqual((await shown(page)).focus, 'tab-accuracy');
    await page.waitForFunction(() => location.hash.includes('view=accuracy'));
    await page.locator('[data-view=accuracy]').waitFor();
    await page.keyboard.press('ArrowRight');
    await answered(page);
    assert.equal((await shown(page)).tab, 'tab-estimate');
    await opened.close();
  });

  test('a link opens on its view; compact leaves the tabs out', async () => {
    const opened = await openPage(browser, `${address}#v=1&view=accuracy`);
    const { page } = opened;
    await page.locator('[data-view=accuracy]').waitFor();
    assert.equal((await shown(page)).tab, 'tab-accuracy');
    await page.evaluate(() => document.querySelector('train-tally').setAttribute('compact', ''));
    await page.waitForFunction(
      () => document.querySelector('train-tally').shadowRoot.querySelector('[role=tab]') === null,
    );
    await opened.close();
  });

  test('measurements are filtered, and every point is read by keyboard', async () => {
    const opened = await openPage(browser, `${address}#v=1&view=accuracy`);
    const { page } = opened;
    const count = page.locator('[data-view=accuracy] .kpi-value').last();
    const all = Number((await count.textContent()).replaceAll(',', ''));
    await page.locator('#accuracy-stack').selectOption('nemo');
    const some = Number((await count.textContent()).replaceAll(',', ''));
    assert.ok(some > 100 && some < all / 4, `${some} of ${all}`);
    const slider = page.locator('train-tally-plot .steps');
    await slider.focus();
    const first = await slider.getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowRight');
    const second = await slider.getAttribute('aria-valuetext');
    assert.match(first, /实测 .*预测 /);
    assert.notEqual(first, second);
    assert.equal(await page.locator('train-tally-plot .tip').count(), 1);
    await page.locator('train-tally-plot .toggle').click();
    const cells = await page.locator('train-tally-plot tbody td:nth-child(2)').allTextContents();
    assert.equal(
      cells.reduce((sum, cell) => sum + Number(cell.replaceAll(',', '')), 0),
      some,
    );
    await opened.close();
  });

  test('the page’s measurements are those of the last accuracy run', async () => {
    const carried = await readFile(`${root}web/data/accuracy.json`, 'utf8');
    const { errors, sources } = JSON.parse(carried);
    const results = JSON.parse(
      await readFile(`${root}tests/accuracy/results/accuracy.json`, 'utf8'),
    );
    const keyOf = ([source, kind, complete]) =>
      `${sources[source].id}/${kind}/${complete ? 'complete' : 'incomplete'}`;
    assert.deepEqual(
      errors.map((row) => [keyOf(row), row[3]]).sort(),
      results.sources.map((row) => [row.key, row.rows]).sort(),
    );
    for (const row of errors) {
      const { median, p90, coverage } = results.sources.find(({ key }) => key === keyOf(row));
      // What the run accepts as the same result, it accepts here too.
      assert.ok(Math.abs(row[4] - median) < 1e-3, `${keyOf(row)}: node web/tools/accuracy.mjs`);
      assert.ok(Math.abs(row[5] - p90) < 1e-3, `${keyOf(row)}: node web/tools/accuracy.mjs`);
      assert.ok(Math.abs(row[6] - coverage) < 1e-3, `${keyOf(row)}: node web/tools/accuracy.mjs`);
    }
    const report = `${root}dist/reports/accuracy.json`;
    if ((await stat(report).catch(() => undefined)) === undefined) return;
    assert.equal(await digestText(JSON.parse(await readFile(report, 'utf8'))), carried);
  });
}
