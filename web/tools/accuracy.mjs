// web/data/accuracy.json: what the page knows of tests/accuracy/run's report, in a few kilobytes.
//
//   node web/tools/accuracy.mjs          after tests/accuracy/run, which writes dist/reports/
//
// Errors by source are the report's own. Points are rounded for drawing: the measured value to a
// step of its source's range, the error on a scale that is fine near zero.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { format } from 'prettier';
import { root } from './bundle.mjs';

/** One character a figure: printable, and none that JSON or HTML would escape. */
export const alphabet = Array.from({ length: 92 }, (_, i) => String.fromCharCode(35 + i))
  .filter((character) => !'\\<&>'.includes(character))
  .join('');
const steps = alphabet.length - 1;

/** Logarithms of predicted / measured beyond this are drawn at the edge. */
const widest = 1;

const kindOf = (point) => (point.kind === 'time' ? 'time' : 'memory');
const round = (value) => Number(value.toPrecision(4));

async function repositoryOf(source) {
  const text = await readFile(`${root}tests/accuracy/sources/${source}.csv`, 'utf8');
  return /^# cite_prefix: ([\w.-]+\/[\w.-]+)@/m.exec(text)?.[1];
}

function write(log, low, high) {
  const share = high > low ? (log - low) / (high - low) : 0;
  return alphabet[Math.round(share * steps)];
}

function writeError(log) {
  const error = Math.max(-widest, Math.min(widest, log)) / widest;
  const half = Math.floor(steps / 2);
  return alphabet[half + Math.round(Math.sign(error) * Math.sqrt(Math.abs(error)) * half)];
}

/**
 * The errors on a source that had no part in the fit, and the share of it inside intervals that it
 * had no part in either, where that was tried. Of a source that is never fitted, those are all it has.
 */
function leftOut(report, { source, kind, complete, fitted, median, p90, coverage }) {
  if (fitted === false) return [median, p90, coverage].map(round);
  const key = `${source}/${kind}/${complete ? 'complete' : 'incomplete'}`;
  const found = report.left_out.find((each) => each.key === key);
  return found ? [found.left_out.median, found.left_out.p90, found.covered].map(round) : [];
}

export async function digest(report) {
  const ids = [...new Set(report.points.map(({ source }) => source))];
  const sources = [];
  for (const id of ids) {
    const fitted = report.sources.find(({ source }) => source === id)?.fitted;
    sources.push({
      id,
      repository: await repositoryOf(id),
      never_fitted: fitted === false || undefined,
    });
  }
  const groups = new Map();
  for (const point of report.points) {
    const [, gpus, stack, method] = point.tags;
    const gpu = gpus.replace(/^\d+x/, '');
    const key = JSON.stringify([ids.indexOf(point.source), kindOf(point), gpu, stack, method]);
    groups.set(key, [...(groups.get(key) ?? []), point]);
  }
  return {
    sources,
    errors: report.errors.map((row) => [
      ids.indexOf(row.source),
      row.kind,
      row.complete,
      row.rows,
      round(row.median),
      round(row.p90),
      round(row.coverage),
      ...leftOut(report, row),
    ]),
    verdicts: { agree: report.verdicts.agree, disagree: report.verdicts.disagree.length },
    groups: [...groups].sort().map(([key, points]) => {
      const logs = points.map(({ measured }) => Math.log(measured));
      const [low, high] = [Math.min(...logs), Math.max(...logs)];
      const written = points.map(
        ({ measured, predicted }, i) =>
          write(logs[i], low, high) + writeError(Math.log(predicted / measured)),
      );
      const [source, kind, gpu, stack, method] = JSON.parse(key);
      const range = [round(Math.exp(low)), round(Math.exp(high))];
      return [source, kind, gpu, stack, method, ...range, written.sort().join('')];
    }),
  };
}

const file = 'web/data/accuracy.json';

/** The file's text, as prettier lays it out. */
export async function digestText(report) {
  return format(JSON.stringify(await digest(report)), { parser: 'json', printWidth: 100 });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = JSON.parse(await readFile(`${root}dist/reports/accuracy.json`, 'utf8'));
  await writeFile(root + file, await digestText(report));
}
