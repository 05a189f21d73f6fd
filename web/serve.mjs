// Serves a folder on this machine: node web/serve.mjs [FOLDER] [--port N]
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
};

/** @returns the file that an address means, or nothing when it isn't in the folder */
async function fileAt(folder, address) {
  const path = normalize(decodeURIComponent(new URL(address, 'http://host').pathname));
  if (path.split(sep).includes('..')) return undefined;
  const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
  return (await stat(file).catch(() => undefined))?.isFile() ? file : undefined;
}

async function firstIn(folders, address) {
  for (const folder of folders) {
    const file = await fileAt(folder, address);
    if (file !== undefined) return file;
  }
  return undefined;
}

/**
 * @param folders one folder, or several that are looked through in order
 * @returns a server that listens on the loopback interface
 */
export async function serve(folders, port) {
  const server = createServer((request, response) => {
    firstIn([folders].flat(), request.url)
      .catch(() => undefined)
      .then((file) => {
        if (file === undefined || !['GET', 'HEAD'].includes(request.method)) {
          response.writeHead(404).end();
          return;
        }
        response.writeHead(200, {
          'content-type': types[extname(file)] ?? 'application/octet-stream',
          'cache-control': 'no-cache',
        });
        if (request.method === 'HEAD') response.end();
        else createReadStream(file).pipe(response);
      });
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    options: { port: { type: 'string', default: '8080' } },
    allowPositionals: true,
  });
  const server = await serve(positionals[0] ?? 'dist', Number(values.port));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
