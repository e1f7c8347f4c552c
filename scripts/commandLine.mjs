// Bundles the command line, with the libraries that it uses, beside the entries of the package, which it imports as users do.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import entries from './entries.cjs';
import { root } from './process.mjs';

/**
 * CommonJS, which Node starts sooner than ES modules: `main` has what every command needs and all of help, each other file what some
 * need. Node's hooks for modules are ES modules.
 */
const inputs = { cjs: { main: 'src/cli/main.ts' }, esm: { hooks: 'src/cli/load/hooks.ts' } };
const library = new Map(
  Object.entries(entries).map(([subPath, source]) => [
    join(root, `src/${source}.js`),
    `../${subPath === '.' ? 'index' : subPath.slice(2)}.mjs`,
  ]),
);

/** Into `cli/` in a folder. */
export async function bundleCommandLine(outDir) {
  const files = [];
  for (const [format, input] of Object.entries(inputs)) files.push(...(await bundle(outDir, format, input)));
  writeFileSync(join(outDir, 'cli/LICENSES.txt'), licencesOf(files.flatMap(({ moduleIds = [] }) => moduleIds)));
  writeFileSync(join(outDir, 'cli/package.json'), '{"type":"commonjs"}\n');
}

async function bundle(outDir, format, input) {
  const bundled = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    tsconfig: 'tsconfig.src.json',
    resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [
      {
        name: 'library',
        resolveId: (id, importer) => {
          const external = importer === undefined ? undefined : library.get(resolve(importer, '..', id));
          return external === undefined ? undefined : { id: external, external: true };
        },
      },
    ],
    experimental: { attachDebugInfo: 'none' },
  });
  const names = format === 'cjs' ? '[name].js' : '[name].mjs';
  const { output } = await bundled.write({
    dir: join(outDir, 'cli'),
    format,
    entryFileNames: names,
    chunkFileNames: names,
    minify: { compress: true, mangle: true, codegen: true },
    keepNames: false,
    comments: false,
  });
  return output;
}

/** The notices of the libraries in a bundle, as their licences ask. */
function licencesOf(files) {
  const packages = new Set(
    files.flatMap((file) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0] ?? []),
  );
  return [...packages].sort().map(noticeOf).join('\n');
}

function noticeOf(folder) {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no file with its licence.`);
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
