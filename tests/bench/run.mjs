// Times an estimate natively and in WebAssembly, weighs what is shipped, prints `name: value unit`
// lines and writes dist/reports/bench.json. Builds nothing but the benchmarks themselves.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('../..', import.meta.url));

function run(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${stderr}`);
  return stdout;
}

run('cmake', ['--build', '--preset', 'native', '--target', 'core_bench']);
run('cmake', ['--build', '--preset', 'wasm', '--target', 'core_bench_wasm']);

const catalog = readFileSync(root + 'build/native/catalog.json', 'utf8');
const load = async (path) => {
  const { default: create } = await import(`${root}${path}.mjs`);
  return create({ wasmBinary: readFileSync(`${root}${path}.wasm`) });
};

const scenarios = {
  lora_8b: { model: 'llama-3.1-8b', layout: { tp: 1 } },
  pretrain_70b: {
    model: 'llama-3.1-70b',
    training: { kind: 'pretrain', sequence_length: 8192, global_batch: 1024, stack: 'megatron' },
    cluster: { gpu: 'h100-sxm-80gb', count: 512 },
    layout: { tp: 8, pp: 4 },
  },
  pretrain_70b_auto: {
    model: 'llama-3.1-70b',
    training: { kind: 'pretrain', sequence_length: 8192, global_batch: 1024, stack: 'megatron' },
    cluster: { gpu: 'h100-sxm-80gb', count: 512 },
    layout: 'auto',
  },
};

const figures = [];
function figure(name, value, unit) {
  figures.push({ name, value, unit });
  console.log(`${name}: ${value} ${unit}`);
}
const rounded = (value) => Number(value.toPrecision(3));

const module = await load('build/wasm/core_bench');
for (const [name, scenario] of Object.entries(scenarios)) {
  const text = JSON.stringify(scenario);
  for (const what of ['estimate', 'evaluate']) {
    const native = Number(run(`${root}build/native/core_bench`, [what, text]));
    const wasm = module.bench(what, catalog, text, 1);
    if (!(native > 0 && wasm > 0)) throw new Error(`${name} could not be timed`);
    figure(`native_${what}_${name}`, rounded(native), 'us');
    figure(`wasm_${what}_${name}`, rounded(wasm), 'us');
  }
}
figure('native_open_catalog', rounded(Number(run('build/native/core_bench', ['open', '']))), 'us');
figure('wasm_open_catalog', rounded(module.bench('open', catalog, '', 1)), 'us');

// From bytes to the first answer, as a page does it.
const started = performance.now();
const shipped = await load('build/wasm/traintally');
new shipped.Session(catalog).evaluate('estimate', JSON.stringify(scenarios.lora_8b));
figure('wasm_first_answer', rounded(performance.now() - started), 'ms');

const shippedFiles = [
  ...['build/wasm/traintally.wasm', 'build/wasm/traintally.mjs'],
  ...readdirSync(root + 'dist')
    .filter((name) => /\.(html|js)$/.test(name))
    .map((name) => `dist/${name}`),
];
for (const path of shippedFiles) {
  const bytes = readFileSync(root + path);
  const name = path.split('/').pop();
  figure(`size_${name}`, bytes.length, 'bytes');
  figure(`size_gzip_${name}`, gzipSync(bytes, { level: 9 }).length, 'bytes');
}

mkdirSync(root + 'dist/reports', { recursive: true });
const report = { version: 1, cpu: cpus()[0].model, node: process.versions.node, figures };
writeFileSync(root + 'dist/reports/bench.json', `${JSON.stringify(report, undefined, 2)}\n`);
