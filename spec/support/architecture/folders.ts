import { importsOf, type Import, type Rule } from './SourceTree';

/** The folders of `src/` in the order in which data flows. A file imports only from its own folder and from those before it. */
const ORDER: readonly string[] = [
  'common value error interface limit event tool metadata decorator container schema builder session resource',
  'policy override prompt dispatch evaluate application bundles builtin provider testing eslint exports',
].flatMap((line) => line.split(' '));

/** Imports go left only; every file but the root entry is in one of the folders. */
export const importsGoLeft: Rule = (tree) =>
  [...tree].flatMap(([path, file]) => {
    if (path === 'index.ts') return [];
    const rank = ORDER.indexOf(folderOf(path));
    if (rank < 0) return [`src/${path} stands in none of the folders of the architecture`];
    return importsOf(file)
      .filter(({ target }) => target !== undefined && target !== 'index.ts')
      .filter(({ target = '' }) => !isLeftOf(target, rank))
      .map(
        (found) => `${at(path, found)} imports ${found.specifier}, which does not lie to the left of ${folderOf(path)}`,
      );
  });

/** No file reaches itself through its imports. */
export const noCycles: Rule = (tree) => {
  const findings: string[] = [];
  const done = new Set<string>();
  const follow = (path: string, route: readonly string[]): void => {
    const start = route.indexOf(path);
    if (start >= 0) findings.push(`cycle: ${[...route.slice(start), path].join(' → ')}`);
    const file = tree.get(path);
    if (start >= 0 || done.has(path) || file === undefined) return;
    for (const { target } of importsOf(file)) if (target !== undefined) follow(target, [...route, path]);
    done.add(path);
  };
  for (const path of tree.keys()) follow(path, []);
  return findings;
};

function isLeftOf(target: string, rank: number): boolean {
  const targetRank = ORDER.indexOf(folderOf(target));
  return targetRank >= 0 && targetRank <= rank;
}

function folderOf(path: string): string {
  return path.includes('/') ? (path.split('/')[0] ?? '') : '';
}

function at(path: string, found: Import): string {
  return `src/${path}:${String(found.line)}`;
}
