// Builds the page into dist/ui with vite; the server is built as every package is.
import { fileURLToPath } from 'node:url';
import { build as bundle } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
const jsx = { jsx: { runtime: 'automatic', importSource: 'preact' } };

/** @param outDir the folder that becomes `dist` */
export async function build(outDir) {
  // Vite sets NODE_ENV to production in this process, which goes on: npm would leave out development dependencies.
  const { NODE_ENV } = process.env;
  await bundle({
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
  if (NODE_ENV === undefined) delete process.env.NODE_ENV;
}
