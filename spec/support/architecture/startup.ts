import { spawnSync } from 'node:child_process';

/** Loads the file and prints the packages of node_modules that came along. */
const PROGRAM = `
  require(process.argv[1]);
  const names = Object.keys(require.cache).map((path) => /.*[\\\\/]node_modules[\\\\/]((?:@[^\\\\/]+[\\\\/])?[^\\\\/]+)/.exec(path)?.[1]);
  process.stdout.write(JSON.stringify([...new Set(names)].filter(Boolean).map((name) => name.replace('\\\\', '/'))));
`;

/** The packages that a fresh process has loaded after requiring the file. */
export function packagesLoadedBy(file: string): string[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--eval', PROGRAM, file], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${file} does not load:\n${stderr}`);
  return JSON.parse(stdout) as string[];
}
