// A documentation site made by VitePress, with the element in its Markdown.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { serve } from '../../web/serve.mjs';
import { openPage, patience, root } from './page.mjs';

export function docs({ test, browser }) {
  test('a VitePress site shows it, and it follows the site’s light and dark', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'traintally-docs-'));
    await cp(`${root}tests/web/hosts/docs`, scratch, { recursive: true });
    await symlink(`${root}node_modules`, join(scratch, 'node_modules'));
    const vitepress = `${root}node_modules/vitepress/bin/vitepress.js`;
    await promisify(execFile)(process.execPath, [vitepress, 'build', scratch], { cwd: scratch });
    const server = await serve([join(scratch, '.vitepress/dist'), `${root}dist`], 0);
    const opened = await openPage(
      browser,
      `http://127.0.0.1:${server.address().port}/index.html`,
      { allow: [/^request: /], locale: 'en-US' }, // the site's own files
    );
    const { page } = opened;
    await page.waitForFunction(
      () => document.querySelector('train-tally')?.report !== undefined,
      undefined,
      { timeout: patience },
    );
    const scheme = () => page.locator('train-tally').getAttribute('host-scheme');
    assert.equal(await scheme(), 'light');
    await page.locator('.VPSwitchAppearance:visible').first().click();
    await page.waitForFunction(
      () => document.querySelector('train-tally').getAttribute('host-scheme') === 'dark',
    );
    const language = await page.evaluate(() => document.querySelector('train-tally').language);
    assert.equal(language, 'en');
    await opened.close();
    server.close();
    await rm(scratch, { recursive: true });
  });
}
