/** The article's answer beside the detailed one, and what its statements come to. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';
import { statementText } from '../words/codes';
import { numberAt } from '../scenario/document';

export function comparison(context: Context): TemplateResult | typeof nothing {
  const { t, format } = context.locale;
  const { report } = context;
  const published = report?.published;
  if (report === undefined || published === undefined) return nothing;
  const count = numberAt(context.resolved, '/cluster/count') ?? 1;
  const rows: [label: string, article: string, detailed: string][] = [];
  const row = (label: string, article: string | undefined, detailed: string | undefined): void => {
    if (article !== undefined) rows.push([label, article, detailed ?? '—']);
  };
  const yesNo = (value: boolean | undefined): string | undefined =>
    value === undefined ? undefined : value ? t('compare.yes') : t('compare.no');

  row(
    t('compare.memory'),
    published.vram_low_gb !== undefined && published.vram_high_gb !== undefined
      ? t('compare.memoryArticle', {
          low: format.number(published.vram_low_gb),
          high: format.number(published.vram_high_gb),
        })
      : published.vram_gb === undefined
        ? undefined
        : t('compare.memoryArticleOne', { gb: format.number(published.vram_gb) }),
    report.memory === undefined
      ? undefined
      : t('compare.memoryDetailed', {
          n: format.integer(count),
          gib: format.gib(report.memory.device_peak.value),
        }),
  );
  row(
    t('compare.reduced'),
    published.vram_reduced_gb === undefined
      ? undefined
      : t('compare.memoryArticleOne', { gb: format.number(published.vram_reduced_gb) }),
    undefined,
  );
  row(t('compare.fits'), yesNo(published.fits), yesNo(report.memory?.fits));
  row(
    t('compare.gpus'),
    published.gpu_count === undefined ? undefined : format.integer(published.gpu_count),
    report.memory === undefined
      ? undefined
      : t(report.memory.fits ? 'compare.atMost' : 'compare.moreThan', { n: format.integer(count) }),
  );
  row(
    t('compare.communication'),
    published.communication === undefined ? undefined : format.share(published.communication),
    communicationShare(context),
  );
  row(
    t('compare.unit'),
    published.unit_cost_per_1k === undefined
      ? undefined
      : format.moneyText(published.unit_cost_per_1k),
    report.cost === undefined ? undefined : format.moneyText(report.cost.per_1k_tokens),
  );
  row(
    t('compare.storage'),
    published.storage_tb === undefined ? undefined : `${format.number(published.storage_tb)} TB`,
    report.storage === undefined ? undefined : format.bytes(report.storage.needed_bytes),
  );
  const statements = (published.statements ?? []).filter(({ verdict }) => verdict !== 'holds');
  return html`
    <div class="card compare">
      <h2 id="compare-title">${t('compare.title')}</h2>
      <div class="scroll">
        <table aria-labelledby="compare-title">
          <thead>
            <tr>
              <td></td>
              <th scope="col" class="figure">${t('compare.article')}</th>
              <th scope="col" class="figure">${t('compare.detailed')}</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              ([label, article, detailed]) => html`
                <tr>
                  <th scope="row">${label}</th>
                  <td>${article}</td>
                  <td>${detailed}</td>
                </tr>
              `,
            )}
          </tbody>
        </table>
      </div>
      ${
        statements.length === 0
          ? nothing
          : html`
              <h3>${t('compare.statements')}</h3>
              <ul class="statements">
                ${statements.map(
                  (statement) => html`
                    <li data-code=${statement.code}>
                      <span class="tag verdict-${statement.verdict}">
                        ${t(`compare.verdicts.${statement.verdict}`)}
                      </span>
                      <span>${statementText(statement, context.locale)}</span>
                    </li>
                  `,
                )}
              </ul>
            `
      }
      <p class="hint">${t('compare.note')}</p>
    </div>
  `;
}

/** What the article calls communication: here all of it that nothing hides. */
function communicationShare({ report, locale: { format } }: Context): string | undefined {
  const time = report?.time;
  if (time === undefined) return undefined;
  const { tp, dp, pp, cp, ep } = time.exposed_communication;
  return format.share((tp + dp + pp + cp + ep) / time.step.value);
}
