import { readTemplate, findCoreFile, readOwnManifest } from '../packageFiles.js';
import type { ProjectKind } from '../options.js';
import { readFileSync } from 'node:fs';
import type { Manifest } from '../doctor/installedPackages.js';

/** The files of a project: contents by path. */
export type ProjectFiles = Readonly<Record<string, string>>;

/** The name of a new project, and the ranges of its packages. */
export interface ProjectInput {
  readonly name: string;
  /** The range of toolwright and of every @toolwright package. */
  readonly toolwright: string;
  /** The ranges of their peers. */
  readonly peers: Readonly<Record<string, string>>;
}

/** Lists the packages that the declarations of a project need. */
export function listDependencies(
  kind: ProjectKind,
  { toolwright, peers }: Omit<ProjectInput, 'name'>,
): Readonly<Record<string, string>> {
  const names = ['reflect-metadata', 'class-validator', 'class-transformer'];
  const host = kind === 'nest' ? { '@toolwright/nestjs': toolwright } : {};
  return { toolwright, ...host, ...Object.fromEntries(names.map((name) => [name, peers[name] ?? ''])) };
}

/** Returns the package of the command, which scripts of a project run. */
export function writeCommand({ toolwright }: Omit<ProjectInput, 'name'>): Readonly<Record<string, string>> {
  return { '@toolwright/cli': toolwright };
}

/** The packages that compile the sources and the test. */
export const devDependencies = { typescript: '^6.0.0', '@types/node': '^20.19.0' };

/** The compiler settings that declarations need. */
export const compilerSettings = { experimentalDecorators: true, emitDecoratorMetadata: true };

const nest = '^12.0.0';

/** The differences between the kinds of projects. */
const kinds = {
  plain: { scripts: {}, packages: {}, sources: ['desk.ts', 'desk.test.ts'] },
  nest: {
    scripts: { start: 'tsc && node dist/src/main.js' },
    packages: {
      '@nestjs/common': nest,
      '@nestjs/core': nest,
      '@nestjs/platform-express': nest,
      rxjs: '^7.8.0',
    },
    sources: ['orders.service.ts', 'desk.ts', 'chat.controller.ts', 'app.module.ts', 'main.ts', 'desk.test.ts'],
  },
};

/** Writes the files of a new project, in the order in which they are listed. Settings are written by code, all others are templates. */
export function writeProject(kind: ProjectKind, input: ProjectInput): ProjectFiles {
  const { scripts, packages, sources } = kinds[kind];
  const manifest = {
    name: input.name,
    private: true,
    type: 'module',
    scripts: {
      build: 'tsc',
      ...scripts,
      test: 'tsc && node --test dist/src/desk.test.js',
      check: 'toolwright check',
      chat: 'toolwright run --script replies.json',
    },
    dependencies: { ...listDependencies(kind, input), ...packages },
    devDependencies: { ...writeCommand(input), ...devDependencies },
  };
  const copied = ['toolwright.config.ts', 'replies.json', ...sources.map((name) => `src/${name}`)];
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(tsconfig, null, 2)}\n`,
    '.gitignore': 'node_modules/\ndist/\n',
    ...Object.fromEntries(copied.map((path) => [path, readTemplate(`${kind}/${path}`)])),
    'README.md': readTemplate(`${kind}/README.md`).replace('my-agent', input.name),
  };
}

const tsconfig = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    skipLibCheck: true,
    isolatedModules: true,
    ...compilerSettings,
    types: ['node'],
    rootDir: '.',
    outDir: 'dist',
  },
  include: ['src', 'toolwright.config.ts'],
};

/** The versions of Nest that `@toolwright/nestjs` supports. A spec compares it with the peers of that package. */
export const NEST_RANGE = '^11.0.0 || ^12.0.0';

/** Reads the ranges of this version of Toolwright, and of the packages that it needs. */
export function readOwnRanges(): Omit<ProjectInput, 'name'> {
  const { peerDependencies: peersOfCore } = JSON.parse(readFileSync(findCoreFile('package.json'), 'utf8')) as Manifest;
  const { version, peerDependencies: { typescript = '*' } = {} } = readOwnManifest();
  const peers = { ...peersOfCore, typescript, '@nestjs/common': NEST_RANGE, '@nestjs/core': NEST_RANGE };
  return { toolwright: `^${version}`, peers };
}
