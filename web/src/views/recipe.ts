/** The configuration that starts this very job, tool by tool; or why a tool can't be told it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { RecipeAnswer } from '../../generated/recipe-answer';
import type { Context } from '../elements/context';
import { nameOf } from '../words/codes';
import { folded } from './parts';
import { copy } from './take-away';

const tools = {
  deepspeed: 'DeepSpeed',
  accelerate: 'Accelerate',
  megatron: 'Megatron-LM',
  torchrun: 'torchrun',
  llama_factory: 'LLaMA-Factory',
} as const;
type Tool = keyof typeof tools;

export function recipe(context: Context): TemplateResult | typeof nothing {
  const { t } = context.locale;
  if (context.report?.memory === undefined) return nothing;
  return folded(context, 'recipe', t('recipe.title'), () => {
    const {
      recipes = [],
      inexpressible = [],
      fits,
    } = context.evaluate('recipe', context.scenario) as RecipeAnswer;
    return html`
      <p class="hint">${t(fits === false ? 'recipe.unfit' : 'recipe.lead')}</p>
      ${recipes.map(({ tool, file, text }) => {
        const { copied } = context.view;
        return html`
          <div data-recipe=${tool}>
            <div class="head">
              <h3 id="recipe-${tool}">${tools[tool]} <code>${file}</code></h3>
              <button
                type="button"
                class="button"
                aria-describedby="recipe-${tool}"
                @click=${() => {
                  void copy(context, tool, text);
                }}
              >
                ${t(copied === tool ? 'take.copied' : 'recipe.copy')}
              </button>
            </div>
            <pre tabindex="0" role="group" aria-labelledby="recipe-${tool}">${text}</pre>
          </div>
        `;
      })}
      ${
        inexpressible.length === 0
          ? nothing
          : html`<dl>
              ${[...new Set(inexpressible.map(({ tool }) => tool))].map(
                (tool: Tool) => html`
                  <div data-inexpressible=${tool}>
                    <dt>${tools[tool]}</dt>
                    <dd>
                      ${inexpressible
                        .filter((each) => each.tool === tool)
                        .map(({ code }) => nameOf('inexpressible', code, context.locale))
                        .join(' · ')}
                    </dd>
                  </div>
                `,
              )}
            </dl>`
      }
    `;
  });
}
