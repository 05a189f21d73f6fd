// For those who don't do this every day: simple and expert mode, words, sizes of data, own runs.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { answered, drop, field, openPage, stateOf, type, until } from './page.mjs';

export function helping({ test, browser, address, overHttp, scratch }) {
  const onPage = (title, body, { at = address, ...options } = {}) =>
    test(title, async () => {
      const opened = await openPage(browser, at, options);
      await answered(opened.page);
      await body(opened.page, opened);
      await opened.close();
    });
  const mode = (page, name) =>
    page.locator(`input[name=mode][value=${name}]`).check({ force: true });

  onPage(
    'the simple mode asks little, the expert’s asks all, and nothing is lost between',
    async (page) => {
      assert.equal(await field(page, '/training/sequence_length').count(), 0);
      assert.equal(await page.locator('#precision').count(), 0);
      await mode(page, 'expert');
      await page.waitForFunction(() => location.hash === '#v=1&mode=expert');
      await type(page, '/training/sequence_length', '4096');
      await page.locator('#precision').selectOption('bf16-pure');
      const before = await until(
        page,
        (s) => s.report?.resolved?.training?.precision === 'bf16-pure',
      );
      await mode(page, 'simple');
      await page.locator('[data-chosen]').getByText('2 项专家设置').waitFor();
      const { report, scenario } = await stateOf(page);
      assert.deepEqual([report, scenario], [before.report, before.scenario]);
      await page.locator('[data-chosen] .link').click();
      assert.equal(await field(page, '/training/sequence_length').inputValue(), '4,096');
      await page.waitForFunction(() => location.hash.includes('mode=expert'));
      assert.equal(
        await page.evaluate(() => document.querySelector('train-tally').getAttribute('mode')),
        'expert',
      );
    },
  );

  test('a field to be corrected is shown, whatever the mode', async () => {
    const opened = await openPage(browser, `${address}#v=1&model=qwen3-8b&seq=0`);
    await opened.page.locator('[data-at="/training/sequence_length"] .problem').waitFor();
    await opened.close();
  });

  for (const [locale, word] of [
    ['zh-CN', /汉字/],
    ['en', /English word/],
  ]) {
    onPage(
      `a word is explained beside its label, by keyboard: ${locale}`,
      async (page) => {
        const button = page.locator('[data-term=tokens] button');
        await button.focus();
        await page.keyboard.press('Enter');
        assert.equal(await button.getAttribute('aria-expanded'), 'true');
        assert.match(await page.locator('[data-term=tokens] p').textContent(), word);
        await page.keyboard.press('Escape');
        assert.equal(await page.locator('[data-term=tokens] p').count(), 0);
        await page.locator('.glossary summary').click();
        await page.locator('.glossary li').first().waitFor();
        assert.ok((await page.locator('.glossary li').count()) > 40);
      },
      { locale },
    );
  }

  onPage('every field of the expert has its explanation', async (page) => {
    await mode(page, 'expert');
    await page.locator('input[name=kind][value=full]').check({ force: true });
    await type(page, '/cluster/count', '8');
    await page.locator('input[name=layout][value=own]').check({ force: true });
    await field(page, '/layout/tp').waitFor();
    const bare = await page.locator('.inputs .label, .inputs [data-at]').evaluateAll((found) =>
      found
        .filter((each) => !each.closest('.ran, .kept, .config') && !each.matches('[type=checkbox]'))
        .filter(
          (each) =>
            each.parentElement.querySelector('train-tally-help') === null &&
            each.shadowRoot?.querySelector('train-tally-help') ===
              (each.shadowRoot ? null : undefined),
        )
        .map((each) => each.dataset.at ?? each.textContent),
    );
    assert.deepEqual(bare, []);
  });

  onPage('rows become tokens, as a range; padding costs what it costs', async (page) => {
    await page.locator('input[name=much][value=data]').check({ force: true });
    const amount = (name) => page.locator(`[data-size=${name}] input`);
    await amount('amount').fill('1万');
    await amount('perRow').fill('430');
    const { scenario } = await until(page, (s) => s.scenario.training?.tokens?.dataset_tokens > 0);
    assert.deepEqual(scenario.training.tokens, { dataset_tokens: 1e6, epochs: 1 });
    assert.match(
      await page.locator('[data-estimate]').textContent(),
      /估计.*100 万.*91.5 万–108 万/,
    );
    await page.locator('input[name=size-short][value=padded]').check({ force: true });
    await until(page, (s) => s.scenario.training.tokens.dataset_tokens === 20_500_000);
    assert.match(
      await page.locator('[data-estimate]').textContent(),
      /2,048 个 token，其中 4.9% 是真实/,
    );
    await page.locator('input[name=size-by][value=gigabytes]').check({ force: true });
    await amount('amount').fill('3');
    await page.locator('input[name=size-language][value=zh]').check({ force: true });
    await until(page, (s) => s.scenario.training.tokens.dataset_tokens === 606_000_000);
  });

  onPage('a JSONL file is counted where it is, chosen or dropped', async (page) => {
    await page.locator('input[name=much][value=data]').check({ force: true });
    await page.locator('input[name=size-by][value=file]').check({ force: true });
    const rows = Array.from({ length: 1000 }, () =>
      JSON.stringify({ role: '训练算账', text: 'x'.repeat(430) }),
    );
    const path = join(scratch, 'data.jsonl');
    await writeFile(path, rows.join('\n'));
    await page.locator('input[data-open=data]').setInputFiles(path);
    assert.match(await page.locator('[data-counted]').textContent(), /1,000 条，434,000 个字符/);
    await until(page, (s) => s.scenario.training?.tokens?.dataset_tokens === 102_000);
    await drop(page, '语料.txt', '算'.repeat(16_500));
    await until(page, (s) => s.scenario.training?.tokens?.dataset_tokens === 10_000);
    await drop(page, 'x.bin', [0xff, 0xfe, 0xff]);
    await page.locator('.drop + [role=alert]').waitFor();
  });

  onPage('a file dropped where quotes are checked is the quote, and no data', async (page) => {
    const before = await page.evaluate(() => document.querySelector('train-tally').scenario);
    await page.locator('#tab-quote').click();
    await drop(page, 'quote.txt', '8x H100 $20/hour');
    await page.waitForFunction(
      () =>
        document.querySelector('train-tally').shadowRoot.querySelector('#quote-text').value ===
        '8x H100 $20/hour',
    );
    await page.locator('#tab-own').click();
    await drop(page, 'table.csv', 'a,b');
    await page.locator('#tab-estimate').click();
    assert.deepEqual(
      await page.evaluate(() => document.querySelector('train-tally').scenario),
      before,
    );
  });

  onPage('what others trained on is one click away, with its source', async (page) => {
    await page.locator('.usual summary').click();
    await page.locator('[data-use=lima]').click();
    await until(page, (s) => s.scenario.training?.tokens?.epochs === 15);
    await page.locator('input[name=kind][value=pretrain]').check({ force: true });
    assert.match(await page.locator('.usual').textContent(), /每个参数 20 个 token.*2203\.15556/s);
    await page.locator('[data-use=optimal]').click();
    await until(page, (s) => s.scenario.training.tokens === 161e9);
  });

  onPage(
    'one’s own step time moves time and cost, and is ready to be sent',
    async (page) => {
      const { report } = await stateOf(page);
      const twice = report.time.step.value * 2;
      await page.locator('.ran summary').click();
      await type(page, '/measured/step_s', String(twice));
      const after = await until(page, (s) => s.report.time.step.value === twice);
      assert.ok(after.report.time.run.value > 1.9 * report.time.run.value);
      assert.ok(Number(after.report.cost.total.value) > 1.9 * Number(report.cost.total.value));
      assert.match(await page.locator('[data-ratio]').textContent(), / 2 倍/);
      assert.match(await page.locator('[data-basis]').textContent(), /你自己/);
      await page.locator('[data-contribute]').click();
      const text = await page.evaluate(() => navigator.clipboard.readText());
      const [, configuration] = /```json\n(.*)\n```/s.exec(text);
      assert.equal(JSON.parse(configuration).model, 'llama-3.1-8b');
      assert.ok(
        text.includes(`${twice} s/step`) && text.includes(`${report.time.step.value} s/step`),
      );
    },
    { at: overHttp, permissions: ['clipboard-read', 'clipboard-write'] },
  );

  onPage(
    'scenarios are kept by name only when asked, and forgotten',
    async (page, { context }) => {
      const stored = () => page.evaluate(() => Object.keys(localStorage));
      assert.deepEqual(await stored(), []);
      await page.locator('.kept summary').click();
      await page.locator('#kept-name').fill('甲');
      await page.locator('[data-keep]').click();
      await page.locator('.kept li').waitFor();
      assert.deepEqual(await stored(), ['train-tally.kept']);
      await page.locator('[data-preset=full7b]').click();
      await until(page, (s) => s.scenario.model === 'qwen2.5-7b');
      const other = await context.newPage();
      await other.goto(`${overHttp}#v=1&model=qwen3-8b`); // a link wins over what is kept
      await answered(other);
      assert.deepEqual((await stateOf(other)).scenario, { model: 'qwen3-8b' });
      await other.close();
      await page.locator('.kept li .link').click();
      await until(page, (s) => s.scenario.model === 'llama-3.1-8b');
      await page.locator('.kept li .icon').click();
      assert.deepEqual(await stored(), []);
    },
    { at: overHttp },
  );

  onPage(
    'where the browser keeps nothing, the page says so and works',
    async (page) => {
      await page.locator('.kept summary').click();
      await page.locator('.kept').getByText('浏览器不允许本页保存内容').waitFor();
      assert.equal(await page.locator('[data-keep]').count(), 0);
    },
    {
      init: () => {
        Object.defineProperty(globalThis, 'localStorage', {
          get() {
            throw new DOMException('no', 'SecurityError');
          },
        });
      },
    },
  );
}
