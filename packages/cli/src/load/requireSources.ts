import Module from 'node:module';
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, resolve } from 'node:path';
import { cwd } from 'node:process';
import type { Aliases } from './aliases.js';
import { findModuleFormat, isSource, listSources } from './findModuleFormat.js';
import type { Project } from './Project.js';

/** The parts of Node's CommonJS loader that compilers use. They are missing in its types. */
interface Loader {
  readonly _extensions: Record<string, (module: Compilable, file: string) => void>;
  _resolveFilename(request: string, parent: { readonly filename?: string } | undefined, ...rest: unknown[]): string;
}

interface Compilable {
  _compile(code: string, file: string): void;
}

/** Lets `require` compile TypeScript files of the project, and follow its aliases. */
export function requireSources(project: Project, aliases: Aliases): void {
  const loader = Module as unknown as Loader;
  const compile = (module: Compilable, file: string): void => {
    module._compile(project.compile(file, findModuleFormat(file)), file);
  };
  loader._extensions['.ts'] = compile;
  loader._extensions['.cts'] = compile;
  const original = loader._resolveFilename.bind(loader);
  loader._resolveFilename = (request, parent, ...rest) => {
    const meant = aliases.resolve(request, parent?.filename);
    if (meant !== undefined) return meant;
    try {
      return original(request, parent, ...rest);
    } catch (error) {
      const from = parent?.filename === undefined ? cwd() : dirname(parent.filename);
      const isPath = request.startsWith('.') || isAbsolute(request);
      const source = isPath
        ? listSources(resolve(from, request)).find((each) => isSource(each) && existsSync(each))
        : undefined;
      if (source === undefined) throw error;
      return source;
    }
  };
}
