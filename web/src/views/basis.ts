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
  const rests = (
    kind: typeof basis.kind | typeof basis.memory_kind,
    rows: number | undefined,
    sources: number | undefined,
    error: number | undefined,
  ): { kind: string; rows: string; sources: string; error: string } | undefined =>
    kind === undefined || rows === undefined || sources === undefined || error === undefined
      ? undefined
      : {
          kind: t(`basis.kinds.${kind}`),
          rows: format.integer(rows),
          sources: format.integer(sources),
          error: format.percent(error, 1),
        };
  const time = rests(basis.kind, basis.rows, basis.sources, basis.median_error);
  const memory = rests(
    basis.memory_kind,
    basis.memory_rows,
    basis.memory_sources,
    basis.memory_median_error,
  );
  const own = report?.warnings.some(({ code }) => code === 'recalibrated') === true;
  return html`
    <div class="note info basis" data-basis>
      <b>${t('basis.title')}</b>
      ${own ? t('ran.basis') : nothing}
      ${
        borrowed.length === 0
          ? time === undefined
            ? nothing
            : t('basis.measured', time)
          : t('basis.borrowed', { list: borrowed.join(t('basis.and')) }) +
            (time === undefined ? '' : t('basis.rows', time))
      }
      ${memory === undefined ? nothing : t('basis.memory', memory)}
    </div>
  `;
}
