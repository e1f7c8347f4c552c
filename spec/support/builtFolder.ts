import { transformSync } from '@swc/core';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
/** The imports of the files of worker threads. */
const folders = ['code', 'common', 'error', 'integration/sqlite'];

/**
 * Replaces src/common/builtFolder.ts: worker threads cannot be started from TypeScript, so the sources that they need are
 * transpiled into a folder that is named after their content.
 */
export const builtFolder = transpileWorkers();

function transpileWorkers(): string {
  const sources = folders
    .flatMap(filesUnder)
    .map((path) => ({ path, text: readFileSync(join(root, 'src', path), 'utf8') }));
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16);
  const folder = join(root, 'build/workers', hash);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(join(dirname(folder), '.fresh-'));
  // Some tests give up the rights of their user.
  chmodSync(fresh, 0o755);
  for (const { path, text } of sources) {
    const target = join(fresh, 'workers', path.replace(/\.ts$/, '.mjs'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, transpile(text));
  }
  const own = `export const builtFolder = ${JSON.stringify(folder)};\n`;
  writeFileSync(join(fresh, 'workers/common/builtFolder.mjs'), own);
  install(fresh, folder);
  return folder;
}

function transpile(text: string): string {
  const { code } = transformSync(text, {
    configFile: false,
    swcrc: false,
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true },
    },
    module: { type: 'es6' },
  });
  return code.replace(/(\bfrom |^import )(["'])(\.[^"']*)\.js\2/gm, '$1$2$3.mjs$2');
}

/** Another process may have been quicker. */
function install(fresh: string, folder: string): void {
  try {
    renameSync(fresh, folder);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, 'src', folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`);
}
