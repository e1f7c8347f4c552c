import { basename } from 'node:path';
import { importsOf, type Rule } from './SourceTree';

/** The files of the core that may import a package: package → files. A package that is not listed may not be imported. */
const DOORS: Readonly<Record<string, RegExp>> = {
  'reflect-metadata': /^common\/reflect\.ts$/,
  re2js: /^schema\/pattern\//,
  mutative: /^session\//,
  cockatiel: /^provider\/fallback\//,
  minisearch: /^prompt\/search\//,
  'wink-porter2-stemmer': /^prompt\/search\//,
  'class-validator': /^schema\//,
  'class-transformer': /^schema\//,
};

/** A package is imported only by its listed files. Node's own modules are free; they are written with `node:`. */
export const singleDoors: Rule = (tree) =>
  [...tree].flatMap(([path, file]) =>
    importsOf(file)
      .filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
      .filter(({ specifier }) => DOORS[packageOf(specifier)]?.test(path) !== true)
      .map(({ specifier, line }) => `src/${path}:${String(line)} imports ${specifier}, which has another door`),
  );

/** The root entry is for users: inside `src/`, a thing is imported from the file that declares it. */
export const nobodyImportsTheRoot: Rule = (tree) =>
  [...tree].flatMap(([path, file]) =>
    importsOf(file)
      .filter(({ target }) => target === 'index.ts')
      .map(({ line }) => `src/${path}:${String(line)} imports src/index.ts`),
  );

/** Nothing is called `index.ts` but the entries of the package, given as paths without `.ts`. */
export function onlyEntriesAreIndexes(entries: readonly string[]): Rule {
  return (tree) =>
    [...tree.keys()]
      .filter((path) => basename(path) === 'index.ts' && !entries.includes(path.slice(0, -'.ts'.length)))
      .map((path) => `src/${path} is an index.ts, but no entry of the package`);
}

/** `@scope/name` or `name`, without the path inside the package. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
