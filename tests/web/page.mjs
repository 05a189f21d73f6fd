// The page under test: opened in a browser, watched for everything that it must never do.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Long, for machines that do much else at the same time. */
export const patience = 60_000;

/** What the native command answers to a scenario, or to a request. */
export function native(document, command = 'estimate') {
  const answer = execFileSync(`${root}build/native/traintally`, [command], {
    input: JSON.stringify({ version: 1, ...document }),
    maxBuffer: 1 << 26,
  });
  return JSON.parse(answer);
}

/**
 * A page that notes whatever it does wrong. `close` fails the test if it did: a request to anybody,
 * a breach of the content security policy, a word on the console, an exception.
 */
export async function openPage(browser, address, options = {}) {
  const { allow = [], init, ...contextOptions } = options;
  const context = await browser.newContext({
    viewport: { width: 1440, height: 1000 },
    locale: 'zh-CN',
    colorScheme: 'light',
    ...contextOptions,
  });
  context.setDefaultTimeout(patience);
  const wrongs = [];
  const page = await context.newPage();
  page.on('console', (message) => wrongs.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => wrongs.push(`exception: ${error.message}`));
  page.on('request', (request) => {
    if (request.resourceType() !== 'document' && !request.url().startsWith('data:')) {
      wrongs.push(`request: ${request.url()}`);
    }
  });
  if (init !== undefined) await page.addInitScript(init);
  await page.goto(address);
  return {
    page,
    context,
    wrongs,
    async close() {
      const found = wrongs.filter((wrong) => !allow.some((pattern) => pattern.test(wrong)));
      await context.close();
      assert.deepEqual(found, []);
    },
  };
}

/** The answer has come (or the page says why not). */
export async function answered(page) {
  await page.locator('.app .answer[data-state]:not([data-state=waiting])').waitFor();
}

/** Runs in the page: what stands in the element now, as plain data. */
export function stateOf(page) {
  return page.evaluate(() => {
    const app = document.querySelector('train-tally');
    return {
      scenario: app.scenario,
      report: app.report,
      problems: app.problems,
      stale: app.stale,
      attribute: app.getAttribute('scenario'),
      sentence: app.shadowRoot.querySelector('.sentence')?.textContent.trim(),
      hash: location.hash,
    };
  });
}

/** Until the page's state is as wanted; fails with what it was last. */
export async function until(page, wanted) {
  const deadline = Date.now() + patience;
  let state;
  do {
    state = await stateOf(page);
    if (wanted(state)) return state;
    await page.waitForTimeout(30);
  } while (Date.now() < deadline);
  throw new assert.AssertionError({
    message: `never came: ${wanted}\n${JSON.stringify(state.problems)} ${state.hash}`,
  });
}

/** The input of the field that belongs to this place of the scenario. */
export const field = (page, at) => page.locator(`[data-at="${at}"] input`);

/** Drops a file of these parts on the calculator. */
export async function drop(page, name, ...parts) {
  const dataTransfer = await page.evaluateHandle(
    ([called, texts]) => {
      const transfer = new DataTransfer();
      transfer.items.add(
        new File(
          texts.map((part) => (typeof part === 'string' ? part : new Uint8Array(part))),
          called,
        ),
      );
      return transfer;
    },
    [name, parts],
  );
  await page.locator('.app').dispatchEvent('drop', { dataTransfer });
}

/** Types as a person does: over what is there. */
export async function type(page, at, text) {
  const input = field(page, at);
  await input.click();
  await input.press('ControlOrMeta+a');
  await input.pressSequentially(text);
}
