// Builds the site, serves it, or shows it while its pages are edited. All servers listen on this machine only.
import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import { preview } from 'vite';
import { build, createServer } from 'vitepress';
import { root } from '../scripts/process.mjs';
import { gather, gatherDocs, gathered } from './gather.mjs';

const here = join(root, 'site');
const host = '127.0.0.1';

/** Builds the site into build/site. Fails at a link to a page that does not exist. */
export async function buildSite() {
  await gatherAll();
  await build(here);
}

/**
 * Serves build/site.
 *
 * @param port 0 for a free one
 * @returns the address, and a function that stops the server
 */
export async function serveSite(port) {
  const server = await preview({
    configFile: false,
    root: here,
    appType: 'mpa',
    logLevel: 'error',
    build: { outDir: join(root, 'build/site') },
    preview: { host, port },
  });
  const address = server.httpServer.address();
  return { url: `http://${host}:${address.port}`, close: () => server.close() };
}

/** Shows the site, and follows the changes of docs/ and of the home page. Returns the address. */
export async function showSite() {
  await gatherAll();
  const server = await createServer(here, { host });
  await server.listen();
  for (const folder of [join(root, 'docs'), here]) watch(folder, { recursive: folder !== here }, gatherDocs);
  return server.resolvedUrls.local[0];
}

async function gatherAll() {
  await gather();
  cpSync(join(here, 'icon.svg'), join(gathered, 'public/icon.svg'));
}
