/* global document, navigator, location, URL */
// The page that writes the snippet: what is chosen here and in the preview becomes HTML.
(function () {
  const form = document.forms[0];
  const root = document.documentElement;
  const snippet = document.getElementById('snippet');
  const preview = document.querySelector('train-tally');
  const languages = { en: '中文', 'zh-CN': 'English' };

  const escaped = (text) =>
    text.replace(/[&<>"]/g, (mark) => `&#${mark.charCodeAt(0)};`).replace(/&#38;/g, '&amp;');

  function chosen() {
    const values = Object.fromEntries(new globalThis.FormData(form));
    const base = values.base.replace(/\/*$/, '/');
    return { ...values, base, scenario: preview.getAttribute('scenario') ?? '' };
  }

  /** name="value" for all that is said. */
  const written = (pairs) =>
    pairs
      .filter(([, value]) => value)
      .map(([name, value]) => `\n  ${name}="${escaped(value)}"`)
      .join('');

  function write() {
    const { as, base, scenario, view, mode, lang, scheme, accent, catalog, enquiry, compact } =
      chosen();
    const named = { scenario, view, mode, lang, scheme, catalog, enquiry };
    if (as === 'frame') {
      const pairs = Object.entries({
        ...named,
        scenario: scenario.replace(/^v=1&/, ''), // embed.js says the version itself
        catalog: catalog.startsWith('#') ? catalog : '',
      });
      snippet.value =
        `<script\n  async\n  src="${escaped(base)}embed.js"` +
        written(pairs.map(([name, value]) => [`data-${name}`, value])) +
        `${compact ? '\n  data-compact' : ''}\n></script>`;
    } else {
      const style = accent ? `--train-tally-accent: ${accent}` : '';
      snippet.value =
        `<script async src="${escaped(base)}train-tally.js"></script>\n<train-tally` +
        written([...Object.entries(named), ['style', style]]) +
        `${compact ? '\n  compact' : ''}\n></train-tally>`;
    }
  }

  /** The preview shows what a visitor will see; only a list on another page can't be shown. */
  function show() {
    const { view, mode, lang, scheme, accent, enquiry, compact } = chosen();
    for (const [name, value] of Object.entries({ view, mode, lang, scheme, enquiry })) {
      if (value) preview.setAttribute(name, value);
      else preview.removeAttribute(name);
    }
    preview.toggleAttribute('compact', Boolean(compact));
    preview.style.setProperty('--train-tally-accent', accent);
    write();
  }

  function speak(language) {
    root.lang = language;
    document.getElementById('language').textContent = languages[language];
    for (const option of document.querySelectorAll('[data-en]')) {
      option.dataset.zh ??= option.textContent;
      option.textContent = language === 'en' ? option.dataset.en : option.dataset.zh;
    }
  }

  form.elements.base.value = new URL('.', location.href).href;
  speak(/^zh/i.test(navigator.language) ? 'zh-CN' : 'en');
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());
  // The attributes follow the event.
  document.addEventListener('train-tally-change', () => preview.updateComplete.then(write));
  document.getElementById('language').addEventListener('click', () => {
    speak(root.lang === 'en' ? 'zh-CN' : 'en');
    show();
  });
  document.getElementById('copy').addEventListener('click', async () => {
    const zh = root.lang !== 'en';
    const said = document.getElementById('said');
    try {
      await navigator.clipboard.writeText(snippet.value);
      said.textContent = zh ? '已复制。' : 'Copied.';
    } catch {
      snippet.select(); // no clipboard here: one key away
      said.textContent = zh ? '请按 Ctrl+C 复制。' : 'Press Ctrl+C to copy.';
    }
  });
  show();
})();
