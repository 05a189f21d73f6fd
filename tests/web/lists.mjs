// Price lists: a visitor's own, from a file, and a provider's, from an address.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openPage, patience } from './page.mjs';

const rentView = '#v=1&view=rent&model=qwen3-8b&kind=lora';

const rows = (...lines) => `id,provider,name,gpu,count,per_hour,currency,date\n${lines.join('\n')}`;
const cheap = 'cheap,Acme,One 4090,RTX 4090,1,0.10,CNY,2026-11-01';

const openList = (page, name, text) =>
  page.locator('[data-fold=list] input[type=file]').setInputFiles({
    name,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });

async function rentPage(browser, address, language = 'en') {
  const opened = await openPage(browser, `${address}${rentView}&lang=${language}`);
  const { page } = opened;
  await page.locator('[data-fold=list] summary').click();
  return opened;
}

const complete = (page) =>
  page.locator('[data-view=rent] [data-complete=true]').waitFor({ timeout: patience });

export function visitorLists({ test, browser, address, scratch }) {
  test('a visitor’s price list stands beside the built-in offers, alone if asked, and is saved', async () => {
    const opened = await rentPage(browser, address);
    const { page } = opened;
    await openList(page, 'acme.csv', rows(cheap, 'b,Acme,Two,RTX 4090,2,5,CNY,2026-11-01'));
    await page.getByText('2 offers from acme.csv, read on').waitFor();
    await page.locator('[data-pick=cheapest]', { hasText: 'Acme · One 4090' }).waitFor();
    await page.getByLabel('only these providers').check();
    await complete(page);
    const table = page.locator('[data-view=rent] table[aria-labelledby=plan-table]');
    await page.waitForFunction(() => location.hash.includes('plan.providers'));
    for (const row of await table.locator('tbody tr').allTextContents()) assert.match(row, /Acme/);

    const file = join(scratch, 'with-list.html');
    await writeFile(
      file,
      await page.evaluate(() => `<!doctype html>${document.documentElement.outerHTML}`),
    );
    await opened.close();
    const saved = await openPage(browser, `file://${file}`);
    await saved.page.locator('[data-pick=cheapest]', { hasText: 'Acme · One 4090' }).waitFor();
    await saved.page.locator('[data-fold=list] summary').click();
    await saved.page.getByRole('button', { name: 'Remove the list' }).click();
    await saved.page
      .locator('[data-pick=cheapest]', { hasNotText: 'Acme' })
      .waitFor({ timeout: patience });
    assert.equal(await saved.page.locator('train-tally > template').count(), 0);
    await saved.close();
  });

  test('a list with mistakes is not used, and says where they are', async () => {
    const opened = await rentPage(browser, address);
    const { page } = opened;
    await openList(page, 'acme.csv', rows(cheap));
    await page.getByText('1 offer from acme.csv').waitFor();
    await openList(
      page,
      'wrong.csv',
      rows(cheap, 'b,Acme,Two,RTX 4090,many,5,CNY,2026-11-01', 'c,Acme,Three,No Card,1,5,CNY,soon'),
    );
    const note = page.locator('[data-fold=list] .note.bad');
    await note.waitFor();
    const text = await note.textContent();
    for (const where of ['row 3, count', 'row 4, gpu', 'row 4, date']) {
      assert.ok(text.includes(where), `${where} in ${text}`);
    }
    await page.getByText('1 offer from acme.csv').waitFor(); // the good one stays
    await openList(page, 'not.json', '{"offers": [');
    await page.getByText(/This price list can’t be read/).waitFor();
    await openList(
      page,
      'markup.csv',
      rows('x,<img src=x onerror=alert(1)>,<b>B</b>,RTX 4090,1,0.01,CNY,2026-11-01'),
    );
    await page.locator('[data-pick=cheapest]', { hasText: '<b>B</b>' }).waitFor();
    await opened.close();
  });

  for (const language of ['en', 'zh-CN']) {
    test(`the empty table is one that the page reads back (${language})`, async () => {
      const opened = await rentPage(browser, address, language);
      const { page } = opened;
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('[data-fold=list] button').first().click(),
      ]);
      const text = await readFile(await saved.path(), 'utf8');
      assert.ok(text.startsWith('\ufeff'));
      await openList(page, 'mine.csv', text);
      await page.locator('p[data-list=visitor]').waitFor();
      assert.match(await page.locator('p[data-list=visitor]').textContent(), /1 (offer|个报价)/);
      await opened.close();
    });
  }
}

export function providerLists({ test, browser, hosts, allow }) {
  test('a live price list is asked for, and the last one used where it can’t be reached', async () => {
    const address = `${hosts}/prices.csv`;
    const opened = await openPage(browser, `${hosts}/provider.html`, {
      allow: [...allow, /request: .*\/prices\.csv/, /Failed to load resource/],
    });
    const { page } = opened;
    await page.waitForFunction(() => document.getElementById('second')?.report !== undefined);
    let price = '0.11';
    let reachable = true;
    await page.route(address, (route) =>
      reachable
        ? route.fulfill({ body: rows(cheap.replace('0.10', price)), contentType: 'text/csv' })
        : route.abort(),
    );
    /** Names the list anew, and waits for the cost that this leads to. */
    const cost = (before) =>
      page.evaluate(
        async ([from, wrong]) => {
          const element = document.getElementById('second');
          const total = () =>
            element.report?.resolved?.price?.offer === 'cheap' && element.problems.length === 0
              ? element.report.cost.total.value
              : undefined;
          element.catalog = null;
          await element.updateComplete;
          element.scenario = { model: 'qwen3-8b', price: { offer: 'cheap' } };
          element.catalog = from;
          while (total() === undefined || total() === wrong) {
            await new Promise((resolve) => {
              setTimeout(resolve, 20);
            });
          }
          return total();
        },
        [address, before],
      );
    const first = await cost();
    price = '0.22';
    const second = await cost(first);
    assert.ok(Math.abs(second / first - 2) < 0.01, `${first}, then ${second}`);
    const note = page.locator('#second [data-list=before]');
    assert.equal(await note.count(), 0);
    reachable = false;
    assert.equal(await cost(first), second);
    await note.waitFor();
    assert.match(await note.textContent(), /20\d\d/);
    await opened.close();
  });
}
