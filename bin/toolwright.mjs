#!/usr/bin/env node
// Runs the command of the project, which is a package of its own: applications do not carry it into production.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const NAME = '@toolwright/cli';
const PROGRAM = 'toolwright-cli';

const [node, self, ...given] = process.argv;
// `toolwright --yes init` is for this file; `--yes` after the name of a command is for that command as well.
const args = given[0] === '--yes' ? given.slice(1) : given;
const main = mainFrom(join(process.cwd(), 'package.json')) ?? mainFrom(import.meta.url);

if (main === undefined) {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const wanted = `${NAME}@${version}`;
  if (agreesAlready() || (await agrees(wanted))) runWithNpm(wanted);
} else {
  process.argv = [node, self, ...args];
  await import(pathToFileURL(main).href);
}

/** The file of the command that a module at this place finds; undefined where the package is not installed. */
function mainFrom(place) {
  try {
    const manifest = createRequire(place).resolve(`${NAME}/package.json`);
    return join(dirname(manifest), JSON.parse(readFileSync(manifest, 'utf8')).bin[PROGRAM]);
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function agreesAlready() {
  const end = given.indexOf('--');
  const flags = end < 0 ? given : given.slice(0, end);
  // `npx --yes` sets the variable.
  return flags.includes('--yes') || process.env.npm_config_yes === 'true';
}

/** Asks the person at the terminal; without a terminal it says what to do. */
async function agrees(wanted) {
  process.exitCode = 1;
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    const remedy = `npm install --save-dev ${wanted}, or npx toolwright --yes ${args.join(' ')}`.trim();
    console.error(`E969 toolwright: ${NAME} is not installed\n  fix: ${remedy} (docs/errors.md#e969)`);
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await new Promise((resolve) => {
    // Ctrl-C and Ctrl-D close it without an answer.
    terminal.on('close', () => resolve('')).question(`Install and run ${wanted}? (y) `, resolve);
  });
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Lets npm install the package for this time, and run it. */
function runWithNpm(wanted) {
  const npmArgs = ['exec', '--yes', '--package', wanted, '--', PROGRAM, ...args];
  // On Windows npm is a batch file, which only a shell can start, and a shell reads the arguments again.
  const isWindows = process.platform === 'win32';
  const script = join(dirname(process.execPath), 'node_modules/npm/bin/npm-cli.js');
  const child = isWindows
    ? spawn(process.execPath, [script, ...npmArgs], { stdio: 'inherit' })
    : spawn('npm', npmArgs, { stdio: 'inherit' });
  // The terminal sends Ctrl-C to the child as well, which decides what it means.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  child.on('error', (error) => {
    process.exitCode = 1;
    console.error(`E969 toolwright: npm cannot be started: ${error.message}`);
    console.error(`  fix: npm install --save-dev ${wanted} (docs/errors.md#e969)`);
  });
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}
