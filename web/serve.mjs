// A static server for looking at what was built: node web/serve.mjs DIR [--port N]
// Listens on this machine only.
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve, sep } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { port: { type: 'string' } },
  allowPositionals: true,
});
const root = resolve(positionals[0] ?? 'dist');
const wanted = values.port === undefined ? 8000 : Number(values.port);
if (!Number.isInteger(wanted) || wanted < 0 || wanted > 65535) {
  console.error(`--port: not a port number: ${values.port}`);
  process.exit(2);
}

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** The file that a request path names, inside the root, or undefined. */
function fileFor(path) {
  const file = join(root, path);
  if (file !== root && !file.startsWith(root + sep)) return undefined;
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isDirectory()) return fileFor(join(path, 'index.html'));
  return found?.isFile() ? file : undefined;
}

const server = createServer((request, response) => {
  let file;
  try {
    file = fileFor(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
  } catch {
    file = undefined; // not a valid path
  }
  if (file === undefined) {
    response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found\n');
    return;
  }
  response.writeHead(200, {
    'Content-Type': types[extname(file)] ?? 'application/octet-stream',
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  if (request.method === 'HEAD') response.end();
  else createReadStream(file).pipe(response);
});

let port = wanted;
server.on('error', (error) => {
  // A port that was asked for is used or refused; the usual one may be busy: then the next.
  if (error.code === 'EADDRINUSE' && values.port === undefined && port < wanted + 20) {
    port += 1;
    server.listen(port, '127.0.0.1');
  } else {
    console.error(error.message);
    process.exit(1);
  }
});
server.on('listening', () => {
  console.log(`http://localhost:${server.address().port}/   (Ctrl+C stops)`);
});
server.listen(port, '127.0.0.1');
