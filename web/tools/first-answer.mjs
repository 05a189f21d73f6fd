// The answer to the job that the page opens on, in every language, as markup of the page itself.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { bundle, minified, root } from './bundle.mjs';

/** @returns {Promise<{markup: string, style: string}>} */
export async function firstAnswers({ glue, wasm, catalog }) {
  const file = `${root}build/web/first-answer.mjs`;
  await mkdir(`${root}build/web`, { recursive: true });
  const script = await bundle('web/src/first-answer.ts', glue, {
    format: 'esm',
    platform: 'node',
    target: 'node20',
    packages: 'external',
  });
  await writeFile(file, script);
  const { colours, defaultScenario, firstAnswer, languages } = await import(pathToFileURL(file));
  const { default: createTrainTally } = await import(pathToFileURL(glue));
  const core = await createTrainTally({ wasmBinary: await readFile(wasm) });
  const session = new core.Session(catalog);
  const report = JSON.parse(session.evaluate('estimate', JSON.stringify(defaultScenario)));
  session.delete();
  const entries = JSON.parse(catalog);
  const answers = languages.map(
    (language) =>
      `<div class="first" lang="${language}" hidden><div class="first-page">` +
      `<div class="card"></div>${firstAnswer(language, entries, report)}</div></div>`,
  );
  const answerStyle = await readFile(`${root}web/src/styles/answer.css`, 'utf8');
  return { markup: answers.join(''), style: await minified(colours + answerStyle) };
}
