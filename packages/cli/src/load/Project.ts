import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { cwd } from 'node:process';
import type ts from 'typescript';
import { CliError } from '../CliError.js';
import { findCompiler, describeMissingCompiler, type Swc } from './findCompiler.js';
import type { ModuleFormat } from './findModuleFormat.js';

type Compile = (file: string, format: ModuleFormat) => string;

/** Compiles the TypeScript sources of a project with its own compiler and tsconfig.json, one file at a time. */
export class Project {
  readonly #folder: string;
  #compile: Compile | undefined;

  /** @param folder the folder from which tsconfig.json is searched upwards */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Compiles a file to JavaScript. @throws CliError E964 */
  compile(file: string, format: ModuleFormat): string {
    return (this.#compile ??= this.#open(file))(file, format);
  }

  #open(file: string): Compile {
    const compiler = findCompiler(this.#folder);
    if (compiler === undefined) {
      const { problem, remedy } = describeMissingCompiler(this.#folder);
      throw new CliError(problem, {
        code: 'E964',
        place: formatPath(file),
        remedy: `${remedy}, or name the built file.`,
      });
    }
    return compiler.kind === 'swc' ? withSwc(compiler.api, this.#folder) : withTypeScript(compiler.api, this.#folder);
  }
}

/** Reads the compiler options of a project's tsconfig.json with its compiler; empty without one. @throws CliError E964 */
export function readConfig(
  api: typeof ts,
  folder: string,
): { readonly path: string | undefined; readonly options: ts.CompilerOptions } {
  const path = api.findConfigFile(folder, (name) => api.sys.fileExists(name));
  if (path === undefined) return { path, options: {} };
  const { config, error } = api.readConfigFile(path, (name) => api.sys.readFile(name)) as {
    readonly config?: unknown;
    readonly error?: ts.Diagnostic;
  };
  if (error !== undefined) throw createSyntaxError(api, path, error);
  // The list of source files is not needed, and takes time.
  const host = { ...api.sys, readDirectory: () => [] };
  return { path, options: api.parseJsonConfigFileContent(config, host, dirname(path)).options };
}

function withTypeScript(api: typeof ts, folder: string): Compile {
  // A source map names its source relative to the output folder. With one, stack traces would show paths that do not exist.
  const { outDir: _outDir, sourceRoot: _sourceRoot, ...given } = readConfig(api, folder).options;
  const options: ts.CompilerOptions = {
    target: api.ScriptTarget.ES2022,
    ...given,
    noEmit: false,
    declaration: false,
    composite: false,
    incremental: false,
    emitDeclarationOnly: false,
    sourceMap: false,
    inlineSourceMap: true,
    inlineSources: true,
    noEmitOnError: false,
  };
  const isIsolated = options.isolatedModules === true || options.verbatimModuleSyntax === true;
  let program: ts.Program | undefined;
  const exactly = (file: string): string | undefined => {
    if (program?.getSourceFile(file) === undefined)
      program = api.createProgram([file, ...(program?.getRootFileNames() ?? [])], emitEsModules(api, options));
    let code: string | undefined;
    program.emit(program.getSourceFile(file), (name, text) => {
      if (/\.m?js$/.test(name)) code = text;
    });
    return code;
  };
  return (file, format) => {
    const text = readFileSync(file, 'utf8');
    const module = format === 'module' ? api.ModuleKind.ESNext : api.ModuleKind.CommonJS;
    const compilerOptions = { ...options, module, moduleResolution: api.ModuleResolutionKind.Bundler };
    if (format === 'commonjs') compilerOptions.verbatimModuleSyntax = false;
    const { outputText, diagnostics } = api.transpileModule(text, {
      fileName: file,
      reportDiagnostics: true,
      compilerOptions,
    });
    const error = diagnostics?.find(
      ({ category, start }) => category === api.DiagnosticCategory.Error && start !== undefined,
    );
    if (error !== undefined) throw createSyntaxError(api, file, error);
    // Without isolatedModules, only the whole program shows which imports are types. An ES module must not import types.
    return format === 'module' && !isIsolated && options.emitDecoratorMetadata === true
      ? (exactly(file) ?? outputText)
      : outputText;
  };
}

/** Changes the option `module` so that files in ES module format are emitted as ES modules. */
function emitEsModules(api: typeof ts, options: ts.CompilerOptions): ts.CompilerOptions {
  const { module } = options;
  const isNode = module !== undefined && module >= api.ModuleKind.Node16 && module <= api.ModuleKind.NodeNext;
  return isNode ? options : { ...options, module: api.ModuleKind.ESNext };
}

function withSwc(api: Swc, folder: string): Compile {
  const hasConfig = existsSync(join(folder, '.swcrc'));
  const own = {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    target: 'es2022',
    keepClassNames: true,
  };
  return (file, format) => {
    try {
      const module = { type: format === 'module' ? 'es6' : 'commonjs' };
      return api.transformSync(readFileSync(file, 'utf8'), {
        filename: file,
        cwd: folder,
        module,
        sourceMaps: 'inline',
        ...(hasConfig ? { swcrc: true } : { swcrc: false, jsc: own }),
      }).code;
    } catch (cause) {
      throw new CliError(cause instanceof Error ? cause.message : String(cause), {
        code: 'E964',
        place: formatPath(file),
        cause,
      });
    }
  };
}

function createSyntaxError(
  api: typeof ts,
  file: string,
  { start = 0, messageText, file: source }: ts.Diagnostic,
): CliError {
  const at = source?.getLineAndCharacterOfPosition(start);
  const place = at === undefined ? '' : `:${String(at.line + 1)}:${String(at.character + 1)}`;
  const problem = api.flattenDiagnosticMessageText(messageText, ' ');
  return new CliError(problem, { code: 'E964', place: `${formatPath(file)}${place}` });
}

function formatPath(file: string): string {
  return relative(cwd(), file) || file;
}
