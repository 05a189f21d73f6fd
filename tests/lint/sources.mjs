// Which files the project consists of, and running a tool on some of them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The files that git tracks or would track, that match a pattern. */
export function sources(pattern) {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  return stdout.split('\0').filter((file) => pattern.test(file) && existsSync(root + file));
}

/** Runs a command; answers its exit status and what it printed. */
export function run(command, args) {
  return new Promise((done) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('error', (error) => done({ status: 127, output: error.message }));
    child.on('close', (status) => done({ status, output }));
  });
}

/** Calls an asynchronous function for each item, `width` of them at a time. */
export async function each(items, width, call) {
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await call(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
