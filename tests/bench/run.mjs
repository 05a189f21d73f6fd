// Times an estimate natively and in WebAssembly, weighs what is shipped, prints `name: value unit`
// lines and writes dist/reports/bench.json. Builds nothing but the benchmarks themselves.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { lighthouseFigures } from './lighthouse.mjs';

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
// The plan search. calculon's exhaustive search evaluates 55 layouts a second on a core.
const layout = JSON.stringify(scenarios.pretrain_70b);
const request = JSON.stringify({
  ...scenarios.pretrain_70b,
  cluster: undefined,
  layout: undefined,
  constraints: { max_gpus: 1024 },
});
const timers = {
  native: (what, text) => Number(run(`${root}build/native/core_bench`, [what, text])),
  wasm: (what, text) => module.bench(what, catalog, text, 1),
};
const searched = timers.native('plan_layouts', request);
figure('plan_70b_layouts', searched, '');
figure('plan_70b_evaluated', timers.native('plan_evaluated', request), '');
for (const [name, time] of Object.entries(timers)) {
  figure(`${name}_one_layout`, rounded(time('layout', layout)), 'us');
  figure(`${name}_evaluations`, rounded(1e6 / time('variant', layout)), '/s');
  const plan = time('plan', request);
  figure(`${name}_plan_70b`, rounded(plan / 1e3), 'ms');
  figure(`${name}_plan_70b_first_front`, rounded(time('first_front', request) / 1e3), 'ms');
  figure(`${name}_plan_70b_layouts`, rounded((searched / plan) * 1e6), '/s');
}
figure('calculon_evaluations', 55, '/s');

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

for (const each of await lighthouseFigures(`${root}dist/index.html`)) figure(...each);

mkdirSync(root + 'dist/reports', { recursive: true });
const report = { version: 1, cpu: cpus()[0].model, node: process.versions.node, figures };
writeFileSync(root + 'dist/reports/bench.json', `${JSON.stringify(report, undefined, 2)}\n`);
