// `npm run -w @toolwright/nestjs cells`: the doors of the Nest package (chat, MCP, mounted handlers), samples/41-existing-app and the guide
// docs/nestjs.md from the packed packages, on Express and Fastify, in combinations that the vendors support. scripts/package-check.mjs
// runs them, too.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { build } from '../../../scripts/build.mjs';
import { capture, fail, must, root } from '../../../scripts/process.mjs';
import { pack } from '../../../scripts/release.mjs';

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const pinned = (...names) => names.map((name) => `${name}@${manifest.devDependencies[name]}`);

/** The packages that the cells and the guide import. */
const OWN = ['toolwright', ...['durable', 'mcp', 'nestjs', 'opentelemetry', 'ui'].map((name) => `@toolwright/${name}`)];

/** Installed beside the packed packages, for every version of Nest. */
const COMMON = [
  ...pinned('reflect-metadata', 'class-validator', 'class-transformer', 'rxjs', '@modelcontextprotocol/sdk'),
  ...pinned('@opentelemetry/api', '@opentelemetry/sdk-trace-base'),
  'compression@1.8.2',
  '@fastify/compress@9.2.0',
  'graphql@16.11.0',
];

/** Each version of Nest has its own folder, since two of them cannot be installed together. */
const NESTS = {
  'nest-11': [
    ...pinned('@nestjs/common', '@nestjs/core', '@nestjs/platform-express', '@nestjs/testing', '@nestjs/mapped-types'),
    '@nestjs/platform-fastify@11.2.8',
    '@nestjs/swagger@11.4.7',
    '@nestjs/graphql@13.4.5',
  ],
  'nest-12': [
    ...['common', 'core', 'platform-express'].map((name) => `@nestjs/${name}@12.5.1`),
    '@nestjs/platform-fastify@12.5.0',
    '@nestjs/testing@12.1.1',
    '@nestjs/mapped-types@12.0.0',
    '@nestjs/swagger@12.0.2',
    '@nestjs/graphql@14.0.3',
  ],
};

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    esModuleInterop: true,
    types: ['node', 'jest'],
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    rootDir: '.',
    outDir: 'out',
  },
  include: ['packages', 'samples'],
};

const swc = {
  configFile: false,
  swcrc: false,
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
  },
};
const jest = {
  testMatch: ['<rootDir>/packages/nestjs/spec/cells/jest.ts'],
  transform: { '\\.ts$': ['@swc/jest', swc] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testTimeout: 30_000,
};
const vitest = `export default { test: { include: ['packages/nestjs/spec/cells/vitest.ts'], testTimeout: 30_000, fileParallelism: false } };\n`;

/**
 * As in projects of users, the test runner compiles the sources, or TypeScript does. Each version of Nest and each runner meets each
 * platform.
 */
const CELLS = [
  { nest: 'nest-11', runner: 'jest', platforms: 'express,fastify', run: [bin('jest/bin/jest.js')] },
  { nest: 'nest-11', runner: 'vitest', platforms: 'fastify', run: [bin('vitest/vitest.mjs'), 'run'] },
  { nest: 'nest-12', runner: 'vitest', platforms: 'express', run: [bin('vitest/vitest.mjs'), 'run'] },
  {
    nest: 'nest-12',
    runner: 'node:test',
    platforms: 'express,fastify',
    run: ['--test', 'out/packages/nestjs/spec/cells/nodeTest.js'],
  },
];

/** The guide that its own spec does not follow by default: it uses Nest 11 on Express. */
const GUIDES = [
  { nest: 'nest-11', platform: 'fastify' },
  { nest: 'nest-12', platform: 'express' },
  { nest: 'nest-12', platform: 'fastify' },
];

/** @param packed all packages with their tarballs, which are installed as a user would */
export function runNestCells(packed) {
  const tarballs = packed.filter(({ manifest: { name } }) => OWN.includes(name)).map(({ tarball }) => tarball);
  for (const [nest, packages] of Object.entries(NESTS)) prepare(nest, tarballs, [...COMMON, ...packages]);
  for (const { nest, runner, platforms, run } of CELLS) {
    const cwd = join(root, 'build', nest);
    if (runner === 'node:test')
      must(`${nest}: tsc`, process.execPath, [bin('typescript7/bin/tsc'), '-p', '.'], { cwd });
    const env = { NODE_OPTIONS: '', PLATFORMS: platforms };
    runCell(`${nest}, ${runner}, ${platforms}`, run, { cwd, timeout: 120_000, env });
  }
  for (const { nest, platform } of GUIDES) {
    const env = { GUIDE_MODULES: join(root, 'build', nest, 'node_modules'), GUIDE_PLATFORM: platform };
    const spec = [bin('jest/bin/jest.js'), 'packages/nestjs/spec/guide.spec.ts'];
    runCell(`${nest}, the guide, ${platform}`, spec, { cwd: root, timeout: 600_000, env });
  }
}

function runCell(title, args, options) {
  const began = performance.now();
  const { ok, output } = capture(process.execPath, args, options);
  if (!ok) fail(`${title} failed:\n${output}`);
  console.log(`${title}: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}

/** Installs the packages, unless they are there, and copies the sources of the cells and of the sample to the same paths. */
function prepare(nest, tarballs, packages) {
  const folder = join(root, 'build', nest);
  mkdirSync(folder, { recursive: true });
  const isEsm = nest !== 'nest-11';
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ private: true, ...(isEsm ? { type: 'module' } : {}), ...(isEsm ? {} : { jest }) })}\n`,
  );
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig));
  writeFileSync(join(folder, 'vitest.config.mjs'), vitest);
  const stamp = join(folder, 'installed');
  const hash = createHash('sha256').update(packages.join('\n'));
  for (const tarball of tarballs) hash.update(readFileSync(tarball));
  const wanted = hash.digest('hex');
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
    const flags = ['--no-save', '--no-audit', '--no-fund', '--no-package-lock', '--prefer-offline'];
    must(`npm install of ${nest}`, 'npm', ['install', ...flags, ...tarballs, ...packages], { cwd: folder });
    writeFileSync(stamp, wanted);
  }
  for (const old of ['packages', 'samples', 'out']) rmSync(join(folder, old), { recursive: true, force: true });
  for (const path of ['packages/nestjs/spec/cells', 'samples/41-existing-app'])
    cpSync(join(root, path), join(folder, path), { recursive: true });
}

function bin(path) {
  return join(root, 'node_modules', path);
}

if (process.argv[1] === import.meta.filename) {
  await build();
  runNestCells(pack());
}
