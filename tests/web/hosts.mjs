// The element and the frame on other people's pages, as their authors would put them there.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { serve } from '../../web/serve.mjs';
import { violations } from './accessibility.mjs';
import { docs } from './docs.mjs';
import { integrate } from './integrate.mjs';
import { providerLists } from './lists.mjs';
import { chromiumFlags, openPage, patience, root } from './page.mjs';
import { site } from './site.mjs';
import { suite } from './suite.mjs';

const dist = await serve(`${root}dist`, 0);
const other = await serve(`${root}dist`, 0); // the same files from another origin
const folders = await serve([`${root}tests/web/hosts`, `${root}dist`], 0);
const originOf = (server) => `http://127.0.0.1:${server.address().port}`;
const hosts = originOf(folders);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: chromiumFlags });
const { test, finish } = suite('web-hosts');

/** Requests for the element, the loader and the frame are what these pages are about. */
const expected = [/request: .*\/(train-tally\.js|embed\.js|embed\.html\b)/];

const ready = (page, id) =>
  page.waitForFunction(
    (name) =>
      document
        .querySelector(name)
        ?.shadowRoot?.querySelector('.answer[data-state]:not([data-state=waiting])') instanceof
      Element,
    id,
    {
      timeout: patience,
    },
  );

/** Opens one of hosts/, waits for its element, and closes it again. */
function onHost(title, file, body, options = {}) {
  test(title, async () => {
    const opened = await openPage(browser, `${hosts}/${file}`, { allow: expected, ...options });
    try {
      await body(opened.page, opened);
    } finally {
      await opened.close();
    }
  });
}

onHost(
  'a provider’s page: its own prices, its colours, two elements',
  'provider.html',
  async (page) => {
    await ready(page, '#first');
    await ready(page, '#second');
    const seen = await page.evaluate(() => {
      const [first, second] = ['first', 'second'].map((id) => document.getElementById(id));
      const root = first.shadowRoot;
      return {
        offer: first.report.resolved.price.offer,
        hourly: first.report.cost.by_billing.map(({ mode }) => mode),
        cheapest: second.report.resolved.price?.offer,
        languages: [first.language, second.language],
        tabs: [first, second].map((each) => each.shadowRoot.querySelectorAll('[role=tab]').length),
        accent: getComputedStyle(root.querySelector('[aria-selected=true]')).color,
        radius: getComputedStyle(root.querySelector('.card')).borderRadius,
        // Lit marks which of its versions are on a page; nothing else may be left behind.
        globals: Object.keys(window).filter((name) => /tally|i18n|createTrain/i.test(name)),
        body: getComputedStyle(document.body).fontFamily,
      };
    });
    assert.equal(seen.offer, 'beichen-4090');
    assert.deepEqual(seen.hourly, ['on_demand', 'monthly']);
    assert.deepEqual(seen.languages, ['zh-CN', 'en']);
    assert.ok(seen.tabs[0] > 1 && seen.tabs[1] === 0);
    assert.equal(seen.accent, 'rgb(180, 83, 10)');
    assert.equal(seen.radius, '6px');
    assert.deepEqual(seen.globals, []);
    assert.match(seen.body, /Georgia/);
  },
);

onHost('what the visitor changes is told to the host', 'provider.html', async (page) => {
  await ready(page, '#first');
  const told = await page.evaluate(
    () =>
      new Promise((resolve) => {
        document.addEventListener('train-tally-change', (event) => {
          if (event.detail.scenario.model === 'qwen3-32b') resolve(event.detail);
        });
        document.getElementById('first').scenario = {
          model: 'qwen3-32b',
          training: { kind: 'qlora' },
        };
      }),
  );
  assert.ok(told.report.parameters.total > 3e10);
  assert.equal(told.view, 'estimate');
});

onHost('a price list with a mistake says where', 'provider.html', async (page) => {
  await ready(page, '#first');
  await page.evaluate(() => {
    document.getElementById('first').catalog = { offers: [{ id: 'x', gpu: 'rtx-4090' }] };
  });
  await page.waitForFunction(() => document.getElementById('first').problems.length > 0);
  const places = await page.evaluate(() =>
    document.getElementById('first').problems.map(({ at }) => at),
  );
  assert.ok(places.includes('/catalog/offers/0/prices'), places.join());
});

test('without the script the page shows what stands in the element', async () => {
  const opened = await openPage(browser, `${hosts}/provider.html`, {
    javaScriptEnabled: false,
    allow: expected,
  });
  assert.match(await opened.page.locator('#first').innerText(), /每小时 1\.68 元/);
  await opened.close();
});

onHost(
  'a hostile style sheet changes nothing inside, nor the element anything outside',
  'hostile.html',
  async (page) => {
    await ready(page, 'train-tally');
    const seen = await page.evaluate(() => {
      const inside = document.querySelector('train-tally').shadowRoot;
      const style = (element) => getComputedStyle(element);
      const card = style(inside.querySelector('.card'));
      const sentence = style(inside.querySelector('.sentence'));
      return {
        display: card.display,
        border: card.borderTopWidth,
        spacing: sentence.letterSpacing,
        transform: sentence.textTransform,
        family: sentence.fontFamily,
        color: sentence.color,
        height: style(inside.querySelector('.button')).lineHeight,
        theirs: style(document.getElementById('theirs')).display,
      };
    });
    assert.notEqual(seen.display, 'none');
    assert.equal(seen.border, '1px');
    assert.match(seen.spacing, /^(normal|-?0\.\d+px)$/);
    assert.equal(seen.transform, 'none');
    assert.doesNotMatch(seen.family, /Courier/);
    assert.notEqual(seen.color, 'rgb(255, 0, 0)');
    assert.equal(seen.theirs, 'none'); // their own rule still holds for them
  },
);

onHost('under a strict policy it runs, and breaks no rule', 'strict.html', async (page) => {
  await ready(page, 'train-tally');
  await page.locator('[data-at="/training/tokens"] input').fill('2亿');
  await page.waitForFunction(
    () => document.querySelector('train-tally').report.resolved.training.tokens === 2e8,
  );
});

for (const [background, scheme] of [
  ['rgb(20, 20, 24)', 'dark'],
  ['white', 'light'],
]) {
  onHost(
    `on a ${scheme} page it is ${scheme}, whatever the system prefers`,
    'strict.html',
    async (page) => {
      await ready(page, 'train-tally');
      await page.evaluate((color) => {
        document.body.style.background = color;
      }, background);
      await page.waitForFunction(
        (wanted) => document.querySelector('train-tally').getAttribute('host-scheme') === wanted,
        scheme,
      );
    },
    { colorScheme: scheme === 'dark' ? 'light' : 'dark' },
  );
}

// --- Frames ---------------------------------------------------------------------------------------

async function withFrames(body) {
  const opened = await openPage(browser, `${hosts}/frames.html`, { allow: expected });
  const { page } = opened;
  await page.evaluate(
    (address) => {
      const script = document.createElement('script');
      script.src = address;
      document.head.append(script);
      return new Promise((resolve) => script.addEventListener('load', resolve));
    },
    `${originOf(other)}/embed.js`,
  );
  const frames = page.locator('iframe');
  await body(page, frames);
  await opened.close();
}

test('frames from another origin work where the host’s policy lets no WebAssembly run', async () => {
  await withFrames(async (page, frames) => {
    assert.equal(await frames.count(), 2);
    const inside = page.frameLocator('#first iframe');
    await inside.locator('[data-state=fits], [data-state=probably], [data-state=tight]').waitFor();
    assert.match(await inside.locator('.sentence').textContent(), /per million tokens/);
    assert.equal(await inside.locator('[role=tab]').count(), 0);
    await page
      .frameLocator('#second iframe')
      .locator('.answer[data-state]:not([data-state=waiting])')
      .waitFor();
    assert.equal(await frames.nth(1).getAttribute('title'), '算账');
  });
});

test('a frame is as high as what is in it, and tells the host what is answered', async () => {
  await withFrames(async (page, frames) => {
    const inside = page.frameLocator('#first iframe');
    await inside.locator('.answer[data-state]:not([data-state=waiting])').waitFor();
    const told = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.getElementById('first').addEventListener('train-tally-change', (event) => {
            if (event.detail.scenario.cluster?.count === 2) resolve(event.detail.report);
          });
        }),
    );
    await inside.locator('[data-at="/cluster/count"] input').fill('2');
    assert.equal((await told).resolved.cluster.count, 2);
    await page.waitForFunction(() => {
      const frame = document.querySelector('#first iframe');
      return frame.offsetHeight > 300 && frame.offsetHeight !== 640;
    });
    const page1 = await frames.first().elementHandle();
    const content = await page1.contentFrame();
    const overflow = await content.evaluate(
      () => document.documentElement.scrollHeight - innerHeight,
    );
    assert.ok(overflow <= 1, `${overflow} pixels are cut off`);
  });
});

test('messages of strangers, or of another shape, are not heard', async () => {
  await withFrames(async (page, frames) => {
    await page
      .frameLocator('#first iframe')
      .locator('.answer[data-state]:not([data-state=waiting])')
      .waitFor();
    const before = await frames.first().evaluate((frame) => frame.offsetHeight);
    await page.evaluate(() => {
      window.postMessage({ type: 'train-tally', height: 4321 }, '*'); // from the host itself
    });
    const content = await (await frames.nth(1).elementHandle()).contentFrame();
    await content.evaluate(() => {
      parent.postMessage({ type: 'train-tally', height: 1e9 }, '*');
      parent.postMessage({ type: 'train-tally', height: '<b>' }, '*');
      parent.postMessage(null, '*');
    });
    await page.waitForTimeout(200);
    assert.equal(await frames.first().evaluate((frame) => frame.offsetHeight), before);
    assert.ok((await frames.nth(1).evaluate((frame) => frame.offsetHeight)) < 20_000);
    // The frame takes nothing from a window that isn't its parent.
    const scheme = await content.evaluate(async () => {
      window.postMessage({ type: 'train-tally', scheme: 'light' }, '*');
      await new Promise((resolve) => setTimeout(resolve, 200));
      return document.querySelector('train-tally').scheme;
    });
    assert.equal(scheme, 'dark');
  });
});

/** A page that embeds by `html`, on which nothing may go wrong. */
async function withPage(html, body, options = {}) {
  const opened = await openPage(browser, `${hosts}/strict.html`, {
    allow: [...expected, /request: .*\/made\.html/],
    ...options,
  });
  const { page } = opened;
  await page.route('**/made.html', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<!doctype html><title>x</title><link rel="icon" href="data:,">${html}`,
    }),
  );
  await page.goto(`${hosts}/made.html`);
  await body(page);
  await opened.close();
}
const framed = '<div data-train-tally data-view="vram"></div><script src="/embed.js"></script>';

for (const [what, scheme, html] of [
  ['nothing painted', 'light', framed],
  ['a half-transparent black', 'light', `<body style="background: rgb(0 0 0 / 20%)">${framed}`],
  [
    'a dark box on a light page',
    'dark',
    `<body style="background: #fff"><div style="background: #111">${framed}</div>`,
  ],
  ['a dark oklch', 'dark', `<body style="background: oklch(0.21 0.03 265)">${framed}`],
  ['a light lab', 'light', `<body style="background: lab(96 0 0)">${framed}`],
  ['a dark canvas', 'dark', `<html style="color-scheme: dark">${framed}`],
]) {
  test(`a frame over ${what} is ${scheme}`, async () => {
    await withPage(
      html,
      async (page) => {
        const app = page.frameLocator('iframe').locator('train-tally');
        await app.locator('.answer[data-state]:not([data-state=waiting])').waitFor();
        assert.equal(await app.getAttribute('scheme'), scheme);
      },
      { colorScheme: scheme === 'dark' ? 'light' : 'dark' },
    );
  });
}

test('a broken inline list is said in the frame, and the enquiry goes on', async () => {
  const list = '<script type="application/json" id="l">{"offers":[{"id":"a",}]}</script>';
  for (const [given, reason] of [
    [list, /JSON/],
    ['', /#l/],
  ]) {
    await withPage(
      given +
        framed.replace(
          'data-view="vram"',
          'data-lang="en" data-catalog="#l" data-enquiry="https://ok.example/?s={scenario}"',
        ),
      async (page) => {
        const inside = page.frameLocator('iframe');
        await inside.locator('.note.bad').waitFor();
        assert.match(await inside.locator('.note.bad').textContent(), reason);
        await inside.locator('[data-take=enquiry]').waitFor();
      },
    );
  }
});

test('a scenario is read from a link without its version, and from JSON; what is neither is said', async () => {
  for (const scenario of [
    'model=qwen3-8b&amp;kind=full',
    '{&quot;model&quot;:&quot;qwen3-8b&quot;,&quot;training&quot;:{&quot;kind&quot;:&quot;full&quot;}}',
  ]) {
    await withPage(
      `<train-tally scenario="${scenario}"></train-tally><script src="/train-tally.js"></script>`,
      async (page) => {
        await ready(page, 'train-tally');
        assert.deepEqual(
          await page.evaluate(() => document.querySelector('train-tally').scenario),
          {
            model: 'qwen3-8b',
            training: { kind: 'full' },
          },
        );
        await page.evaluate(() => {
          document.querySelector('train-tally').setAttribute('scenario', 'an 8B model');
        });
        await page.locator('.note.bad', { hasText: 'an 8B model' }).waitFor();
      },
    );
  }
});

// --- What is written about the element -------------------------------------------------------------

test('the manifest says what the element has', async () => {
  const manifest = JSON.parse(await readFile(`${root}dist/custom-elements.json`, 'utf8'));
  const [declaration] = manifest.modules[0].declarations;
  const opened = await openPage(browser, `${hosts}/strict.html`, { allow: expected });
  await ready(opened.page, 'train-tally');
  const has = await opened.page.evaluate(
    (properties) => {
      const element = document.querySelector('train-tally');
      const parts = [...element.shadowRoot.querySelectorAll('[part]')].map(({ part }) => [...part]);
      return {
        attributes: element.constructor.observedAttributes,
        missing: properties.filter((name) => !(name in element)),
        parts: [...new Set(parts.flat())],
        styles: element.constructor.styles.map(String).join(''),
      };
    },
    declaration.members.map(({ name }) => name),
  );
  assert.deepEqual(
    declaration.attributes.map(({ name }) => name).sort(),
    has.attributes.filter((name) => name !== 'url-state').sort(),
  );
  assert.deepEqual(has.missing, []);
  assert.deepEqual(declaration.cssParts.map(({ name }) => name).sort(), has.parts.sort());
  for (const { name } of declaration.cssProperties) assert.ok(has.styles.includes(name), name);
  await opened.close();
});

integrate({ test, browser, axe: violations });
docs({ test, browser });
providerLists({ test, browser, hosts, allow: expected });
site({ test, browser });

await finish();
await browser.close();
for (const server of [dist, other, folders]) server.close();
