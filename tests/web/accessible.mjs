// Everybody can use the page: axe, narrow windows and the keyboard, in Chromium, from disk.
import { chromium } from 'playwright-core';
import { accessibility } from './accessibility.mjs';
import { chromiumFlags, root } from './page.mjs';
import { suite } from './suite.mjs';

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: chromiumFlags });
const { test, finish } = suite('web-accessible');

accessibility({ test, browser, address: `file://${root}dist/index.html` });

await finish();
await browser.close();
