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

export function accessibility({ test, browser, address }) {
  const sides = `${tight.replace('#v=1', '#v=1&view=compare')}&with=v%3D1%26model%3Dqwen3-8b`;
  for (const [view, hash] of [
    ['compare', sides],
    ['rent', '#v=1&view=rent&plan.max_gpus=8'],
    ['own', '#v=1&view=own&own.preset=article'],
    ['quote', '#v=1&view=quote'],
    ['accuracy', '#v=1&view=accuracy'],
    ['vram', '#v=1&view=vram'],
  ]) {
    for (const [locale, colorScheme, width] of [
      ['zh-CN', 'light', 1440],
      ['en', 'dark', 320],
    ]) {
      test(`axe finds nothing in ${view}, ${locale}, ${colorScheme}, ${width} pixels`, async () => {
        const opened = await openPage(browser, address + hash, {
          viewport: { width, height: 800 },
          locale,
          colorScheme,
        });
        const { page } = opened;
        await page.locator(`[data-view=${view}]`).waitFor();
        for (const folded of await page.locator(`[data-view=${view}] summary`).all()) {
          await folded.click();
        }
        assert.deepEqual(await violations(page), []);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(wide <= 0, `${wide} pixels too wide`);
        await opened.close();
      });
    }
  }

  for (const [locale, colorScheme, device] of [
    ['zh-CN', 'light', {}],
    ['zh-CN', 'dark', {}],
    ['en', 'light', {}],
    ['en', 'dark', {}],
    ['zh-CN', 'light', phone],
    ['en', 'dark', phone],
  ]) {
    const name = `${locale}, ${colorScheme}, ${device === phone ? 'phone' : 'desktop'}`;
    test(`axe finds nothing: ${name}`, async () => {
      const opened = await openPage(browser, address + tight, { locale, colorScheme, ...device });
      const { page } = opened;
      await answered(page);
      assert.deepEqual(await violations(page), []);
      // And with everything unfolded: lists, tables, derivations, the expert's fields.
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
