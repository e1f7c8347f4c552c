import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Loads the file, runs its export `main`, if there is one, and prints the packages of node_modules that came along. */
const PROGRAM = `
  Promise.resolve(require(process.argv[1]).main?.()).then(print);
  function print() {
  const names = Object.keys(require.cache).map((path) => /.*[\\\\/]node_modules[\\\\/]((?:@[^\\\\/]+[\\\\/])?[^\\\\/]+)/.exec(path)?.[1]);
  process.stdout.write(JSON.stringify([...new Set(names)].filter(Boolean).map((name) => name.replace('\\\\', '/'))));
  }
`;

/** The packages that a fresh process has loaded after it required the file and ran its export `main`, if there is one. */
export function packagesLoadedBy(file: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--eval', PROGRAM, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not load:\n${stderr}`);
  return JSON.parse(stdout) as string[];
}

/** What a file of a build reads when it is loaded, itself and all files behind it included; `import()` reads nothing then. */
export function filesReadBy(file: string): ReadonlySet<string> {
  const read = new Set([file]);
  // A set goes on to what is added to it meanwhile.
  for (const each of read)
    for (const { groups } of readFileSync(each, 'utf8').matchAll(AT_ONCE))
      read.add(resolve(each, '..', groups!['path']!));
  return read;
}

/** Imports and requirements of our own files; bundled code has those that are not put off at the beginning of a line. */
const AT_ONCE =
  /^(?:(?:import|export)\b(?:[^"'`;]*\bfrom)?\s*|(?:(?:const|let|var) \w+\s*=\s*)?require\()["'`](?<path>\.[^"'`]*)["'`]/gm;
