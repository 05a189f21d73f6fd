// The way from view to view, and what each view shows.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { digestText } from '../../web/tools/accuracy.mjs';
import { answered, field, native, openPage, root, stateOf } from './page.mjs';

/** The visitor's day. */
const today = () => new Date().toISOString().slice(0, 10);

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
    await page.keyboard.press('ArrowRight');
    assert.equal((await shown(page)).tab, 'tab-rent');
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

  test('what to rent is found, kept within limits, and taken over with one click', async () => {
    const opened = await openPage(browser, `${address}#v=1&view=rent&model=qwen3-8b&kind=lora`);
    const { page } = opened;
    await page.locator('[data-complete=true]').waitFor();
    const rows = page.locator('[data-view=rent] tbody tr');
    assert.ok((await rows.count()) > 3);
    const [balance, cheap, fast] = await page.locator('.pick .pick-line').allTextContents();
    assert.notEqual(cheap, fast);
    // The first pick has the least product of cost and time of all in the list.
    const { front } = native(
      { model: 'qwen3-8b', training: { kind: 'lora' }, price: { date: today() } },
      'plan',
    );
    const product = ({ cost, time }) => Number(cost.total.value) * time.run.value;
    const best = front.reduce((a, b) => (product(b) < product(a) ? b : a));
    assert.match(
      await page.locator('[data-pick=balanced] .kpi-value').textContent(),
      new RegExp(`^${best.count} ×`),
    );
    assert.match(balance, /元/);
    await field(page, '/constraints/max_gpus').fill('1');
    await page.waitForFunction(() =>
      /^1 ×/.test(
        document
          .querySelector('train-tally')
          .shadowRoot.querySelector('[data-pick=fastest] .kpi-value')
          ?.textContent.trim() ?? '',
      ),
    );
    await page.locator('[data-complete=true]').waitFor();
    await page.waitForFunction(() => location.hash.includes('plan.max_gpus=1'));
    await page.locator('[data-pick=cheapest] .button').click();
    await answered(page);
    assert.equal((await stateOf(page)).scenario.cluster.count, 1);
    await opened.close();
  });

  test('what is taken over costs what the pick said, from the first frame on', async () => {
    // The scenario before it is of another card, another count and another currency.
    const before = 'model=qwen3-8b&kind=full&gpu=h100-sxm-80gb&gpus=16&offer=article-flagship';
    for (const [currency, which] of [
      ['CNY', 'cheapest'],
      ['USD', 'fastest'],
    ]) {
      const opened = await openPage(
        browser,
        `${address}#v=1&view=rent&${before}&currency=${currency === 'CNY' ? 'USD' : 'CNY'}`,
      );
      const { page } = opened;
      if (currency === 'USD') {
        await page.locator('input[name=plan-currency][value=USD]').check({ force: true });
      }
      await page.locator('[data-complete=true]').waitFor();
      const seen = await page.evaluate(async (name) => {
        const app = document.querySelector('train-tally');
        const shadow = app.shadowRoot;
        const pick = shadow.querySelector(`[data-pick=${name}]`);
        const cluster = pick.querySelector('.kpi-value').textContent.trim();
        const cost = pick.querySelector('.pick-line b:last-of-type').textContent.trim();
        pick.querySelector('.button').click();
        await app.updateComplete;
        const sentence = shadow.querySelector('.sentence').textContent.trim();
        const { offer } = app.scenario.price;
        return { cluster, cost, sentence, offer, total: app.report.cost.total };
      }, which);
      assert.equal(seen.total.currency, currency);
      assert.match(seen.cost, currency === 'USD' ? /美元/ : / 元/);
      assert.ok(seen.sentence.includes(seen.cost), `${seen.sentence} ${seen.cost}`);
      assert.ok(seen.sentence.includes(seen.cluster), `${seen.sentence} ${seen.cluster}`);
      assert.equal(typeof seen.offer, 'string');
      // And so does the native command, asked for the scenario that was taken.
      assert.deepEqual(native((await stateOf(page)).scenario).cost.total, seen.total);
      await opened.close();
    }
  });

  test('renting against owning: the article’s table to the yuan, and a proper sum beside it', async () => {
    const opened = await openPage(browser, `${address}#v=1&view=own`, { locale: 'zh-CN' });
    const { page } = opened;
    const view = page.locator('[data-view=own]');
    await view.locator('.answer[data-state=rent]').waitFor();
    assert.equal(await page.locator('[data-own=article]').count(), 0);
    await page.locator('input[name=own-preset][value=article]').check({ force: true });
    const table = page.locator('[data-own=article]');
    const cells = async (row) =>
      (await table.locator('tbody tr').nth(row).locator('td').allTextContents()).map((text) =>
        text.trim(),
      );
    assert.deepEqual((await cells(0)).slice(0, 2), ['480 万元', '480 万元']);
    assert.equal((await cells(5))[0], '984 万元');
    assert.equal((await cells(6))[0], '384 万元');
    assert.equal((await cells(7))[0], '600 万元 (61%)');
    assert.match(await table.locator('.hint').textContent(), /360 万元重复.*624 万元/);
    // Both proper sums are the core's.
    const properly = native({ preset: 'article' }, 'own');
    const atMarket = native(
      { preset: 'article', purchase: { server_price: properly.market.value.value } },
      'own',
    );
    const short = (money) => `${Number((Number(money.value) / 1e4).toPrecision(4))} 万元`;
    assert.deepEqual((await cells(5)).slice(1), [
      short(properly.own.total),
      short(atMarket.own.total),
    ]);
    // The market's price is a click away.
    await page.locator('[data-own=market]').click();
    await page.waitForFunction(() => location.hash.includes('own.purchase.server_price'));
    assert.equal(await page.locator('[data-own=market]').count(), 0);
    await opened.close();
  });

  test('what is assumed of owning is moved live, read as a table, and travels in the link', async () => {
    const opened = await openPage(
      browser,
      `${address}#v=1&view=own&own.purchase.gpu=h100-sxm-80gb&own.months=60&own.rent.per_gpu_hour=~30`,
    );
    const { page } = opened;
    const sentence = page.locator('[data-view=own] .sentence');
    const before = await sentence.textContent();
    const use = page.locator('#own-use');
    await use.focus();
    await page.keyboard.press('End');
    await page.waitForFunction(() => location.hash.includes('own.utilization=1'));
    assert.notEqual(await sentence.textContent(), before);
    const rent = { per_gpu_hour: '30', currency: 'CNY' };
    const asked = { purchase: { gpu: 'h100-sxm-80gb' }, rent, months: 60, utilization: 1 };
    const { breakeven_month: month, curve } = native(asked, 'own');
    assert.ok(month > 0 && month < 60);
    assert.ok(
      (await page.locator('[data-view=own] .answer .sub').textContent()).includes(`${month} 个月`),
    );
    assert.equal(await page.locator('train-tally-plot[data-figure=own] .guide').count(), 2);
    await page.locator('train-tally-plot[data-figure=own] .toggle').click();
    const rows = page.locator('train-tally-plot[data-figure=own] tbody tr');
    assert.equal(await rows.count(), curve.length);
    // Shares are typed in percent.
    await page.locator('[data-view=own] .expert summary').click();
    await field(page, '/purchase/capital_rate').fill('7');
    await page.waitForFunction(() => location.hash.includes('own.purchase.capital_rate=0.07'));
    // A server without a price: the last good answer stays, and says that it is not this one's.
    await field(page, '/purchase/gpu').click();
    await field(page, '/purchase/gpu').fill('MI300X');
    await page.keyboard.press('Enter');
    await page.locator('[data-view=own] [data-code=missing]').first().waitFor();
    await opened.close();
  });

  test('a quote is taken apart: the article’s plans with their slips, a text, fees on top', async () => {
    const opened = await openPage(browser, `${address}#v=1&view=quote`);
    const { page } = opened;
    const view = page.locator('[data-view=quote]');
    const shown = (verdict) =>
      view
        .locator(`[data-verdict=${verdict}]`)
        .evaluateAll((list) => list.map(({ dataset }) => dataset.code));
    // Never an empty form: it opens on a pasted text, nobody's in particular.
    assert.equal(await page.locator('[data-quote=example]').getAttribute('aria-pressed'), 'true');
    assert.ok((await shown('does_not_fit')).includes('quote_fits_lora_only'));
    for (const [plan, verdict, code] of [
      ['article-entry', 'conflicts', 'breakeven_hours_conflict'],
      ['article-advanced', 'arithmetic_slip', 'annual_price_slip'],
      ['article-flagship', 'arithmetic_slip', 'unit_cost_ten_times'],
      ['article-flagship', 'conflicts', 'discount_words_conflict'],
    ]) {
      await page.locator(`[data-quote=${plan}]`).click();
      assert.ok((await shown(verdict)).includes(code), `${plan} ${code}`);
    }
    await page.locator('[data-quote=clear]').click();
    assert.equal(await view.locator('[data-verdict]').count(), 0);
    const text = '8 卡 H100 包月 55000 元，年租 6.5 折 400000 元，可训 700 亿参数';
    await page.locator('#quote-text').fill(text);
    const { statements } = native({ text }, 'quote');
    assert.deepEqual(
      (
        await view
          .locator('[data-verdict]')
          .evaluateAll((list) => list.map(({ dataset }) => dataset.code))
      ).sort(),
      statements.map((each) => each.sentence_code).sort(),
    );
    // A field takes the place of what was read, and may hold two figures.
    for (const folded of await view.locator('.expert summary').all()) await folded.click();
    await field(page, '/quote/per_year').fill('429000');
    await page.waitForFunction(
      () =>
        document
          .querySelector('train-tally')
          .shadowRoot.querySelector('[data-code=annual_price_holds]') !== null,
    );
    await field(page, '/quote/per_month').fill('55000 / 5.6万');
    await view.locator('[data-code=quote_month_prices_conflict]').waitFor();
    await page.locator('#fee-data_transfer').selectOption('per_month');
    await field(page, '/quote/fees/0/amount').fill('5500');
    const fees = page.locator('[data-quote=fees]');
    await page.waitForFunction(() =>
      /9\.1%/.test(
        document.querySelector('train-tally').shadowRoot.querySelector('[data-quote=fees]')
          ?.textContent ?? '',
      ),
    );
    assert.match(await fees.textContent(), /5,500 元/);
    await opened.close();
  });

  test('what makes a job fit is a click away, and undone', async () => {
    const unfit = { model: 'llama-3.1-8b', training: { kind: 'full' } };
    const opened = await openPage(browser, `${address}#v=1&model=llama-3.1-8b&kind=full`);
    const { page } = opened;
    await page.locator('.answer[data-state=fitsNot]').waitFor();
    const { changes } = native(unfit, 'fit');
    const list = page.locator('[data-fit=changes] [data-fits]');
    assert.deepEqual(
      await list.evaluateAll((items) => items.map(({ dataset }) => dataset.code)),
      changes.map(({ codes }) => codes.join('+')),
    );
    await page.locator('[data-fits=well] .button').first().click();
    await page.locator('.answer[data-state=fits]').waitFor();
    const { scenario, report } = await stateOf(page);
    assert.equal(report.memory.device_peak.value, changes[0].device_peak);
    assert.equal(scenario.training.kind, changes[0].patch.training.kind);
    assert.equal(await page.locator('[data-fit=changes]').count(), 0);
    // Where it fits, how much more would is folded away.
    await page.locator('[data-fold=room] summary').click();
    await page.locator('[data-fit=most] li').first().waitFor();
    assert.ok((await page.locator('[data-fit=most] li').count()) > 1);
    await page.locator('[data-step=undo]').click();
    await page.locator('.answer[data-state=fitsNot]').waitFor();
    await opened.close();
  });

  test('the job’s recipes are those of the core, to copy; a tool that can’t has its reason', async () => {
    const opened = await openPage(browser, `${address}#v=1&model=qwen3-8b`);
    const { page } = opened;
    await answered(page);
    await page.evaluate(() => {
      navigator.clipboard.writeText = (text) => {
        window.copied = text; // a page from disk has no clipboard
        return Promise.resolve();
      };
    });
    await page.locator('[data-fold=recipe] summary').click();
    const { recipes, inexpressible } = native({ model: 'qwen3-8b' }, 'recipe');
    for (const { tool, text } of recipes) {
      assert.equal(await page.locator(`[data-recipe=${tool}] pre`).textContent(), text);
    }
    assert.ok(inexpressible.some(({ tool }) => tool === 'megatron'));
    assert.match(await page.locator('[data-inexpressible=megatron]').textContent(), /LoRA/);
    await page.locator('[data-recipe=deepspeed] .button').click();
    await page.locator('[data-recipe=deepspeed] .button', { hasText: '已复制' }).waitFor();
    assert.equal(
      await page.evaluate(() => window.copied),
      recipes.find(({ tool }) => tool === 'deepspeed').text,
    );
    await opened.close();
  });

  test('a project costs more than its run, by shares that are the visitor’s', async () => {
    const opened = await openPage(browser, `${address}#v=1&model=qwen3-8b`);
    const { page } = opened;
    await answered(page);
    const fold = page.locator('[data-fold=project]');
    await fold.locator('summary').click();
    await field(page, '/budget/trial_runs_share').fill('50');
    await field(page, '/budget/data_preparation').fill('1000');
    await field(page, '/budget/upload_tb').fill('1');
    await field(page, '/budget/line_mbit_s').fill('100');
    await page.waitForFunction(() => location.hash.includes('project.line_mbit_s=100'));
    const { budget } = native(
      {
        phases: [{ scenario: { version: 1, model: 'qwen3-8b' } }],
        currency: 'CNY',
        budget: { trial_runs_share: 0.5, data_preparation: '1000', upload_tb: 1, line_mbit_s: 100 },
      },
      'project',
    );
    const text = await fold.textContent();
    const total = new Intl.NumberFormat('zh-CN', { maximumFractionDigits: 0 });
    assert.ok(text.includes(`${total.format(Number(budget.total.value))} 元`), text);
    assert.match(text, /上传数据\s*22 小时/);
    await opened.close();
  });

  test('offers are kept to a checklist; those left out say why, the article’s advice stands by', async () => {
    const opened = await openPage(browser, `${address}#v=1&view=rent&model=qwen3-8b&kind=lora`);
    const { page } = opened;
    await page.locator('[data-complete=true]').waitFor();
    const before = await page.locator('[data-pick=cheapest]').textContent();
    await page.locator('[data-fold=advice] summary').click();
    await page.locator('[data-fold=advice]', { hasText: /4–8 × RTX 4090 24G/ }).waitFor();
    await page.locator('[data-require=rdma]').check();
    await page.waitForFunction(() => location.hash.includes('plan.require'));
    await page.locator('[data-complete=true]').waitFor();
    assert.notEqual(await page.locator('[data-pick=cheapest]').textContent(), before);
    await page.locator('[data-fold=leftOut] summary').click();
    const { ruled_out: left } = native(
      {
        model: 'qwen3-8b',
        training: { kind: 'lora' },
        constraints: { require: ['rdma'] },
      },
      'plan',
    );
    const rows = page.locator('[data-fold=leftOut] dl > div');
    await rows.first().waitFor();
    assert.equal(await rows.count(), left.length);
    assert.match(await rows.first().textContent(), /RDMA 网络/);
    await opened.close();
  });

  test('scenarios stand side by side, in one currency, and the link carries them', async () => {
    const opened = await openPage(
      browser,
      `${address}#v=1&model=qwen3-8b&kind=full&gpu=a100-sxm-80gb&gpus=8`,
    );
    const { page } = opened;
    await answered(page);
    await page.locator('[data-take=pin]').click();
    await page.locator('[data-view=compare]').waitFor();
    await page.locator('[data-pin=lora8b]').click();
    const titles = page.locator('.side-title');
    assert.equal(await titles.count(), 3);
    const costs = await page.locator('.sides tbody tr:nth-child(4) td').allTextContents();
    assert.equal(new Set(costs.map((text) => /(美元|元)/.exec(text)?.[0])).size, 1, costs.join());
    assert.ok((await page.locator('.sides .differs').count()) > 4);
    // Different models: none is better.
    assert.equal(await page.locator('.sides .best').count(), 0);
    assert.equal(await page.locator('[data-unlike]').count(), 1);
    // Of two that are alike neither is best, and more memory in use is no merit.
    const bests = page.locator('.sides tbody tr td:nth-child(-n+3) .tag');
    assert.equal(await bests.count(), 0);
    assert.equal(await page.locator('.sides tbody tr:first-child .best').count(), 0);
    await page.waitForFunction(() => /with=.*%7C/.test(location.hash));
    const same = '#v=1&view=compare&model=qwen3-8b&kind=full&gpu=a100-sxm-80gb&gpus=8';
    // As many tokens as usual, said as a data set gone through once.
    const other = encodeURIComponent(
      'v=1&model=qwen3-8b&kind=full&gpu=a100-sxm-80gb&gpus=16&dataset=1e8&epochs=1',
    );
    const ways = await openPage(browser, `${address}${same}&with=${other}`);
    await ways.page.locator('[data-view=compare]').waitFor();
    assert.ok((await ways.page.locator('.sides .best').count()) >= 2);
    assert.equal(await ways.page.locator('[data-unlike]').count(), 0);
    await ways.close();
    const again = await openPage(browser, page.url());
    await again.page.locator('[data-view=compare]').waitFor();
    assert.deepEqual(
      await again.page.locator('.side-title').allTextContents(),
      await titles.allTextContents(),
    );
    await again.close();
    await page.locator('.sides thead .link').last().click();
    assert.equal(await titles.count(), 2);
    await opened.close();
  });

  test('a change is undone, redone, and all of it reset', async () => {
    const opened = await openPage(browser, address);
    const { page } = opened;
    await answered(page);
    const kind = () => page.evaluate(() => document.querySelector('train-tally').scenario.training);
    assert.equal(await page.locator('[data-step=undo]').isDisabled(), true);
    await page.locator('input[name=kind][value=full]').check({ force: true });
    assert.deepEqual(await kind(), { kind: 'full' });
    await page.locator('[data-step=undo]').click();
    assert.equal(await kind(), undefined);
    await page.locator('[data-step=redo]').click();
    assert.deepEqual(await kind(), { kind: 'full' });
    await page.locator('[data-step=reset]').click();
    assert.equal(await kind(), undefined);
    await opened.close();
  });

  test('what is taken away is what the page shows, units in a column of their own', async () => {
    const opened = await openPage(browser, address);
    const { page } = opened;
    await answered(page);
    const take = async (name) => {
      const waiting = page.waitForEvent('download');
      await page.locator(`[data-take=${name}]`).click();
      return readFile(await (await waiting).path(), 'utf8');
    };
    const { report, scenario } = JSON.parse(await take('json'));
    assert.deepEqual(scenario, { version: 1, model: 'llama-3.1-8b' });
    const rows = (await take('csv'))
      .replace('\ufeff', '')
      .split('\r\n')
      .map((row) => row.split(','));
    assert.equal(Number(rows[3][1]), report.time.run.value);
    assert.deepEqual([rows[3][4], rows[6][4]], ['s', 'CNY']);
    assert.equal(rows[6][1], report.cost.total.value);
    assert.ok(
      rows.some(([name, value]) => name === 'training.sequence_length' && value === '2048'),
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
