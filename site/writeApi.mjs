// Writes the API reference: a page for each public export, by the docblocks of the sources.
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Application, OptionDefaults } from 'typedoc';
import packages from '../scripts/packages.cjs';
import { root } from '../scripts/process.mjs';

/** The public entries of all packages. The page of an entry is in the folder of its specifier. */
export const entries = packages.flatMap(({ folder, manifest, entries: sources }) =>
  Object.entries(sources)
    // Packages of this repository share these, and nothing about them is promised.
    .filter(([subPath]) => !subPath.startsWith('./internal'))
    .map(([subPath, file]) => {
      const specifier = `${manifest.name}${subPath.slice(1)}`;
      return { package: manifest.name, specifier, file: join(root, folder, file) };
    }),
);

/** Writes the pages into a folder, with index.md as the list of entries. */
export async function writeApi(folder) {
  const app = await Application.bootstrapWithPlugins({
    entryPoints: entries.map(({ file }) => file),
    tsconfig: join(root, 'site/tsconfig.json'),
    // A mark for knip.
    blockTags: [...OptionDefaults.blockTags, '@alias'],
    excludeTags: [...OptionDefaults.excludeTags, '@alias'],
    plugin: [createRequire(import.meta.url).resolve('typedoc-plugin-markdown')],
    name: 'API reference',
    readme: 'none',
    // `npm run typecheck` checks the sources, with the settings of each package.
    skipErrorChecking: true,
    validation: { notExported: false, invalidLink: true, rewrittenLink: true },
    logLevel: 'Warn',
    excludePrivate: true,
    excludeProtected: true,
    excludeInternal: true,
    excludeExternals: true,
    disableSources: true,
    sort: ['alphabetical'],
    router: 'member',
    entryFileName: 'index',
    hidePageHeader: true,
    pageTitleTemplates: {
      index: 'API reference',
      module: ({ name }) => name,
      member: ({ name }) => name,
    },
    useCodeBlocks: true,
    expandObjects: false,
    parametersFormat: 'list',
    indexFormat: 'table',
    tableColumnSettings: { hideSources: true, hideModifiers: true },
  });
  const points = app.getEntryPoints() ?? [];
  for (const point of points) {
    const entry = entries.find(({ file }) => file === point.sourceFile.fileName);
    if (entry !== undefined) point.displayName = entry.specifier;
  }
  if (points.length !== entries.length) throw new Error(`typedoc read ${points.length} of ${entries.length} entries.`);
  const project = app.converter.convert(points);
  await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
  writeFileSync(join(folder, 'index.md'), listOfEntries());
}

function listOfEntries() {
  const sections = packages
    .filter(({ manifest }) => entries.some((entry) => entry.package === manifest.name))
    .map(({ manifest }) => {
      const own = entries.filter((entry) => entry.package === manifest.name);
      const rows = own.map(({ specifier }) => `- [${specifier}](${specifier}/index.md)`);
      return [`## ${manifest.name}`, manifest.description, rows.join('\n')].join('\n\n');
    });
  const intro = `# API reference

Every public export of every package, from the docblocks of the sources. An entry is the name that you import from.`;
  return `${[intro, ...sections].join('\n\n')}\n`;
}
