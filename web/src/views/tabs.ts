/** The way from view to view: tabs, moved through by arrow keys as tabs are. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { tabNames, type ViewName } from './views';

type TabName = (typeof tabNames)[number];

const isTab = (name: ViewName): name is TabName => (tabNames as readonly string[]).includes(name);

const moves: Readonly<Record<string, (at: number) => number>> = {
  ArrowRight: (at) => at + 1,
  ArrowLeft: (at) => at - 1,
  Home: () => 0,
  End: () => -1,
};

export function tabs(context: Context): TemplateResult | typeof nothing {
  if (context.compact || !isTab(context.viewName)) return nothing;
  const { t } = context.locale;
  const onKey = (event: KeyboardEvent): void => {
    const move = moves[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const at = (tabNames as readonly string[]).indexOf(context.viewName);
    const next = tabNames.at(move(at) % tabNames.length);
    if (next === undefined) return;
    context.choose({ view: next });
    const list = (event.currentTarget as HTMLElement).closest('[role=tablist]');
    list?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  const tab = (name: TabName): TemplateResult => {
    const chosen = name === context.viewName;
    return html`
      <button
        type="button"
        role="tab"
        id="tab-${name}"
        aria-selected=${chosen}
        aria-controls="panel"
        tabindex=${chosen ? 0 : -1}
        @click=${() => {
          context.choose({ view: name });
        }}
        @keydown=${onKey}
      >
        ${t(`view.${name}`)}
      </button>
    `;
  };
  return html`<div class="tabs" part="tabs" role="tablist" aria-label=${t('view.nav')}>
    ${tabNames.map(tab)}
  </div>`;
}
