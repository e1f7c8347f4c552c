import { transformSync } from '@swc/core';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import type { UserConfig } from 'vite';
import { node, write, type Ending } from './Workspace.js';

/** What a project asks of its compiler. */
export interface Settings {
  readonly format: 'esm' | 'cjs';
  /** `emitDecoratorMetadata`; true when left out. */
  readonly metadata?: boolean;
  /** Standard decorators instead of the experimental ones. */
  readonly standard?: boolean;
  /** Class fields by definition (the default from ES2022 on) instead of by assignment. */
  readonly defineFields?: boolean;
}

/** Compiles `src/*.ts` of a project into `out/*.js`. */
export interface Compiler {
  readonly name: string;
  compile(project: string, settings: Settings): Promise<void>;
}

const asSourceFile = new Map<string, ts.SourceFile | undefined>();

/** What `tsc -p` does, with the libraries read once for all projects. Types are checked elsewhere: `npm run typecheck`. */
export const tsc: Compiler = {
  name: 'tsc',
  async compile(project, settings) {
    const { program } = typescriptProgram(project, settings, { noCheck: true });
    program.emit();
  },
};

/** The compiler of swc, with the options that stand in `.swcrc`. */
export const swc: Compiler = {
  name: 'swc',
  async compile(project, { format, metadata = true, standard = false, defineFields = false }) {
    for (const file of sourcesOf(project)) {
      const { code } = transformSync(readFileSync(join(project, 'src', file), 'utf8'), {
        filename: file,
        configFile: false,
        swcrc: false,
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: standard
            ? { decoratorVersion: '2022-03' }
            : { legacyDecorator: true, decoratorMetadata: metadata, useDefineForClassFields: defineFields },
        },
        module: { type: format === 'esm' ? 'es6' : 'commonjs' },
      });
      write(project, { [`out/${file.replace(/\.ts$/, '.js')}`]: code });
    }
  },
};

/** Vite's own compiler (oxc) and bundler (rolldown): a build for Node, which reads the project's `tsconfig.json`. */
export const vite: Compiler = {
  name: 'Vite',
  async compile(project, settings) {
    write(project, { 'tsconfig.json': tsconfigText(settings) });
    await viteBuild(project, settings.format, {});
  },
};

/** Every compiler that emits the types of decorated members. */
export const compilers: readonly Compiler[] = [tsc, swc, vite];

/** Runs `vite build --ssr src/main.ts` with more of a configuration. */
export async function viteBuild(
  project: string,
  format: Settings['format'],
  config: UserConfig,
  options: readonly string[] = ['--ssr', 'src/main.ts'],
): Promise<void> {
  const output = { format: format === 'esm' ? 'es' : 'cjs', entryFileNames: 'main.js', ...config.build?.rolldownOptions };
  const whole: UserConfig = {
    ...config,
    build: { minify: false, ...config.build, outDir: 'out', rolldownOptions: { output } as never },
  };
  write(project, { 'vite.config.mjs': `export default ${JSON.stringify(whole)};\n` });
  const ending = await viteCommand(project, ['build', '--logLevel', 'warn', ...options]);
  if (ending.code !== 0) throw new Error(`vite build failed:\n${ending.stdout}${ending.stderr}`);
}

/** Runs Vite's command. */
export function viteCommand(project: string, args: readonly string[]): Promise<Ending> {
  const command = join(require.resolve('vite/package.json'), '../bin/vite.js');
  return node(project, [command, ...args]);
}

/** Runs what was compiled. */
export function run(project: string, env: Readonly<Record<string, string>> = {}): Promise<Ending> {
  return node(project, ['out/main.js'], env);
}

/** The `compilerOptions` of `tsconfig.json` that matter. */
export function compilerOptions({ metadata = true, standard = false, defineFields = false }: Settings) {
  return {
    target: 'es2022',
    ...(standard ? {} : { experimentalDecorators: true, emitDecoratorMetadata: metadata }),
    useDefineForClassFields: defineFields,
  };
}

export function tsconfigText(settings: Settings): string {
  return JSON.stringify({ compilerOptions: { ...compilerOptions(settings), module: 'esnext' }, include: ['src'] });
}

/** A program over a project, and what its compiler complains of. */
export function typescriptProgram(project: string, settings: Settings, more: ts.CompilerOptions) {
  const { options, errors } = ts.convertCompilerOptionsFromJson(
    {
      ...compilerOptions(settings),
      module: 'nodenext',
      lib: ['es2022'],
      types: [],
      strict: true,
      skipLibCheck: true,
      rootDir: join(project, 'src'),
      outDir: join(project, 'out'),
    },
    project,
  );
  if (errors.length > 0) throw new Error(ts.formatDiagnostics(errors, ts.createCompilerHost(options)));
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (file, ...rest) => {
    if (file.startsWith(project)) return read(file, ...rest);
    if (!asSourceFile.has(file)) asSourceFile.set(file, read(file, ...rest));
    return asSourceFile.get(file);
  };
  const files = sourcesOf(project).map((file) => join(project, 'src', file));
  const program = ts.createProgram(files, { ...options, ...more }, host);
  return {
    program,
    /** `TS1272 file.ts`, for every error in the project's own files. */
    complaints: () =>
      ts
        .getPreEmitDiagnostics(program)
        .map(({ code, file }) => `TS${String(code)} ${file?.fileName.split('/').at(-1) ?? ''}`),
  };
}

function sourcesOf(project: string): readonly string[] {
  return readdirSync(join(project, 'src'))
    .filter((file) => file.endsWith('.ts'))
    .sort();
}
