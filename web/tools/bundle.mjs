// TypeScript and CSS become one script.
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build, transform } from 'esbuild';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the page needs: adopted style sheets, DecompressionStream, container queries. */
export const browsers = ['chrome105', 'edge105', 'firefox113', 'safari16.4'];

export async function minified(css) {
  return (await transform(css, { loader: 'css', minify: true, target: browsers })).code.trim();
}

export async function minifiedCss(path) {
  return minified(await readFile(path, 'utf8'));
}

/** Style sheets become minified text. */
const cssAsText = {
  name: 'css-as-text',
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => ({
      contents: await minifiedCss(path),
      loader: 'text',
    }));
  },
};

/** Without the indentation of the sources: in template literals it would be shipped. */
const withoutIndentation = {
  name: 'without-indentation',
  setup({ onLoad }) {
    onLoad({ filter: /web\/src\/.*\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      return { contents: source.replace(/\n[ \t]+/g, '\n'), loader: 'ts' };
    });
  },
};

/**
 * `traintally/glue` is the module that Emscripten made, `traintally/data` what a script carries; d3
 * comes without what nobody calls.
 */
function modulesAt(glue, data, files) {
  return {
    name: 'modules',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^traintally\/data$/ }, ({ path }) => ({ path, namespace: 'data' }));
      onLoad({ filter: /./, namespace: 'data' }, () => ({
        contents: Object.entries(data)
          .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
          .join('\n'),
      }));
      onResolve({ filter: /^traintally\/glue$/ }, () => ({ path: glue }));
      onResolve({ filter: /^traintally\/files$/ }, ({ path }) => ({ path, namespace: 'files' }));
      onLoad({ filter: /./, namespace: 'files' }, () => ({
        contents: `export const files = ${JSON.stringify(files)};`,
      }));
      onResolve({ filter: /^d3-(?:interpolate|format)$/ }, () => ({
        path: `${root}web/tools/interpolate-numbers.js`,
      }));
    },
  };
}

/** @returns the text of one classic script */
export async function bundle(entry, glue, { data = {}, files = [], ...options } = {}) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'iife',
    minify: true,
    target: browsers,
    charset: 'utf8',
    legalComments: 'none',
    plugins: [cssAsText, withoutIndentation, modulesAt(glue, data, files)],
    tsconfig: 'tsconfig.json',
    ...options,
  });
  return outputFiles[0].text.trim();
}
