// What a visitor types, pastes or is sent stays theirs: judged alone, never lost, refused in words.
import assert from 'node:assert/strict';
import { answered, field, native, openPage, type, until } from './page.mjs';

const codes = (page) =>
  page
    .locator('[data-view=quote] [data-verdict]')
    .evaluateAll((list) => list.map(({ dataset }) => dataset.code).sort());

async function codesBecome(page, wanted) {
  const last = JSON.stringify([...wanted].sort());
  for (let tries = 0; tries < 300 && JSON.stringify(await codes(page)) !== last; tries += 1) {
    await page.waitForTimeout(30);
  }
  assert.deepEqual(await codes(page), [...wanted].sort());
}

export function typed({ test, browser, address }) {
  async function open(hash, options) {
    const opened = await openPage(browser, address + hash, options);
    return { ...opened, view: opened.page.locator('[data-view=quote]') };
  }

  test('a text pasted on a first visit is judged alone, and so is one pasted over an example', async () => {
    const text = '8 卡 H100 包月 55000 元，年租 6.5 折 400000 元，可训 700 亿参数';
    const alone = native({ text }, 'quote').statements.map((each) => each.sentence_code);
    const { page, view, close } = await open('#v=1&view=quote');
    const note = view.locator('[data-quote=shown]');
    assert.match(await note.textContent(), /示例/);
    assert.equal(await field(page, '/quote/count').inputValue(), '');
    await page.locator('#quote-text').fill(text);
    await codesBecome(page, alone);
    assert.equal(await note.count(), 0);
    // An example that was chosen, and changed in one field: that field alone is the visitor's.
    await view.locator('[data-quote=article-advanced]').click();
    await view.locator('.expert summary').first().click();
    await type(page, '/quote/count', '4');
    await page.locator('#quote-text').fill(text);
    const said = { text, quote: { count: ['4'] } };
    await codesBecome(
      page,
      native(said, 'quote').statements.map((each) => each.sentence_code),
    );
    await close();
  });

  test('one field filled in on a first visit makes a quote of one field', async () => {
    const { page, view, close } = await open('#v=1&view=quote');
    await view.locator('.expert summary').first().click();
    await type(page, '/quote/per_month', '8800');
    await page.waitForFunction(() => location.hash.includes('quote.quote.per_month'));
    const { requests } = await page.evaluate(() => document.querySelector('train-tally').context);
    assert.deepEqual(requests.quote, { quote: { per_month: ['8800'] } });
    await close();
  });

  test('a text that is too long is kept whole, and said to be', async () => {
    const { page, view, close } = await open('#v=1&view=quote');
    const line = '4090 1.8元/小时\n';
    const box = page.locator('#quote-text');
    await box.fill(line.repeat(400)); // 5,200 characters: the core takes them
    await view.locator('[data-verdict]').first().waitFor();
    assert.equal((await box.inputValue()).length, 400 * line.length);
    assert.equal(await box.getAttribute('aria-invalid'), 'false');
    const longer = '字'.repeat(20_001); // one more than it takes
    await box.fill(longer);
    await view.locator('#quote-text-problem').waitFor();
    assert.match(await view.locator('#quote-text-problem').textContent(), /太长/);
    assert.equal(await box.inputValue(), longer);
    assert.equal(await view.locator('[data-quote=shown]').count(), 0);
    await close();
  });

  test('an example’s answer is none to a first text that the core refuses', async () => {
    const { page, view, close } = await open('#v=1&view=quote');
    await page.locator('#quote-text').fill('字'.repeat(20_001));
    await view.locator('#quote-text-problem').waitFor();
    assert.equal(await view.locator('[data-verdict]').count(), 0);
    await close();
  });

  for (const [view, hash, at] of [
    ['estimate', '#v=1&mode=expert', '/training/tokens'],
    ['rent', '#v=1&view=rent', '/constraints/max_gpus'],
    ['own', '#v=1&view=own&own.preset=article', '/purchase/count'],
    ['quote', '#v=1&view=quote', '/quote/count'],
  ]) {
    test(`text that is no number outlasts a way through the views: ${view}`, async () => {
      const { page, close } = await open(hash);
      await page.locator(`#tab-${view}[aria-selected=true]`).waitFor();
      await type(page, at, '12abc');
      await page.locator(`[data-at="${at}"] .problem`).waitFor();
      await page.locator('#tab-accuracy').click();
      await page.locator('[data-view=accuracy]').waitFor();
      await page.locator(`#tab-${view}`).click();
      const input = field(page, at);
      await input.waitFor();
      assert.equal(await input.inputValue(), '12abc');
      assert.equal(await input.getAttribute('aria-invalid'), 'true');
      assert.ok((await page.locator(`[data-at="${at}"] .problem`).count()) > 0);
      await type(page, at, '3');
      await page.locator(`[data-at="${at}"] .problem`).waitFor({ state: 'detached' });
      await page.locator('#tab-accuracy').click();
      await page.locator(`#tab-${view}`).click();
      await input.waitFor();
      assert.equal(await input.inputValue(), '3');
      await close();
    });
  }

  test('a number beyond all bounds is refused in words', async () => {
    const { page, close } = await open('#v=1&mode=expert');
    await answered(page);
    for (const text of ['999^999', '1e400', '9'.repeat(64)]) {
      await type(page, '/training/tokens', text);
      await page.locator('[data-at="/training/tokens"] .problem', { hasText: '太大' }).waitFor();
      assert.equal(
        await page.locator('[data-at="/training/tokens"] .hint', { hasText: '∞' }).count(),
        0,
      );
    }
    await type(page, '/training/tokens', '百万');
    await until(page, (s) => !s.stale && s.scenario.training?.tokens === 1e6);
    await close();
  });

  test('a link of a later version is said to be one, and stays until something is changed', async () => {
    const hash = '#v=99&view=hologram&model=qwen3-8b&novelty=3';
    const { page, close } = await open(hash);
    await page.locator('.note.bad', { hasText: '更新的版本' }).waitFor();
    await page.waitForTimeout(600);
    assert.equal(await page.evaluate(() => location.hash), hash);
    assert.equal(
      (await page.evaluate(() => document.querySelector('train-tally').scenario)).model,
      'qwen3-8b',
    );
    await page.locator('#tab-estimate').click();
    await page.waitForFunction(() => location.hash.startsWith('#v=1&'));
    await close();
  });

  test('a config.json that is nested too deeply has its problem beside it', async () => {
    const { page, close } = await open('');
    await answered(page);
    await page.locator('[data-config-open]').click();
    await page.locator('#config').fill(`{"a":${'['.repeat(80)}${']'.repeat(80)}}`);
    await page.locator('#config-problem', { hasText: '太深' }).waitFor();
    await close();
  });
}
