// `node bundleSources.mjs ENTRY FOLDER BUILT`: makes FOLDER/main.js of a program in TypeScript and of the sources of Toolwright, so that
// a process of a spec starts quickly, and has the sources that the spec is run against. BUILT has the files of worker threads.
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import packages from '../../scripts/packages.cjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const [input, dir, built] = process.argv.slice(2);

/** Packages of which a spec needs little, and which take long to load. */
const small = {
  'libphonenumber-js/max': join(root, 'spec/support/phoneNumbers.cjs'),
  ai: join(root, 'node_modules/@ai-sdk/provider/dist/index.js'),
};
const sources = new Map(
  packages.flatMap(({ folder, manifest, entries }) =>
    Object.entries(entries).map(([path, file]) => [`${manifest.name}${path.slice(1)}`, join(root, folder, file)]),
  ),
);
const toolwright = {
  name: 'toolwright',
  resolveId(source) {
    if (Object.hasOwn(small, source)) return small[source];
    if (sources.has(source)) return sources.get(source);
    return source.endsWith('/builtFolder.js') ? '\0builtFolder' : null;
  },
  load: (id) => (id === '\0builtFolder' ? `export const builtFolder = ${JSON.stringify(built)};` : null),
};
const bundle = await rolldown({
  ...{ input: { main: input }, platform: 'node', tsconfig: join(root, 'tsconfig.json'), logLevel: 'silent' },
  ...{ resolve: { extensionAlias: { '.js': ['.ts', '.js'] } }, plugins: [toolwright] },
});
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' });
await bundle.close();
