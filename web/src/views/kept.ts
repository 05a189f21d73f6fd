/** Scenarios kept by name on this device, only when asked. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { readFragment, writeFragment } from '../scenario/fragment';
import { forget, keep, readKept } from '../scenario/kept';
import { titleOf } from './side-by-side';

export function keptScenarios(context: Context): TemplateResult {
  const { t } = context.locale;
  const list = context.view.keptFails ? undefined : readKept();
  const title = context.report ? titleOf(context, context.scenario, context.report) : '';
  const done = (worked: boolean): void => {
    context.show({ keptFails: !worked });
  };
  const onKeep = (event: Event): void => {
    const input = (event.currentTarget as Element).previousElementSibling as HTMLInputElement;
    const name = input.value.trim() || title;
    input.value = '';
    done(keep({ name, link: writeFragment(context.scenario) }));
  };
  const one = (name: string, link: string): TemplateResult => html`
    <li>
      <button
        type="button"
        class="link"
        aria-label=${t('kept.open', { name })}
        @click=${() => {
          const kept = readFragment(link);
          if (kept !== undefined) context.load(kept.scenario);
        }}
      >
        ${name}
      </button>
      <button
        type="button"
        class="button icon"
        aria-label=${t('kept.remove', { name })}
        title=${t('kept.remove', { name })}
        @click=${() => {
          done(forget(name));
        }}
      >
        <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
          <path d="m4.5 4.5 7 7m0-7-7 7" />
        </svg>
      </button>
    </li>
  `;
  return html`
    <details class="card sources kept">
      <summary>${t('kept.title')}</summary>
      <p class="facts">${t(list === undefined ? 'kept.none' : 'kept.lead')}</p>
      ${
        list === undefined
          ? nothing
          : html`<label class="label" for="kept-name">${t('kept.name')}</label>
              <div class="buttons">
                <input id="kept-name" type="text" maxlength="80" placeholder=${title} />
                <button type="button" class="button" data-keep @click=${onKeep}>
                  ${t('kept.keep')}
                </button>
              </div>
              <ul>
                ${list.map(({ name, link }) => one(name, link))}
              </ul>
              ${
                list.length < 2
                  ? nothing
                  : html`<button
                      type="button"
                      class="link"
                      @click=${() => {
                        done(forget());
                      }}
                    >
                      ${t('kept.forget')}
                    </button>`
              }`
      }
    </details>
  `;
}
