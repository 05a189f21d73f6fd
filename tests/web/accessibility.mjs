// Everybody can use it: axe, narrow windows, zoom, targets, the keyboard.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { answered, openPage, root, until } from './page.mjs';

const axe = await readFile(`${root}node_modules/axe-core/axe.min.js`, 'utf8');

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const tight =
  '#v=1&mode=expert&model=llama-3.1-70b&kind=full&gpu=a100-sxm-40gb&gpus=4&offer=article-advanced';

export async function violations(page) {
  await page.evaluate(axe);
  const { violations: found } = await page.evaluate(() =>
    globalThis.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    }),
  );
  return found.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(' | ')}`,
  );
}

/** What is wider than the page, or sticks out of its card where nothing scrolls. */
function stickingOut(page) {
  return page.evaluate(() => {
    const found = [];
    const look = (rootNode) => {
      for (const element of rootNode.querySelectorAll('*')) {
        if (element.shadowRoot) look(element.shadowRoot);
        if (!element.matches('button, select, input:not(.unseen), textarea, a, summary, .tag'))
          continue;
        const { right, width } = element.getBoundingClientRect();
        let around = element.parentElement ?? element.getRootNode().host;
        while (
          around &&
          !around.matches('.card') &&
          getComputedStyle(around).overflowX === 'visible'
        ) {
          around = around.parentElement ?? around.getRootNode().host;
        }
        const edge = around?.matches('.card') ? around.getBoundingClientRect().right : Infinity;
        if (width > 0 && right > edge + 0.5) {
          found.push(`${element.tagName}.${element.className} ${element.textContent.trim()}`);
        }
      }
    };
    look(document);
    const wide = document.documentElement.scrollWidth - innerWidth;
    return wide > 0 ? [...found, `${wide} pixels too wide`] : found;
  });
}

/** The next stop of the Tab key; undefined once it has left the page. */
async function tabbed(page) {
  await page.keyboard.press('Tab');
  return page.evaluate(() => {
    let element = document.activeElement;
    while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
    if (element === document.body || element === null) return undefined;
    let place = 0;
    let found = -1;
    const count = (rootNode) => {
      for (const each of rootNode.querySelectorAll('*')) {
        place += 1;
        if (each === element) found = place;
        if (each.shadowRoot) count(each.shadowRoot);
      }
    };
    count(document);
    // What only looks like something else has its ring there.
    const shown = [element, element.nextElementSibling, element.closest('label')].find(
      (each) =>
        each &&
        parseFloat(getComputedStyle(each).outlineWidth) >= 2 &&
        getComputedStyle(each).outlineStyle !== 'none',
    );
    const { top, bottom } = (shown ?? element).getBoundingClientRect();
    return {
      place: found,
      name: `${element.tagName}#${element.id}.${element.className} ${element.textContent.trim().slice(0, 40)}`,
      ring: shown !== undefined,
      inSight: bottom > 0 && top < innerHeight,
    };
  });
}

export function accessibility({ test, browser, address }) {
  const sides = `${tight.replace('#v=1', '#v=1&view=compare')}&with=v%3D1%26model%3Dqwen3-8b`;
  const everyView = [
    ['estimate', '#v=1&mode=expert&model=qwen3-8b&kind=lora'],
    ['compare', sides],
    ['rent', '#v=1&view=rent&model=qwen3-8b&kind=lora&plan.max_gpus=8'],
    ['own', '#v=1&view=own&own.preset=article'],
    ['quote', '#v=1&view=quote'],
    ['accuracy', '#v=1&view=accuracy'],
    ['vram', '#v=1&view=vram'],
  ];

  /** Opens a view with all that is folded in it, a visitor's price list with a mistake too. */
  async function unfolded(view, hash, options) {
    const opened = await openPage(browser, address + hash, options);
    const { page } = opened;
    const panel = page.locator('#panel');
    if (view === 'estimate') await answered(page);
    else await panel.locator(`[data-view=${view}]`).waitFor();
    if (view === 'rent') await panel.locator('[data-complete=true]').waitFor();
    await panel.locator('details').evaluateAll((all) => {
      for (const each of all) each.open = true;
    });
    if (view === 'rent') {
      const head = 'id,provider,name,gpu,count,per_hour,currency,date';
      for (const gpu of ['RTX 4090', 'No Card']) {
        await panel.locator('[data-fold=list] input[type=file]').setInputFiles({
          name: 'list.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(`${head}\na,Acme,One,${gpu},1,5,CNY,2026-11-01\n`),
        });
        await panel.locator(gpu === 'No Card' ? '.note.bad' : '[data-list=visitor]').waitFor();
      }
    }
    return opened;
  }

  for (const [view, hash] of everyView) {
    for (const width of [1440, 320]) {
      test(`axe finds nothing in ${view} at ${width} pixels, ${width === 320 ? 'both languages and schemes' : 'each language and scheme'}`, async () => {
        const viewport = { width, height: 800 };
        const opened = await unfolded(view, hash, { viewport });
        const { page } = opened;
        for (const lang of ['zh-CN', 'en']) {
          for (const scheme of ['light', 'dark']) {
            // Words and colours go their own ways: a narrow window sees each language and scheme once.
            if (width === 320 && (lang === 'en') !== (scheme === 'dark')) continue;
            await page.evaluate(
              (chosen) => {
                const app = document.querySelector('train-tally');
                app.choose(chosen);
                return app.updateComplete;
              },
              { lang, scheme },
            );
            assert.deepEqual(await violations(page), [], `${lang}, ${scheme}`);
          }
          // And at 720: 1440 at 200%.
          for (const narrow of width === 320 ? [320, 720] : []) {
            await page.setViewportSize({ width: narrow, height: 800 });
            assert.deepEqual(await stickingOut(page), [], `${narrow}, ${lang}`);
          }
          await page.setViewportSize(viewport);
        }
        await opened.close();
      });
    }

    test(`${view} by keyboard alone: in order, in sight, with no trap`, async () => {
      const opened = await unfolded(view, hash, { viewport: { width: 1000, height: 700 } });
      const { page } = opened;
      await page.evaluate(() => document.activeElement?.blur());
      await page.locator('h1, .brand').first().click();
      let last = -1;
      let here = await tabbed(page);
      let count = 0;
      for (; here !== undefined && count < 500; count += 1) {
        assert.ok(here.ring, `no focus ring on ${here.name}`);
        assert.ok(here.inSight, `${here.name} has the focus out of sight`);
        assert.ok(here.place > last, `${here.name} comes after what follows it, or again`);
        last = here.place;
        here = await tabbed(page);
      }
      assert.equal(here, undefined, 'the focus never leaves the page');
      assert.ok(count > 12, `${count} stops`);
      await opened.close();
    });
  }

  for (const [locale, colorScheme, device] of [
    ['zh-CN', 'light', {}],
    ['en', 'dark', {}],
    ['zh-CN', 'dark', phone],
    ['en', 'light', phone],
  ]) {
    const name = `${locale}, ${colorScheme}, ${device === phone ? 'phone' : 'desktop'}`;
    test(`axe finds nothing with everything unfolded: ${name}`, async () => {
      const opened = await openPage(browser, address + tight, { locale, colorScheme, ...device });
      const { page } = opened;
      await answered(page);
      // Lists, tables, derivations, the expert's fields.
      await page.locator('input[name=layout][value=own]').check({ force: true });
      for (const summary of await page
        .locator('.sources summary, .usual summary, .ran summary')
        .all()) {
        await summary.click();
      }
      for (const button of await page.locator('[data-term] button').all()) await button.click();
      for (const toggle of await page.locator('.toggle').and(page.locator('button')).all()) {
        await toggle.click();
      }
      await page.locator('[data-kpi=memory] .why').click();
      await page.locator('[data-config-open]').click();
      await page.locator('#config').fill('{');
      await page.locator('[data-at="/cluster/gpu"] input').click();
      assert.deepEqual(await violations(page), []);
      await opened.close();
    });
  }

  for (const [width, locale] of [
    [320, 'zh-CN'],
    [320, 'en'],
    [360, 'zh-CN'],
    [720, 'en'], // 1440 at 200%
    [768, 'zh-CN'],
    [1440, 'en'],
    [3840, 'zh-CN'],
  ]) {
    test(`nothing scrolls sideways at ${width} pixels in ${locale}`, async () => {
      const opened = await openPage(browser, address + tight, {
        viewport: { width, height: 640 },
        locale,
      });
      const { page } = opened;
      await answered(page);
      await page.locator('[data-kpi=memory] .why').click();
      const [wide, cut] = await page.evaluate(() => {
        const scroller = document.documentElement;
        const cards = [
          ...document.querySelector('train-tally').shadowRoot.querySelectorAll('.card, .kpi'),
        ];
        return [
          scroller.scrollWidth - innerWidth,
          cards
            .filter((card) => card.getBoundingClientRect().right > innerWidth + 0.5)
            .map((card) => card.className),
        ];
      });
      assert.ok(wide <= 0, `${wide} pixels too wide`);
      assert.deepEqual(cut, []);
      await opened.close();
    });
  }

  test('what is touched is large enough to be touched', async () => {
    const opened = await openPage(browser, `${address}#v=1&mode=expert`, phone);
    const { page } = opened;
    await answered(page);
    const small = await page.evaluate(() => {
      const found = [];
      const look = (rootNode) => {
        for (const element of rootNode.querySelectorAll('*')) {
          if (element.shadowRoot) look(element.shadowRoot);
          if (!element.matches('button, select, input, summary, textarea')) continue;
          const target = element.matches('[type=radio], [type=checkbox], [type=file]')
            ? (element.closest('label') ?? element)
            : element;
          const { width, height } = target.getBoundingClientRect();
          if (width === 0 && height === 0) continue;
          const main = element.matches('.primary, input:not(.unseen), select');
          if (height < (main ? 40 : 24) || width < 24) {
            found.push(`${element.tagName}.${element.className} ${width}x${height}`);
          }
        }
      };
      look(document);
      return found.filter((name) => !name.startsWith('INPUT.slider'));
    });
    assert.deepEqual(small, []);
    await opened.close();
  });

  test('on a phone the answer stays in sight while the inputs come first', async () => {
    const opened = await openPage(browser, address, phone);
    const { page } = opened;
    await answered(page);
    const inSight = () =>
      page.locator('.sentence').evaluate((sentence) => {
        const { top, bottom } = sentence.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      });
    const field = page.locator('[data-at="/training/tokens"]');
    assert.equal(await inSight(), true);
    assert.ok((await field.boundingBox()).y < (await page.locator('.kpis').boundingBox()).y);
    await page
      .locator('[data-at="/cluster/count"]')
      .evaluate((element) => element.scrollIntoView());
    assert.equal(await inSight(), true);
    await page.locator('#price-from').evaluate((element) => element.scrollIntoView());
    assert.equal(await inSight(), true);
    await opened.close();
  });

  test('the whole page is reached by keyboard, and what has the focus shows it', async () => {
    const opened = await openPage(browser, address);
    const { page } = opened;
    await answered(page);
    const reached = new Set();
    for (let i = 0; i < 90; i += 1) {
      await page.keyboard.press('Tab');
      const here = await page.evaluate(() => {
        let element = document.activeElement;
        while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
        if (element === document.body || element === null) return undefined;
        const shown = element.matches('[type=radio]') ? element.nextElementSibling : element;
        const { outlineStyle, outlineWidth } = getComputedStyle(shown);
        return {
          name:
            element.dataset.tool ??
            element.dataset.preset ??
            element.getRootNode().host?.dataset?.at ??
            element.id ??
            element.name,
          visible: outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2,
        };
      });
      if (here === undefined) break;
      assert.ok(here.visible, `no focus ring on ${here.name}`);
      reached.add(here.name);
    }
    for (const name of [
      'language',
      'link',
      'lora8b',
      '/model',
      '/training/tokens',
      '/cluster/count',
      'price-from',
    ]) {
      assert.ok(reached.has(name), name);
    }
    await opened.close();
  });

  test('nothing moves for those who want no motion', async () => {
    const opened = await openPage(browser, address, { reducedMotion: 'reduce' });
    await answered(opened.page);
    const moving = await opened.page.evaluate(() => {
      const found = [];
      const look = (rootNode) => {
        for (const element of rootNode.querySelectorAll('*')) {
          if (element.shadowRoot) look(element.shadowRoot);
          const { transitionDuration, animationName } = getComputedStyle(element);
          if (parseFloat(transitionDuration) > 0 || !['none', ''].includes(animationName))
            found.push(element.className);
        }
      };
      look(document);
      return found;
    });
    assert.deepEqual(moving, []);
    await opened.close();
  });

  test('a host page’s attribute gives another scenario', async () => {
    const opened = await openPage(browser, address);
    const { page } = opened;
    await answered(page);
    await page.evaluate(() =>
      document
        .querySelector('train-tally')
        .setAttribute('scenario', 'v=1&model=qwen3-8b&kind=qlora'),
    );
    await until(page, (s) => s.report.resolved.training.kind === 'qlora');
    await opened.close();
  });
}
