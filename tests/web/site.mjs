// The hosted build: offline once it was opened, and a new version is offered, not forced.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '../../web/serve.mjs';
import { answered, openPage, root } from './page.mjs';

const own = [/request: .*\/(sw\.js|index\.html|manifest\.webmanifest|icon\.svg)/];

export function site({ test, browser }) {
  test('the hosted page answers offline, and offers a new version', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'traintally-site-'));
    await cp(`${root}dist/site`, folder, { recursive: true });
    const server = await serve(folder, 0);
    const opened = await openPage(browser, `http://127.0.0.1:${server.address().port}/`, {
      allow: own,
    });
    const { page, context } = opened;
    await answered(page);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await page.reload();
    await answered(page);
    await context.setOffline(false);

    // A new version on the server: other bytes in the page, and a worker that lists them.
    const html = await readFile(join(folder, 'index.html'), 'utf8');
    await writeFile(
      join(folder, 'index.html'),
      html.replace('<title>', '<meta name="next"><title>'),
    );
    const worker = await readFile(join(folder, 'sw.js'), 'utf8');
    const next = worker.replace(/(index\.html",revision:")\w/, '$1_');
    assert.notEqual(next, worker);
    await writeFile(join(folder, 'sw.js'), next);
    await page.reload();
    await answered(page);
    await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
    const notice = page.locator('#update');
    await notice.waitFor();
    assert.match(await notice.textContent(), /新版本/);
    assert.equal(await page.locator('meta[name=next]').count(), 0);
    await notice.locator('button').click();
    await page.locator('meta[name=next]').waitFor({ state: 'attached' });
    await answered(page);
    await opened.close();
    server.close();
    await rm(folder, { recursive: true });
  });
}
