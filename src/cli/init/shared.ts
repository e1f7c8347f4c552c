import type { ProjectFiles, ProjectInput, TestRunner } from './Template.js';

/** The packages that declarations need. */
export function dependenciesOf({ toolwright, peers }: Omit<ProjectInput, 'name'>): Readonly<Record<string, string>> {
  const names = ['reflect-metadata', 'class-validator', 'class-transformer'];
  return { toolwright, ...Object.fromEntries(names.map((name) => [name, peers[name] ?? ''])) };
}

/** The packages that compile the sources and the test. */
export const devDependencies = { typescript: '^6.0.0', '@types/node': '^20.19.0' };

/** The compiler settings that declarations need. */
export const compilerSettings = { experimentalDecorators: true, emitDecoratorMetadata: true };

interface NewProject {
  readonly scripts: Readonly<Record<string, string>>;
  /** Further packages. */
  readonly packages?: Readonly<Record<string, string>>;
  readonly config: string;
  readonly replies: string;
  readonly sources: ProjectFiles;
  /** The lines of the README. */
  readonly about: readonly string[];
}

/** The files of a new project, in the order in which they are listed. */
export function newProject(input: ProjectInput, project: NewProject): ProjectFiles {
  const manifest = {
    name: input.name,
    private: true,
    type: 'module',
    scripts: {
      build: 'tsc',
      ...project.scripts,
      test: 'tsc && node --test dist/src/desk.test.js',
      check: 'toolwright check',
      chat: 'toolwright run --script replies.json',
    },
    dependencies: { ...dependenciesOf(input), ...project.packages },
    devDependencies,
  };
  const about = project.about.map((text) => `- ${text}\n`).join('');
  return {
    'package.json': `${JSON.stringify(manifest, null, 2)}\n`,
    'tsconfig.json': `${JSON.stringify(tsconfig, null, 2)}\n`,
    '.gitignore': 'node_modules/\ndist/\n',
    'toolwright.config.ts': project.config,
    'replies.json': project.replies,
    ...project.sources,
    'README.md': `# ${input.name}\n\n${about}`,
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

/** The imports of a test, and the check that two values are equal, for a runner. */
export function testTexts(runner: TestRunner): {
  readonly imports: string;
  readonly equal: (actual: string, expected: string) => string;
} {
  const imports = {
    node: "import { deepStrictEqual } from 'node:assert';\nimport { test } from 'node:test';\n",
    jest: '',
    vitest: "import { expect, test } from 'vitest';\n",
  };
  const equal = (actual: string, expected: string): string =>
    runner === 'node' ? `deepStrictEqual(${actual}, ${expected});` : `expect(${actual}).toEqual(${expected});`;
  return { imports: imports[runner], equal };
}
