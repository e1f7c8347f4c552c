import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InspectorError } from './InspectorError.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The folder of the built page: beside this file in the package, in `dist` when run from source. */
const PAGE = ['./ui', '../../dist/ui']
  .map((path) => join(dirname(fileURLToPath(import.meta.url)), path))
  .find((path) => existsSync(join(path, 'assets')));

/** Sends a file of the page. @throws InspectorError 404, 500 */
export async function sendFile(path: string, response: ServerResponse): Promise<void> {
  if (PAGE === undefined)
    throw new InspectorError(500, 'the page is not built', 'dist/ui', 'Run npm run inspect once.');
  const name = path === '/' ? 'index.html' : path.slice(1);
  // Only file names that vite writes are served.
  const type = TYPES[extname(name)];
  if (!/^(?:index\.html|assets\/[\w-]+(?:\.[\w-]+)*)$/.test(name) || type === undefined)
    throw new InspectorError(404, 'there is no such page', path);
  const content = await readFile(join(PAGE, name)).catch(() => undefined);
  if (content === undefined) throw new InspectorError(404, 'there is no such page', path);
  response.setHeader('content-type', type);
  response.end(content);
}
