// TypeScript types of the one contract, from core/schema. Written to web/generated/, which git ignores.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { compile } from 'json-schema-to-typescript';

const root = fileURLToPath(new URL('..', import.meta.url));

/** What the page reads and writes. */
const schemas = [
  'scenario',
  'report',
  'plan',
  'plan-answer',
  'fit-answer',
  'own-request',
  'own-answer',
  'quote-request',
  'quote-answer',
  'project-request',
  'project-answer',
  'recipe-answer',
];

/** A description beside a $ref makes json-schema-to-typescript name a new type for each use. */
function plainReferences(node) {
  if (Array.isArray(node)) return node.map(plainReferences);
  if (typeof node !== 'object' || node === null) return node;
  if (typeof node.$ref === 'string') return { $ref: node.$ref };
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, plainReferences(value)]),
  );
}

export async function generateTypes() {
  await mkdir(`${root}web/generated`, { recursive: true });
  for (const name of schemas) {
    const schema = JSON.parse(await readFile(`${root}core/schema/${name}.schema.json`, 'utf8'));
    const text = await compile(plainReferences(schema), schema.title, {
      cwd: `${root}core/schema/`,
      bannerComment: `/* Generated from core/schema/${name}.schema.json by web/types.mjs. */`,
      ignoreMinAndMaxItems: true,
      strictIndexSignatures: true,
      style: { printWidth: 100, singleQuote: true },
    });
    await writeFile(`${root}web/generated/${name}.ts`, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await generateTypes();
