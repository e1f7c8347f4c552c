// Builds the page and the server into dist/: the page with vite, the server as one module that imports toolwright.
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

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
  await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      ssr: `${root}src/server/index.ts`,
      outDir: `${outDir}/server`,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      rollupOptions: { external: [/^toolwright(\/|$)/], output: { entryFileNames: 'index.js' } },
    },
    ssr: { external: true },
  });
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', `${root}tsconfig.build.json`, '--outDir', `${outDir}/server`], {
    stdio: 'inherit',
  });
}

if (process.argv[1] === import.meta.filename) await buildInspector();
