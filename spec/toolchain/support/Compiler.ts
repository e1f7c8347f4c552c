import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The settings of a project for its compiler. */
export interface Settings {
  readonly format: 'esm' | 'cjs';
  /** `emitDecoratorMetadata`; true when left out. */
  readonly metadata?: boolean;
  /** Standard decorators instead of the experimental ones. */
  readonly standard?: boolean;
  /** Class fields by definition (the default from ES2022 on) instead of by assignment. */
  readonly defineFields?: boolean;
}

/** A folder with `src/*.ts`. */
export interface Project {
  readonly folder: string;
  readonly settings: Settings;
}

/** Compiles `src/*.ts` of projects into `out/*.js`. */
export interface Compiler {
  readonly name: string;
  compile(...projects: readonly Project[]): Promise<void>;
}

/** The `compilerOptions` of `tsconfig.json` that matter. */
export function compilerOptions({ metadata = true, standard = false, defineFields = false }: Settings): object {
  return {
    target: 'es2022',
    ...(standard ? {} : { experimentalDecorators: true, emitDecoratorMetadata: metadata }),
    useDefineForClassFields: defineFields,
  };
}

/** All `compilerOptions` with which a tsc compiles `src` into `out`. */
export function projectOptions(settings: Settings): object {
  return {
    ...compilerOptions(settings),
    module: 'nodenext',
    lib: ['es2022'],
    types: [],
    strict: true,
    skipLibCheck: true,
    rootDir: 'src',
    outDir: 'out',
  };
}

/** A `tsconfig.json` that covers the sources: Vite takes only the file that includes what it compiles. */
export function tsconfigText(settings: Settings): string {
  return JSON.stringify({ compilerOptions: { ...compilerOptions(settings), module: 'esnext' }, include: ['src'] });
}

/** The files of a project. */
export function sourcesOf(folder: string): readonly string[] {
  return readdirSync(join(folder, 'src'))
    .filter((file) => file.endsWith('.ts'))
    .sort();
}
