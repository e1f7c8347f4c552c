// Checks all packages as their users get them: packs them, publishes them to a registry on this machine, and installs them by name in
// folders outside the repository. `npm run check` runs it; `node scripts/package-check.mjs attw links` runs only these two checks.
import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brokenLinks, textsIn } from '../spec/support/brokenLinks.cjs';
import { build } from './build.mjs';
import { runNestCells } from '../packages/nestjs/scripts/cells.mjs';
import { capture, fail, must, root, temporaryFolder } from './process.mjs';
import { startRegistry } from './registry.mjs';
import { pack, publish } from './release.mjs';

/** The largest download, without source maps, which only debuggers read. */
const MAX_TARBALL_KB = 1024;
const INSPECTOR_TIMEOUT_MS = 30_000;
/** The entries that need an optional peer on loading. All others load without one. */
const NEEDED = {
  '@toolwright/openai/tokens': 'gpt-tokenizer',
  '@toolwright/evals/promptfoo': '@opentelemetry/api',
  '@toolwright/evals/vitest-evals': 'vitest-evals',
};

const { devDependencies: developed } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const chosen = process.argv.slice(2);

await build();
const packed = pack();
const names = packed.map(({ manifest }) => manifest.name);
await measure('publint', lint);
await measure('attw', checkTypes);
await measure('sizes', weigh);
await measure('links', followLinks);
const npm = await startRegistry();
publish(packed, npm);
await measure('core', installCore);
await measure('entries', loadEntries);
await measure('typescript', () => typescripts().forEach(runTypeScript));
await measure('first-steps', followFirstSteps);
await measure('init-plain', () => initProject('plain'));
await measure('init-nest', () => initProject('nest'));
await measure('nest', () => runNestCells(packed));
// Ends the registry.
process.exit();

async function measure(title, check) {
  if (chosen.length > 0 && !chosen.includes(title)) return;
  const began = performance.now();
  await check();
  console.log(`${title}: ${((performance.now() - began) / 1_000).toFixed(0)} s\n`);
}

/** Runs publint: the fields of package.json must point to existing files of the promised format. */
async function lint() {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  for (const { manifest, tarball } of packed) {
    const { buffer, byteOffset, byteLength } = readFileSync(tarball);
    const archive = buffer.slice(byteOffset, byteOffset + byteLength);
    const { messages, pkg } = await publint({ pack: { tarball: archive }, level: 'warning', strict: true });
    const lines = messages.map((message) => formatMessage(message, pkg, { color: false }));
    if (lines.length > 0) fail(`publint of ${manifest.name}:\n${lines.join('\n')}`);
  }
}

/** Runs attw: TypeScript must find the right declarations with every module resolution, node10 included. */
function checkTypes() {
  const attw = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');
  for (const { entries, manifest, tarball } of packed)
    if (Object.keys(entries).length > 0)
      must(`attw of ${manifest.name}`, process.execPath, [attw, tarball, '--profile', 'strict', '--no-emoji']);
}

function weigh() {
  const sizes = packed.map(({ manifest, tarball }) => {
    const withoutMaps = join(temporaryFolder('tarball'), 'without-maps.tgz');
    const unpacked = unpack(tarball);
    must('tar', 'tar', ['-czf', withoutMaps, '--exclude=*.map', '-C', unpacked, 'package']);
    return { package: manifest.name, 'KB without maps': toKB(withoutMaps), 'KB with maps': toKB(tarball) };
  });
  console.table(sizes);
  const heavy = sizes.filter((size) => size['KB without maps'] >= MAX_TARBALL_KB);
  if (heavy.length > 0)
    fail(
      `At most ${MAX_TARBALL_KB} KB are allowed: look at "files" of ${heavy.map((size) => size.package).join(', ')}.`,
    );
}

/** Checks that every link of a page, and every page named by code, leads to a file of the packages. Pages are in the core. */
function followLinks() {
  const texts = new Map(
    packed.flatMap(({ folder, manifest, tarball }) => {
      const prefix = folder === '.' ? '' : `${manifest.name}/`;
      return [...textsIn(join(unpack(tarball), 'package'))].map(([path, text]) => [`${prefix}${path}`, text]);
    }),
  );
  // The table of remedies, by code.
  const codes = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/\b(E[1-9]\d\d): ?["'`]/g)].map(([, code]) => code),
  );
  if (codes.length < 100) fail(`Expected at least 100 error codes in the packages, found ${codes.length}.`);
  const broken = brokenLinks(texts, [...new Set(codes)]);
  if (broken.length > 0) fail(`Links of the packages lead nowhere:\n${broken.join('\n')}`);
}

/** Installs only the core by name, as its user would. */
function installCore() {
  const folder = makeProject('core');
  const began = performance.now();
  install(folder, ['toolwright']);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  console.log(`npm install toolwright: ${Object.keys(packages).length - 1} packages, ${seconds} s with an empty cache`);
}

/** Loads every entry with `import` and `require`, each in a new process, with only the required peers. */
function loadEntries() {
  for (const { entries, folder, manifest } of packed) {
    const project = makeProject('entries');
    install(project, [manifest.name, ...pinRequired(manifest)]);
    for (const [subPath, source] of Object.entries(entries)) {
      const specifier = `${manifest.name}${subPath.slice(1)}`;
      if (specifier in NEEDED) install(project, [pin(NEEDED[specifier])]);
      // An entry that exports only types has no values.
      const hasValues = /^(?:export (?:\{|\*)|import )/m.test(readFileSync(join(root, folder, source), 'utf8'));
      const check = `if ((Object.keys(entry).length > 0) !== ${hasValues}) throw new Error('exports nothing, or should');`;
      const load = (format, statement) =>
        runNode(`${specifier} as ${format}`, [`--input-type=${format}`, '--eval', `${statement}\n${check}`], project);
      load('commonjs', `const entry = require('${specifier}');`);
      load('module', `import * as entry from '${specifier}';`);
    }
  }
}

/** Lists the supported versions of TypeScript, each with the expected result of a check of a program's types. */
function typescripts() {
  const seven = developed.typescript7.replace(/^npm:.*@/, '');
  const api = pin('@typescript/typescript6');
  const checked = 'A wrong program is refused.';
  const unchecked = `check: 'types' needs the compiler's API, which typescript ${seven} does not have: npm install @typescript/typescript6. Until then, programs are checked for syntax only.
A wrong program is run.`;
  return [
    { compilers: ['typescript@5.4.5'], says: checked },
    { compilers: [pin('typescript')], says: checked },
    { compilers: [`typescript@${seven}`], says: unchecked },
    { compilers: [`typescript@${seven}`, api], says: checked },
  ];
}

/** Compiles an application with one TypeScript, declarations of the packages included, and runs it. */
function runTypeScript({ compilers, says }) {
  const title = compilers.join(' and ');
  const project = makeProject('typescript');
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    esModuleInterop: true,
    types: ['node'],
  };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['app.ts'] }));
  copyFileSync(join(root, 'spec/support/typescript/app.ts'), join(project, 'app.ts'));
  const programs = packed.find(({ manifest }) => manifest.name === '@toolwright/programs').manifest;
  const own = ['toolwright', programs.name, ...pinRequired(programs)];
  install(project, [...own, pin('@types/node'), ...compilers]);
  runNode(`${title}: tsc`, ['node_modules/typescript/bin/tsc', '-p', '.'], project);
  const said = runNode(`${title}: the application`, ['app.js'], project);
  if (said !== says) fail(`${title}: the application said\n${said}\nand should say\n${says}`);
  console.log(`${title}: compiles an application; ${says.split('\n').join(' ')}`);
}

/** Runs the commands of README.md and docs/getting-started.md, like a reader. */
function followFirstSteps() {
  const spec = ['node_modules/jest/bin/jest.js', 'spec/docs/firstSteps.spec.ts'];
  must('README.md and docs/getting-started.md', process.execPath, spec, { env: { ...npm, FIRST_STEPS: 'npm' } });
}

/** Creates a project with the command in an empty folder. Its test must pass, and the inspector must show it. */
async function initProject(kind) {
  const folder = temporaryFolder(`init-${kind}`);
  const run = (...args) => must(`${kind}: npm ${args.join(' ')}`, 'npm', args, { cwd: folder, env: npm });
  run('exec', '--yes', 'toolwright', '--', 'init', '--kind', kind, '--yes');
  run('install');
  run('test');
  install(folder, ['--save-dev', '@toolwright/inspector']);
  await inspect(folder);
}

/** Checks that `npx toolwright inspect` prints an address at which the page answers. */
async function inspect(folder) {
  const child = spawn(process.execPath, ['node_modules/toolwright/bin/toolwright.mjs', 'inspect', '--json'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: INSPECTOR_TIMEOUT_MS,
  });
  let said = '';
  let notes = '';
  child.stderr.on('data', (data) => (notes += data));
  for await (const data of child.stdout) {
    said += data;
    if (said.includes('\n')) break;
  }
  if (!said.includes('\n')) fail(`toolwright inspect ended without an address:\n${notes}`);
  const { status, headers } = await fetch(JSON.parse(said).url);
  child.kill();
  if (status !== 200 || !headers.get('content-type')?.startsWith('text/html'))
    fail(`The inspector should answer with its page; it answered ${status}, ${headers.get('content-type')}.`);
}

/** Pins the required third-party peers of a package to the versions with which this repository is tested. */
function pinRequired({ peerDependencies, peerDependenciesMeta = {} }) {
  const required = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return required.filter((name) => !names.includes(name)).map(pin);
}

function pin(name) {
  return `${name}@${developed[name].replace(/^npm:.*@/, '')}`;
}

function makeProject(name) {
  const folder = temporaryFolder(name);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  return folder;
}

function install(folder, packages) {
  must(`npm install ${packages.join(' ')}`, 'npm', ['install', ...packages], { cwd: folder, env: npm });
}

/** Runs Node in a folder; returns its output. */
function runNode(title, args, cwd) {
  const { ok, stdout, output } = capture(process.execPath, args, { cwd });
  if (!ok) fail(`${title} failed:\n${output}`);
  return stdout.trim();
}

function unpack(tarball) {
  const folder = temporaryFolder('unpacked');
  must('tar', 'tar', ['-xzf', tarball, '-C', folder]);
  return folder;
}

function toKB(file) {
  return Math.round(statSync(file).size / 1024);
}
