// Builds the page and the server into dist/: the page with vite, the server with tsdown.
import { fileURLToPath } from 'node:url';
import { build as buildServer } from 'tsdown';
import { build } from 'vite';
import server from './tsdown.config.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));
const jsx = { jsx: { runtime: 'automatic', importSource: 'preact' } };

/** @param outDir the folder that replaces `dist` */
export async function buildInspector(outDir = `${root}dist`) {
  await build({
    root: `${root}src/ui`,
    configFile: false,
    logLevel: 'warn',
    base: './',
    oxc: jsx,
    build: {
      outDir: `${outDir}/ui`,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      reportCompressedSize: false,
    },
  });
  await buildServer({ ...server, config: false, cwd: root, outDir: `${outDir}/server` });
}

if (process.argv[1] === import.meta.filename) await buildInspector();
