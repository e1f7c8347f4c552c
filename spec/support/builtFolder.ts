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
/** The sources of worker threads and of what they import, and where they go in the folder. */
const places: Readonly<Record<string, string>> = {
  'packages/programs/src': 'workers',
  'packages/durable/src/sqlite': 'workers/sqlite',
  'src/common': 'core/common',
  'src/error': 'core/error',
  'src/exports/internal': 'core/exports/internal',
};

/**
 * Replaces the module `builtFolder` of each package: worker threads cannot be started from TypeScript, so the sources that they need
 * are transpiled into a folder that is named after their content.
 */
export const builtFolder = transpileWorkers();

function transpileWorkers(): string {
  const sources = Object.entries(places).flatMap(([from, to]) =>
    filesUnder(from).map((path) => ({ target: `${to}/${path}`, text: readFileSync(join(root, from, path), 'utf8') })),
  );
  // Each package has its own limits, and `workers/limits.mjs` has those of programs.
  const limits = readFileSync(join(root, 'packages/durable/src/limits.ts'), 'utf8');
  sources.push({ target: 'workers/sqlite/limits.ts', text: limits });
  for (const source of sources.filter(({ target }) => target.startsWith('workers/sqlite/')))
    source.text = source.text.replace("'../limits.js'", "'./limits.js'");
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16);
  const folder = join(root, 'build/workers', hash);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const fresh = mkdtempSync(join(dirname(folder), '.fresh-'));
  // Some tests give up the rights of their user.
  chmodSync(fresh, 0o755);
  for (const { target, text } of sources) write(join(fresh, target.replace(/\.ts$/, '.mjs')), transpile(text));
  const own = `export const builtFolder = ${JSON.stringify(folder)};\n`;
  for (const file of ['workers/builtFolder.mjs', 'core/common/builtFolder.mjs']) write(join(fresh, file), own);
  // Without a name, so that the threads do not find the built core by the name of this package.
  write(join(fresh, 'package.json'), '{}');
  const core = { type: 'module', exports: { './internal/light': './light.mjs' } };
  write(join(fresh, 'node_modules/toolwright/package.json'), JSON.stringify(core));
  const light = "export * from '../../core/exports/internal/light.mjs';\n";
  write(join(fresh, 'node_modules/toolwright/light.mjs'), light);
  install(fresh, folder);
  return folder;
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
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
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
}
