/** A Hugging Face config.json: pasted, dropped or opened. It is read here and goes nowhere. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { isObject, type JsonObject } from '../scenario/document';
import { problemText } from '../words/codes';
import { fileButton, problemAt } from './parts';

const largest = 1_000_000;

/** Says nothing about the shape, only lengthens the link. */
const irrelevant =
  /^(?:transformers_version|auto_map|id2label|label2id|.*_token_id|use_cache|initializer_.*|.*_dropout|.*_pdrop|quantization_config|task_specific_params|output_.*|return_dict|pad_token_.*)$/;

export function modelConfig(context: Context): TemplateResult {
  const { t } = context.locale;
  const { view } = context;
  if (!view.configOpen) {
    return html`
      <button
        type="button"
        class="link"
        data-config-open
        @click=${() => {
          context.show({ configOpen: true, configProblem: '' });
        }}
      >
        ${t('inputs.configOpen')}
      </button>
    `;
  }
  // What the core can't even walk through has no place: it is this text's all the same.
  const deep = view.configText !== '' && context.problems.find(({ at }) => at === '');
  const problem =
    view.configProblem || (deep ? problemText(deep, context.locale) : problemAt(context, '/model'));
  const close = (event: Event): void => {
    const around = (event.currentTarget as HTMLElement).getRootNode() as ShadowRoot;
    context.show({ configOpen: false, configText: '', configProblem: '' });
    // The focus goes back to where the panel was opened from.
    requestAnimationFrame(() => around.querySelector<HTMLElement>('[data-config-open]')?.focus());
  };
  return html`
    <div
      class="config"
      @keydown=${(event: KeyboardEvent) => {
        if (event.key === 'Escape') close(event);
      }}
    >
      <label class="label" for="config">${t('inputs.configLabel')}</label>
      <textarea
        id="config"
        rows="6"
        spellcheck="false"
        autocomplete="off"
        placeholder='{ "num_hidden_layers": 32, "hidden_size": 4096, … }'
        .value=${view.configText}
        aria-invalid=${problem === '' ? 'false' : 'true'}
        aria-describedby=${problem === '' ? 'config-hint' : 'config-problem config-hint'}
        @input=${(event: Event) => {
          readConfig(context, (event.target as HTMLTextAreaElement).value, false);
        }}
      ></textarea>
      ${
        problem === ''
          ? nothing
          : html`<p class="problem" id="config-problem" role="alert">${problem}</p>`
      }
      <p class="hint" id="config-hint">${t('inputs.configHint')}</p>
      <div class="buttons">
        ${fileButton('config', t('inputs.configFile'), '.json,application/json', (file) => openConfig(context, file))}
        <button type="button" class="button" @click=${close}>${t('inputs.configCancel')}</button>
      </div>
    </div>
  `;
}

export async function openConfig(context: Context, file: File): Promise<void> {
  if (file.size > largest) {
    context.show({ configOpen: true, configProblem: context.locale.t('inputs.configTooBig') });
    return;
  }
  readConfig(context, await file.text(), true);
}

/** @param close put the panel away when the text is a config (it came whole, from a file) */
export function readConfig(context: Context, text: string, close: boolean): void {
  const { t } = context.locale;
  if (text.trim() === '') {
    context.show({ configOpen: true, configText: text, configProblem: '' });
    return;
  }
  if (text.length > largest) {
    context.show({ configOpen: true, configProblem: t('inputs.configTooBig') });
    return;
  }
  const wrong = (configProblem: string): void => {
    context.show({ configOpen: true, configText: text, configProblem });
  };
  if (/^\s*(?:https?:\/\/|huggingface\.co|hf-mirror\.com)/.test(text)) {
    wrong(t('inputs.configUrl'));
    return;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    wrong(t('inputs.configNotJson'));
    return;
  }
  if (!isObject(value)) {
    wrong(t('inputs.configNotObject'));
    return;
  }
  context.show({ configOpen: !close, configText: close ? '' : text, configProblem: '' });
  context.set([['/model', { hf_config: relevant(value) }]]);
}

function relevant(config: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(config).filter(([key, value]) => value !== null && !irrelevant.test(key)),
  );
}
