// The page in Chromium, driven as a person drives it, from disk and over HTTP.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { mergedCatalog, withoutUnread } from '../../web/tools/catalog.mjs';
import { serve } from '../../web/serve.mjs';
import { helping } from './help.mjs';
import {
  answered,
  chromiumFlags,
  drop,
  field,
  native,
  openPage,
  root,
  stateOf,
  type,
  until,
} from './page.mjs';
import { saving } from './saving.mjs';
import { suite } from './suite.mjs';
import { taking } from './taking.mjs';
import { visitorLists } from './lists.mjs';
import { typed } from './typed.mjs';
import { views } from './views.mjs';

const server = await serve(`${root}dist`, 0);
const overHttp = `http://127.0.0.1:${server.address().port}/index.html`;
const fromDisk = `file://${root}dist/index.html`;
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: chromiumFlags });
const scratch = await mkdtemp(join(tmpdir(), 'traintally-web-'));
const { test, finish } = suite('web-chromium');

/** A test with a page open, which must have behaved. */
function onPage(title, body, { address = fromDisk, hash = '', ...options } = {}) {
  test(title, async () => {
    const opened = await openPage(browser, address + hash, options);
    try {
      await answered(opened.page);
      await body(opened.page, opened);
    } finally {
      await opened.close();
    }
  });
}

for (const [name, address] of [
  ['from disk', fromDisk],
  ['over HTTP', overHttp],
]) {
  test(`the page opened ${name} answers, in Chinese, and asks nobody`, async () => {
    const opened = await openPage(browser, address);
    const { page } = opened;
    await answered(page);
    const first = await page.evaluate(() => performance.now());
    console.log(`first answer ${name}: at most ${first.toFixed(0)} ms after navigation`);
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-CN');
    const { sentence, hash } = await stateOf(page);
    assert.match(sentence, /RTX 4090.*(小时|分钟).*元.*百万 token/);
    assert.equal(hash, '');
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
    assert.equal(await page.evaluate(() => document.cookie), '');
    await opened.close();
  });
}

test('the page carries the catalogue that the core is built with', async () => {
  const built = JSON.parse(await readFile(`${root}build/native/catalog.json`, 'utf8'));
  assert.deepEqual(await mergedCatalog(), built);
  const html = await readFile(`${root}dist/index.html`, 'utf8');
  const [, block] = /id="traintally-catalog">(.*?)<\/script>/s.exec(html);
  assert.deepEqual(JSON.parse(block), withoutUnread(built));
});

// --- The same numbers everywhere -----------------------------------------------------------------

const jobs = [
  { model: 'llama-3.1-8b' },
  { model: 'qwen2.5-7b', training: { kind: 'full' }, cluster: { gpu: 'a100-sxm-80gb', count: 8 } },
  {
    model: 'deepseek-v3',
    training: { kind: 'pretrain', tokens: 1e12, sequence_length: 4096, precision: 'fp8' },
    cluster: { gpu: 'h800-sxm-80gb', count: 2048 },
  },
  { model: { params: 1e11 }, cluster: { gpu: 'h100-sxm-80gb', count: 8 } },
  { model: 'no-such-model', cluster: { count: 0 } },
];
onPage('the page’s numbers are the native command’s, to the last digit', async (page) => {
  for (const job of jobs) {
    const answer = await page.evaluate((scenario) => {
      const app = document.querySelector('train-tally');
      return app.services.core.estimate({ version: 1, ...scenario });
    }, job);
    assert.deepEqual(answer, native(job), JSON.stringify(job));
  }
});

// --- Inputs --------------------------------------------------------------------------------------

onPage('a model is found by its Chinese name, by keyboard alone', async (page) => {
  await field(page, '/model').focus();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('通义千问2.5 72');
  await page.keyboard.press('Enter');
  const { scenario, report } = await until(page, (s) => s.scenario.model === 'qwen2.5-72b');
  assert.equal(scenario.model, 'qwen2.5-72b');
  assert.ok(report.parameters.total > 7e10);
  assert.equal(await field(page, '/model').inputValue(), 'Qwen2.5 72B');
  assert.match(await page.locator('[data-summary]').textContent(), /727 亿参数/);
});

onPage('a model that is no catalogue entry can be given by its size', async (page) => {
  await field(page, '/model').click();
  await field(page, '/model').fill('13B');
  await page.locator('[data-at="/model"] .option', { hasText: '任意' }).click();
  await until(page, (s) => s.scenario.model?.params === 13e9);
});

onPage('escape leaves the search as it was', async (page) => {
  await field(page, '/model').click();
  await page.keyboard.type('qwen');
  await page.keyboard.press('Escape');
  assert.equal(await field(page, '/model').inputValue(), 'Llama 3.1 8B');
  assert.equal((await stateOf(page)).scenario.model, 'llama-3.1-8b');
});

onPage('tokens are read as Chinese write them, and written back so', async (page) => {
  await type(page, '/training/tokens', '１．５亿');
  await until(page, (s) => s.scenario.training?.tokens === 1.5e8);
  assert.equal(await field(page, '/training/tokens').inputValue(), '１．５亿'); // what was typed stays
  await page.keyboard.press('Tab');
  assert.equal(await field(page, '/training/tokens').inputValue(), '1.5 亿');
  await until(page, (s) => s.report.resolved.training.tokens === 1.5e8);
  await until(page, (s) => s.hash.includes('tokens=1.5e8'));
});

onPage(
  'emptying a field goes back to the default',
  async (page) => {
    await type(page, '/training/sequence_length', '4096');
    await until(page, (s) => s.report.resolved.training.sequence_length === 4096);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    await until(page, (s) => s.report.resolved.training.sequence_length === 2048);
    await page.keyboard.press('Tab');
    assert.equal(await field(page, '/training/sequence_length').inputValue(), '2,048');
  },
  { hash: '#v=1&mode=expert' },
);

onPage('what is no number is said at its field; the last result stays, dimmed', async (page) => {
  const good = await stateOf(page);
  await type(page, '/training/tokens', 'many');
  const tokens = field(page, '/training/tokens');
  await page.locator('[data-at="/training/tokens"] .problem').waitFor();
  assert.equal(await tokens.getAttribute('aria-invalid'), 'true');
  assert.equal(await tokens.inputValue(), 'many');
  assert.equal(await page.locator('.results.stale').count(), 1);
  assert.equal((await stateOf(page)).sentence, good.sentence);
  await page.keyboard.press('Tab');
  assert.equal(await tokens.inputValue(), 'many'); // still, after leaving
  await type(page, '/training/tokens', '2e7');
  await until(page, (s) => !s.stale && s.scenario.training.tokens === 2e7);
  assert.equal(await page.locator('.results.stale').count(), 0);
});

onPage('what the core refuses is said at its field, in words', async (page) => {
  const good = await stateOf(page);
  await page.locator('input[name=mode][value=expert]').check({ force: true });
  await type(page, '/training/sequence_length', '0');
  const { problems } = await until(page, (s) => s.problems.length > 0);
  assert.equal(problems[0].at, '/training/sequence_length');
  const words = await page.locator('[data-at="/training/sequence_length"] .problem').textContent();
  assert.match(words, /要大于 0/);
  assert.equal((await stateOf(page)).sentence, good.sentence);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('1024');
  await until(page, (s) => s.problems.length === 0 && !s.stale);
});

onPage('dragging the slider moves everything, a frame at a time', async (page) => {
  const slider = page.locator('.slider');
  await slider.scrollIntoViewIfNeeded();
  const box = await slider.boundingBox();
  const y = box.y + box.height / 2;
  await page.evaluate(() => {
    window.seen = [];
    document.querySelector('train-tally').addEventListener('train-tally-change', (event) => {
      window.seen.push(event.target.report.resolved.cluster.count);
    });
  });
  await page.mouse.move(box.x + 9, y);
  await page.mouse.down();
  for (let step = 1; step <= 24; step += 1) {
    await page.mouse.move(box.x + 9 + ((box.width - 18) * step) / 48, y);
  }
  await page.mouse.up();
  const { report, scenario } = await until(page, (s) => s.scenario.cluster?.count > 32);
  assert.equal(report.resolved.cluster.count, scenario.cluster.count);
  assert.ok((await page.evaluate(() => window.seen)).length > 3);
  assert.equal(await slider.getAttribute('aria-valuetext'), `${scenario.cluster.count} 张卡`);
});

onPage(
  'the slider and the choices answer to arrow keys, the wheel changes nothing',
  async (page) => {
    await page.locator('.slider').focus();
    await page.keyboard.press('ArrowRight');
    await until(page, (s) => s.scenario.cluster?.count === 2);
    await page.locator('input[name=kind][value=lora]').focus();
    await page.keyboard.press('ArrowRight');
    await until(page, (s) => s.scenario.training?.kind === 'qlora');
    const count = field(page, '/cluster/count');
    await count.click();
    await page.mouse.wheel(0, 300);
    await page.mouse.wheel(0, -300);
    assert.equal(await count.inputValue(), '2');
  },
);

onPage('the steppers go to the next usual size and never below one', async (page) => {
  const more = page.getByRole('button', { name: '增加卡数' });
  const fewer = page.getByRole('button', { name: '减少卡数' });
  assert.equal(await fewer.isDisabled(), true);
  await more.click();
  await more.click();
  await until(page, (s) => s.scenario.cluster?.count === 4);
  await fewer.click();
  await fewer.click();
  await until(page, (s) => s.scenario.cluster?.count === 1);
});

onPage('a data set read several times counts as often', async (page) => {
  await page.locator('input[name=much][value=dataset]').check();
  await type(page, '/training/tokens/dataset_tokens', '5000万');
  await type(page, '/training/tokens/epochs', '3');
  const { report } = await until(page, (s) => s.scenario.training?.tokens?.epochs === 3);
  assert.deepEqual(report.resolved.training.tokens, { dataset_tokens: 5e7, epochs: 3 });
});

onPage('a plan sets card, count and price; another card drops the price', async (page) => {
  await field(page, '/cluster/gpu').click();
  await field(page, '/cluster/gpu').fill('超算集群');
  await page.locator('[data-at="/cluster/gpu"] .option').first().click();
  const { scenario } = await until(page, (s) => s.scenario.price?.offer === 'article-flagship');
  assert.deepEqual(scenario.cluster, { gpu: 'h100-sxm-80gb', count: 8 });
  await field(page, '/cluster/gpu').click();
  await field(page, '/cluster/gpu').fill('L40S');
  await page.keyboard.press('Enter');
  await until(
    page,
    (s) => s.scenario.cluster.gpu === 'l40s' && s.scenario.price?.offer === undefined,
  );
});

onPage('one’s own price per card and hour is counted, in either currency', async (page) => {
  await page.locator('#price-from').selectOption('own:hour');
  await type(page, '/price/per_gpu_hour', '2.50');
  const yuan = await until(page, (s) => s.scenario.price?.per_gpu_hour === '2.5');
  assert.equal(yuan.report.cost.total.currency, 'CNY');
  await page.locator('input[name=currency][value=USD]').check();
  const dollars = await until(page, (s) => s.report.cost.total.currency === 'USD');
  assert.match(dollars.sentence, /美元/);
});

onPage(
  'a discount is said both ways',
  async (page) => {
    const row = page.locator('.discount', { hasText: '折' }).last();
    assert.match(await row.textContent(), /6\.5 折（优惠 35%）/);
    await page.evaluate(() => document.querySelector('train-tally').choose({ lang: 'en' }));
    assert.match(await page.locator('.discount').last().textContent(), /pay 65% \(35% off\)/);
  },
  { hash: '#v=1&model=llama-3.1-70b&kind=qlora&gpu=a100-sxm-40gb&gpus=4&offer=article-advanced' },
);

const config = {
  architectures: ['Qwen2ForCausalLM'],
  model_type: 'qwen2',
  hidden_size: 3584,
  intermediate_size: 18944,
  num_attention_heads: 28,
  num_hidden_layers: 28,
  num_key_value_heads: 4,
  vocab_size: 152064,
  tie_word_embeddings: false,
  eos_token_id: 151643,
  transformers_version: '4.43.1',
};
onPage('a pasted config.json becomes the model; what is no JSON is said', async (page) => {
  await page.locator('[data-config-open]').click();
  await page.locator('#config').fill('{"hidden_size": 3584,');
  assert.match(await page.locator('#config-problem').textContent(), /不是 JSON/);
  await page
    .locator('#config')
    .fill('https://huggingface.co/Qwen/Qwen2.5-7B/blob/main/config.json');
  assert.match(await page.locator('#config-problem').textContent(), /不联网.*config\.json/);
  await page.locator('#config').fill(JSON.stringify(config));
  const { report, scenario } = await until(page, (s) => s.scenario.model?.hf_config !== undefined);
  assert.ok(Math.abs(report.parameters.total - 7.6e9) < 0.1e9);
  assert.equal(scenario.model.hf_config.transformers_version, undefined);
  assert.match(await page.locator('[data-summary]').textContent(), /与 Qwen2\.5 7B 结构相同/);
  await page.locator('#config').fill('{"model_type": "t5", "d_model": 512}');
  await until(page, (s) => s.problems.length > 0);
  await page.locator('#config-problem').waitFor();
});

onPage('Escape puts the config away, and the focus back', async (page) => {
  await page.locator('[data-config-open]').click();
  await page.locator('#config').press('Escape');
  await page.locator('[data-config-open]:focus').waitFor();
});

test('on a phone the tab that a link leads to is in sight', async () => {
  const viewport = { width: 360, height: 740 };
  const opened = await openPage(browser, `${fromDisk}#v=1&view=accuracy`, { viewport });
  const tab = opened.page.locator('[role=tab][aria-selected=true]');
  await opened.page.locator('[data-view=accuracy]').waitFor();
  const { left, right } = await tab.evaluate((each) => each.getBoundingClientRect().toJSON());
  assert.ok(left >= 0 && right <= 360, `${left} to ${right}`);
  await opened.close();
});

onPage('one long word, written by a link, scrolls no phone sideways', async (page) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const long = 'x'.repeat(150);
  for (const link of [
    'hf.text_config.text_config={}',
    `model=${long}`,
    `gpu=${long}`,
    `hourly=${long}`,
    `storage.${long}=1`,
  ]) {
    await page.evaluate((hash) => (location.hash = hash), `v=1&${link}`);
    await page.locator('.problems, .problem').first().waitFor();
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 360, link);
  }
});

onPage('what of a link was cut is said, however deep it goes', async (page) => {
  for (const lost of ['tokens=5e9%', `${'a.'.repeat(5000)}b=1`]) {
    await page.evaluate((hash) => (location.hash = hash), `v=1&model=llama-3.1-70b&gpus=8&${lost}`);
    await page.locator('p.note.bad', { hasText: lost.slice(0, 60) }).waitFor();
    assert.equal(
      await page.evaluate(() => document.querySelector('train-tally').scenario.model),
      'llama-3.1-70b',
    );
  }
  await page.evaluate(() => (location.hash = 'v=1&model=llama-3.1-70b&gpus=16'));
  await page.locator('p.note.bad').waitFor({ state: 'detached' });
});

onPage('a dropped or an opened config.json does the same', async (page) => {
  const path = join(scratch, 'config.json');
  await writeFile(path, JSON.stringify(config));
  await page.locator('[data-config-open]').click();
  await page.locator('.config input[type=file]').setInputFiles(path);
  await until(page, (s) => s.scenario.model?.hf_config?.hidden_size === 3584);
  assert.equal(await page.locator('#config').count(), 0); // put away
  await drop(page, 'config.json', JSON.stringify({ ...config, num_hidden_layers: 14 }));
  await until(page, (s) => s.scenario.model?.hf_config?.num_hidden_layers === 14);
});

onPage(
  'the expert’s settings work, and a layout that can’t be is said',
  async (page) => {
    await page.locator('#precision').selectOption('fp8');
    await page.locator('#optimizer').selectOption('adamw-8bit');
    await page.locator('#stack').selectOption('megatron');
    await page.locator('#recompute').selectOption('none');
    await page.locator('[data-at="/training/compile"]').check();
    await type(page, '/training/micro_batch', '2');
    await page.locator('input[name=layout][value=own]').check();
    const { report } = await until(
      page,
      (s) => s.scenario.layout?.tp === s.report.resolved.layout.tp,
    );
    assert.equal(report.resolved.training.stack, 'megatron');
    await type(page, '/layout/tp', '3');
    const { problems } = await until(page, (s) => s.problems.length > 0);
    assert.ok(problems.every(({ at }) => at.startsWith('/layout') || at.startsWith('/training')));
    await page.getByRole('button', { name: '恢复默认' }).click();
    await until(page, (s) => s.problems.length === 0 && s.scenario.layout === undefined);
  },
  { hash: '#v=1&mode=expert&model=qwen2.5-7b&kind=full&gpu=h100-sxm-80gb&gpus=8' },
);

// --- Results -------------------------------------------------------------------------------------

onPage(
  'every key figure shows where it comes from',
  async (page) => {
    for (const figure of ['memory', 'time', 'cost', 'token', 'mfu', 'more']) {
      const button = page.locator(figure === 'more' ? '.head .why' : `[data-kpi=${figure}] .why`);
      await button.click();
      await page.locator(`#why-${figure} .step`).first().waitFor();
      assert.equal(await button.getAttribute('aria-expanded'), 'true');
      await button.click();
      assert.equal(await page.locator(`#why-${figure}`).count(), 0);
    }
  },
  { hash: '#v=1&mode=expert' },
);

onPage('a chart can be read as a table that adds up to it', async (page) => {
  const chart = page.locator('[data-figure=memory]');
  await chart.locator('.toggle').click();
  const rows = await chart.locator('tbody tr:not(.sub) td:nth-child(2)').allTextContents();
  const total = Number((await chart.locator('tfoot td').first().textContent()).replace(',', ''));
  const sum = rows.reduce((all, cell) => all + Number(cell.replace(',', '')), 0);
  assert.ok(Math.abs(sum - total) < 0.05 * rows.length + 0.05, `${sum} ${total}`);
  await chart.locator('.toggle').click();
  assert.equal(await chart.locator('svg[role=img]').count(), 1);
});

onPage('where the article slips, both numbers stand in a sentence', async (page) => {
  await page.locator('[data-preset=articleFlagship]').click();
  await until(page, (s) => s.scenario.price?.offer === 'article-flagship');
  for (const summary of await page.locator('.compare summary').all()) await summary.click();
  const text = await page.locator('[data-code=unit-cost-8-h100]').textContent();
  assert.match(text, /27\.43/);
  assert.match(text, /2\.743/);
});

onPage('the article is spoken of only where it is asked for', async (page) => {
  const comparison = page.locator('[data-fold=article]');
  assert.equal(await page.locator('.compare table').count(), 0); // folded away
  await comparison.locator('summary').first().click();
  await page.locator('.compare tbody tr').first().waitFor();
  assert.match(await comparison.textContent(), /星宇智算/);
  assert.ok((await page.locator('.compare tbody tr').count()) > 5);
  await page.evaluate(() => document.querySelector('train-tally').setAttribute('compact', ''));
  await page.waitForFunction(
    () => document.querySelector('train-tally').shadowRoot.querySelector('.compare') === null,
  );
  assert.equal(await page.locator('[data-preset^=article]').count(), 0);
  await page.evaluate(() =>
    document
      .querySelector('train-tally')
      .setAttribute('scenario', 'v=1&model=llama-2-7b&offer=article-entry'),
  );
  await page.locator('.compare table').waitFor();
});

for (const [name, hash, state, words] of [
  ['fits for certain', '#v=1&model=qwen3-4b&kind=lora&gpu=a100-sxm-80gb', 'fits', /^\s*放得下/],
  ['probably fits', '#v=1&model=llama-3.1-8b&kind=lora&gpu=rtx-4090', 'probably', /大概放得下/],
  ['doesn’t fit', '#v=1&model=llama-3.1-70b&kind=full&gpu=rtx-4090', 'fitsNot', /放不下/],
]) {
  onPage(
    `the badge is green only where the whole interval fits: what ${name}`,
    async (page) => {
      const { report } = await stateOf(page);
      const { device_peak: peak, usable } = report.memory;
      const right = {
        fits: peak.high <= usable,
        probably: peak.high > usable && report.memory.fits,
      };
      assert.ok(right[state] ?? !report.memory.fits, JSON.stringify(report.memory.device_peak));
      const answer = page.locator('.answer');
      assert.equal(await answer.getAttribute('data-state'), state);
      assert.match(await page.locator('.badge').textContent(), words);
      const notes = await page
        .locator('.fit-note [data-code]')
        .evaluateAll((list) => list.map(({ dataset }) => dataset.code));
      assert.deepEqual(
        notes,
        { fits: [], probably: ['may_not_fit'], fitsNot: ['does_not_fit'] }[state],
      );
      await page.locator('.app > [role=status]', { hasText: words }).waitFor();
    },
    { hash },
  );
}

onPage(
  'a banner advises what the core found, never what is so already',
  async (page) => {
    const changes = native({ model: 'qwen3-14b', training: { kind: 'lora' } }, 'fit').changes;
    const text = await page.locator('.fit-note').textContent();
    assert.equal(changes.filter(({ fit }) => fit !== 'no').length > 0, /可以这样改/.test(text));
    assert.doesNotMatch(text, /改用 LoRA|微批|全量重计算/);
  },
  { hash: '#v=1&model=qwen3-14b&kind=lora&gpu=rtx-4090&micro=1&recompute=full' },
);

test('a bad link says in words what is wrong, and leads back to the start', async () => {
  const opened = await openPage(browser, `${fromDisk}#v=1&model=foo&gpu=bar`);
  const { page } = opened;
  const problems = page.locator('.problems');
  await problems.waitFor();
  const text = await page.locator('.answer').textContent();
  assert.match(text, /有几处填的内容用不了/);
  assert.match(text, /GPU 型号\s*没有这个型号的 GPU，请从列表里选。（收到的是“bar”。）/);
  assert.doesNotMatch(text, /cluster\.gpu|t4, a10/);
  await problems.locator('button').click();
  await until(page, (s) => s.problems.length === 0 && s.report !== undefined);
  await opened.close();
});

onPage('every preset is answered without a problem or an unknown code', async (page) => {
  const names = await page
    .locator('[data-preset]')
    .evaluateAll((chips) => chips.map((chip) => chip.dataset.preset));
  assert.equal(names.length, 8);
  for (const lang of ['zh-CN', 'en']) {
    await page.evaluate(
      (chosen) => document.querySelector('train-tally').choose({ lang: chosen }),
      lang,
    );
    for (const name of names) {
      const chip = page.locator(`[data-preset=${name}]`);
      await chip.click();
      await page.waitForFunction(
        (wanted) =>
          document
            .querySelector('train-tally')
            .shadowRoot.querySelector(`[data-preset=${wanted}]`)
            .getAttribute('aria-pressed') === 'true',
        name,
      );
      const { problems, report } = await stateOf(page);
      assert.deepEqual(problems, [], name);
      assert.ok(report.memory.usable > 0 && report.time.run.value > 0, name);
      const text = await page.locator('.app').evaluate((app) => app.textContent);
      assert.doesNotMatch(text, /\{\{|undefined|NaN|\[object/, name);
      assert.doesNotMatch(text, / · [a-z]+_[a-z_]+ /, name); // a code without a sentence
    }
  }
});

onPage('the live region speaks once the visitor pauses, and only then', async (page) => {
  const status = page.locator('.app > [role=status]');
  const slider = page.locator('.slider');
  await page.waitForTimeout(1200);
  const before = await status.textContent();
  await slider.focus();
  for (let i = 0; i < 3; i += 1) await page.keyboard.press('ArrowRight');
  assert.equal(await status.textContent(), before);
  await page.waitForTimeout(1500);
  assert.match(await status.textContent(), /8 × RTX 4090/);
});

// --- Links ---------------------------------------------------------------------------------------

onPage(
  'a link brings the very scenario to a browser of another language',
  async (page, { context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.locator('[data-preset=continue32b]').click();
    await page.locator('input[name=mode][value=expert]').check({ force: true });
    await type(page, '/training/sequence_length', '8192');
    const here = await until(
      page,
      (s) =>
        s.scenario.training?.sequence_length === 8192 &&
        s.report.resolved.training.sequence_length === 8192,
    );
    await page.locator('[data-tool=theme]').click();
    await page.locator('[data-tool=link]').click();
    await page.locator('[data-tool=link]', { hasText: '已复制' }).waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /#v=1&mode=expert&model=qwen2\.5-32b&kind=pretrain/);
    assert.doesNotMatch(link, /scheme=|lang=/);
    const other = await openPage(browser, link, { locale: 'en-GB' });
    await answered(other.page);
    const there = await stateOf(other.page);
    assert.deepEqual(there.report, here.report);
    assert.match(there.sentence, /per million tokens/);
    await other.close();
  },
  { address: overHttp },
);

onPage(
  'another link in the same page replaces the scenario whole',
  async (page) => {
    await until(page, (s) => s.scenario.training?.kind === 'full');
    await page.evaluate(() => {
      location.hash = '#v=1&model=qwen3-8b';
    });
    const { scenario } = await until(page, (s) => s.scenario.model === 'qwen3-8b');
    assert.deepEqual(scenario, { model: 'qwen3-8b' });
  },
  { hash: '#v=1&model=qwen2.5-7b&kind=full&gpus=8&gpu=h100-sxm-80gb' },
);

onPage(
  'an anchor that isn’t ours changes nothing',
  async (page) => {
    const { scenario } = await stateOf(page);
    assert.deepEqual(scenario, { model: 'llama-3.1-8b' });
  },
  { hash: '#section-2' },
);

onPage(
  'language and colours can be chosen, survive a reload, and are stored nowhere',
  async (page) => {
    await page.locator('[data-tool=language]').click();
    await page.locator('.sentence', { hasText: 'per million tokens' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
    await page.locator('[data-tool=theme]').click();
    await page.locator('[data-tool=theme]').click();
    await until(page, (s) => s.hash.includes('scheme=dark') && s.hash.includes('lang=en'));
    const background = () =>
      page.evaluate(() => {
        const { shadowRoot } = document.querySelector('train-tally');
        return getComputedStyle(shadowRoot.querySelector('.root')).backgroundColor;
      });
    assert.equal(await background(), 'rgb(12, 15, 20)');
    await page.reload();
    await answered(page);
    assert.match((await stateOf(page)).sentence, /per million tokens/);
    assert.equal(await background(), 'rgb(12, 15, 20)');
    assert.equal(await page.evaluate(() => localStorage.length + sessionStorage.length), 0);
  },
);

// --- Before the script has run -------------------------------------------------------------------

for (const language of ['zh-CN', 'en-US']) {
  for (const width of [1440, 360]) {
    test(`the answer is there before the page’s script, as it will be: ${language}, ${width} px`, async () => {
      const shown = (page) =>
        page.locator('.answer:visible').evaluate((answer) => ({
          text: answer.innerText,
          state: answer.dataset.state,
          left: answer.getBoundingClientRect().left,
          width: answer.getBoundingClientRect().width,
          height: answer.getBoundingClientRect().height,
          colour: getComputedStyle(answer.querySelector('.badge')).backgroundColor,
        }));
      const options = { locale: language, viewport: { width, height: 900 } };
      const early = await openPage(browser, fromDisk, {
        ...options,
        init: () => {
          customElements.define = () => undefined;
        },
      });
      const before = await shown(early.page);
      await early.close();
      const opened = await openPage(browser, fromDisk, options);
      await answered(opened.page);
      assert.deepEqual(before, await shown(opened.page));
      assert.equal(await opened.page.locator('.first').count(), 0);
      await opened.close();
    });
  }
}

test('a page opened on another job does not begin with the first one’s answer', async () => {
  const opened = await openPage(browser, `${fromDisk}#v=1&model=qwen3-8b`, {
    init: () => {
      customElements.define = () => undefined;
    },
  });
  assert.equal(await opened.page.locator('.answer').count(), 0);
  await opened.close();
});

// --- When something is missing -------------------------------------------------------------------

test('without JavaScript the page says what it needs', async () => {
  const opened = await openPage(browser, fromDisk, { javaScriptEnabled: false });
  assert.match(await opened.page.locator('noscript').textContent(), /JavaScript/);
  await opened.close();
});

test('without WebAssembly the page says so, in words', async () => {
  const opened = await openPage(browser, fromDisk, {
    init: () => delete globalThis.WebAssembly,
  });
  await opened.page.getByRole('alert').waitFor();
  assert.match(await opened.page.getByRole('alert').textContent(), /WebAssembly/);
  await opened.close();
});

test('a browser too old for the page’s script gets a message', async () => {
  const opened = await openPage(browser, fromDisk, {
    init: () => {
      customElements.define = () => undefined;
    },
  });
  await opened.page.locator('#too-old').waitFor();
  await opened.close();
});

onPage(
  'a core that aborts is started anew, and the page goes on',
  async (page) => {
    await page.evaluate(() => {
      const { core } = document.querySelector('train-tally').services;
      core.session = {
        evaluate() {
          throw new Error('Aborted()');
        },
      };
    });
    await type(page, '/training/tokens', '3e7');
    const { report } = await until(
      page,
      (s) => s.problems.length === 0 && s.report.resolved.training.tokens === 3e7,
    );
    assert.ok(report.time.run.value > 0);
  },
  { allow: [/Aborted/] },
);

saving({ test, browser, address: overHttp, scratch });
views({ test, browser, address: fromDisk });
typed({ test, browser, address: fromDisk });
visitorLists({ test, browser, address: fromDisk, scratch });
taking({ test, browser, address: fromDisk });
helping({ test, browser, address: fromDisk, overHttp, scratch });

await finish();
await browser.close();
server.close();
await rm(scratch, { recursive: true });
