// All tests of the page: node tests/web/run.mjs [chromium|accessible|screenshots|hosts|firefox|unit...]
//
// Wants dist/ and build/ as ./tally build leaves them. Ends with the sum: "web: N passed, N failed".
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const parts =
  process.argv.length > 2
    ? process.argv.slice(2)
    : ['chromium', 'accessible', 'screenshots', 'hosts', 'firefox', 'unit']; // the longest first
let passed = 0;
let failed = 0;

function run(part) {
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL(`${part}.mjs`, import.meta.url))],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
      process.stdout.write(chunk);
    });
    child.on('close', (code) => resolve({ code, text }));
  });
}

/** One browser leaves half of a small machine idle: two parts run at a time. */
async function lane() {
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    count(part, await run(part));
  }
}

function count(part, { code, text }) {
  const line = new RegExp(`^web-${part}: (\\d+) passed, (\\d+) failed$`, 'm').exec(text);
  passed += Number(line?.[1] ?? 0);
  const here = Number(line?.[2] ?? 1);
  failed += here === 0 && code !== 0 ? 1 : here; // a runner that died has failed
}

await Promise.all([lane(), lane()]);
console.log(`web: ${passed} passed, ${failed} failed`);
if (failed > 0) process.exitCode = 1;
