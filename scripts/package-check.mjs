// `npm run package:check`: checks the tarball that would be published, as its users install it.
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { brokenLinks, textsIn } from './brokenLinks.cjs';
import entries from './entries.cjs';
import { runNestCells } from './nest-cells.mjs';
import { capture, fail, must, root, temporaryFolder } from './process.mjs';

/** The most MB of the download. Each package of the workspace is to stay below 1 MB, once the parts of this one are packages. */
const BOUND = 2;

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const specifiers = Object.keys(entries).map((subPath) => `${manifest.name}${subPath.slice(1)}`);

await build();
const folder = temporaryFolder('package');
const tarball = pack();
weigh(tarball);
await lint(tarball);
checkTypes(tarball);
const { required, optional } = peers();
install([tarball, ...required]);
load([manifest.name]);
followLinks();
install(optional);
load(specifiers);
runNestCells(tarball);
for (const tried of typescripts()) runTypeScript(tried, tarball, required);

/** Packs without the `prepack` script: dist/ is fresh. */
function pack() {
  must('npm pack', 'npm', ['pack', '--ignore-scripts', '--pack-destination', folder]);
  return join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.tgz')),
  );
}

/** The download stays below the bound; source maps, which only a debugger reads, do not count. */
function weigh(tarball) {
  const unpacked = temporaryFolder('tarball');
  const withoutMaps = join(unpacked, 'without-maps.tgz');
  must('tar', 'tar', ['-xzf', tarball, '-C', unpacked]);
  must('tar', 'tar', ['-czf', withoutMaps, '--exclude=*.map', '-C', unpacked, 'package']);
  const size = statSync(withoutMaps).size / 1024 ** 2;
  if (size >= BOUND) fail(`The tarball has ${size.toFixed(2)} MB, and ${BOUND} MB is the bound.`);
  console.log(`tarball: ${size.toFixed(2)} MB without maps`);
}

/** publint: the fields of package.json must point to existing files of the promised format. */
async function lint(tarball) {
  const { publint } = await import('publint');
  const { formatMessage } = await import('publint/utils');
  const { messages, pkg } = await publint({
    pack: { tarball: arrayBufferOf(readFileSync(tarball)) },
    level: 'warning',
    strict: true,
  });
  if (messages.length > 0)
    fail(`publint:\n${messages.map((message) => formatMessage(message, pkg, { color: false })).join('\n')}`);
  console.log('publint: clean');
}

/** attw: TypeScript must find the right declarations with every module resolution, node10 included. */
function checkTypes(tarball) {
  must('attw', process.execPath, [
    'node_modules/@arethetypeswrong/cli/dist/index.js',
    tarball,
    '--profile',
    'strict',
    '--no-emoji',
  ]);
  console.log(`attw: clean for ${specifiers.length} entries`);
}

/** The peers in the versions that this repository was tested with. */
function peers() {
  const isOptional = (name) => manifest.peerDependenciesMeta[name]?.optional === true;
  const names = Object.keys(manifest.peerDependencies);
  const pinned = (name) => `${name}@${manifest.devDependencies[name]}`;
  return {
    required: names.filter((name) => !isOptional(name)).map(pinned),
    optional: names.filter(isOptional).map(pinned),
  };
}

function install(packages) {
  const manifestFile = join(folder, 'package.json');
  if (!existsSync(manifestFile)) writeFileSync(manifestFile, '{ "private": true }\n');
  must('npm install of the tarball', 'npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });
}

/** Checks that every link leads to a file of the package. */
function followLinks() {
  const installed = join(folder, 'node_modules', manifest.name);
  const texts = textsIn(installed);
  // The table of remedies, by code.
  const codes = [...texts.values()].flatMap((text) =>
    [...text.matchAll(/\b(E[1-9]\d\d): ?["'`]/g)].map(([, code]) => code),
  );
  if (codes.length < 100) fail(`Only ${codes.length} error codes are in the package.`);
  // The contract stays in the repository.
  const broken = brokenLinks(texts, [...new Set(codes)]).filter((line) => !line.endsWith(' names docs/contract.md'));
  if (broken.length > 0) fail(`Links of the package lead nowhere:\n${broken.join('\n')}`);
  console.log(`links: all lead to one of the ${texts.size} files of the package`);
}

/** Loads every entry both ways, in a process of its own each. */
function load(names) {
  for (const specifier of names) {
    inFolder(specifier, `const entry = require('${specifier}');`, 'commonjs');
    inFolder(specifier, `import * as entry from '${specifier}';`, 'module');
  }
  console.log(`installed: ${names.join(', ')} load by import and by require`);
}

/** The versions of TypeScript that are peers, and the result of each when types of a program are to be checked. */
function typescripts() {
  const version = (name) => manifest.devDependencies[name].replace(/^npm:.*@/, '');
  const api = `@typescript/typescript6@${version('@typescript/typescript6')}`;
  const [six, seven] = [version('typescript'), version('typescript7')];
  const checked = 'A wrong program is refused.';
  const unchecked = `check: 'types' needs the compiler's API, which typescript ${seven} does not have: npm install @typescript/typescript6. Until then, programs are checked for syntax only.
A wrong program is run.`;
  return [
    { packages: ['typescript@5.4.5'], says: checked },
    { packages: [`typescript@${six}`], says: checked },
    { packages: [`typescript@${seven}`], says: unchecked },
    { packages: [`typescript@${seven}`, api], says: checked },
  ];
}

/**
 * Installs with one TypeScript, compiles an application with it, declarations of Toolwright included, and runs the application.
 */
function runTypeScript({ packages, says }, tarball, required) {
  const names = packages.join(' and ');
  const place = temporaryFolder('typescript');
  const pinned = (name) => `${name}@${manifest.devDependencies[name]}`;
  const others = ['@types/node', 'acorn', 'quickjs-wasi', 'sucrase'].map(pinned);
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    esModuleInterop: true,
    types: ['node'],
  };
  writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['app.ts'] }));
  copyFileSync(join(root, 'spec/support/typescript/app.ts'), join(place, 'app.ts'));
  const all = [tarball, ...required, ...others, ...packages];
  must(`npm install beside ${names}`, 'npm', ['install', '--no-audit', '--no-fund', ...all], { cwd: place });
  must(`${names}: tsc`, process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: place });
  const { ok, stdout, output } = capture(process.execPath, ['app.js'], { cwd: place });
  if (!ok || stdout.trim() !== says) fail(`${names}: the application said\n${output}\nand should say\n${says}`);
  console.log(`installed beside ${names}: compiles an application; ${says.split('\n').join(' ')}`);
}

function inFolder(specifier, statement, format) {
  const check = `if ((Object.keys(entry).length === 0) !== ${String(isTypesOnly(specifier))}) throw new Error('exports nothing, or should');`;
  const program = `${statement}\n${check}`;
  const { ok, output } = capture(process.execPath, [`--input-type=${format}`, '--eval', program], { cwd: folder });
  if (!ok) fail(`${specifier} does not load as ${format}:\n${output}`);
}

/** True for an entry that exports types alone. */
function isTypesOnly(specifier) {
  const file = entries[`.${specifier.slice(manifest.name.length)}`];
  return !/^(?:export \{|import )/m.test(readFileSync(join(root, 'src', `${file}.ts`), 'utf8'));
}

function arrayBufferOf(buffer) {
  return buffer.buffer.slice(buffer.byteOffset, buffer.byteOffset + buffer.byteLength);
}
