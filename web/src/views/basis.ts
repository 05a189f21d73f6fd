/** What the interval rests on: measurements of this very kind, or a relative's. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Context } from '../elements/context';

export function basis({
  report,
  catalog,
  locale: { t, format },
}: Context): TemplateResult | typeof nothing {
  const basis = report?.basis;
  if (basis === undefined) return nothing;
  const borrowed: string[] = [];
  const orRelatives = (from: string | undefined): string =>
    from === undefined || from === '' ? t('basis.relatives') : from;
  if (basis.gpu === 'borrowed') {
    borrowed.push(
      t('basis.gpu', { from: catalog.gpu(basis.gpu_from)?.name ?? orRelatives(basis.gpu_from) }),
    );
  }
  if (basis.stack === 'borrowed') {
    borrowed.push(
      t('basis.stack', {
        from: catalog.stack(basis.stack_from)?.name ?? orRelatives(basis.stack_from),
      }),
    );
  }
  if (basis.method === 'borrowed') borrowed.push(t('basis.method'));
  const measured = {
    rows: format.integer(basis.rows ?? 0),
    error: format.percent(basis.median_error ?? 0, 1),
  };
  const own = report?.warnings.some(({ code }) => code === 'recalibrated') === true;
  const known = basis.rows !== undefined && basis.rows > 0 && basis.median_error !== undefined;
  return html`
    <div class="note info basis" data-basis>
      <b>${t('basis.title')}</b>
      ${own ? t('ran.basis') : nothing}
      ${
        borrowed.length === 0
          ? known
            ? t('basis.measured', measured)
            : nothing
          : t('basis.borrowed', { list: borrowed.join(t('basis.and')) }) +
            (known ? t('basis.rows', measured) : '')
      }
    </div>
  `;
}
