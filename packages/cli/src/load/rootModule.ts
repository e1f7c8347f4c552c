import { dirname } from 'node:path/posix';
import type ts from 'typescript';
import { CliError } from '../CliError.js';
import { findCompiler, describeMissingCompiler } from './findCompiler.js';
import type { Change } from '../init/writeFiles.js';
import { applyEdits, type Edit, appendItem, indentAt, detectLineEnd } from '../add/jsonEdits.js';
import type { SourceFile, Surroundings } from '../add/Surroundings.js';

const ITEMS = ['ToolwrightModule.forRoot()', 'AgentModule'];

export interface RootModule {
  readonly name: string;
  readonly source: SourceFile;
}

/** Finds the root module of a Nest application. @throws CliError E976 */
export function findRoot({ sources, extension }: Surroundings): RootModule {
  const own = sources.filter(({ isTest }) => !isTest);
  const started = own.flatMap(({ text }) =>
    [...text.matchAll(/\bNestFactory\s*\.\s*create\w*\s*(?:<[^>()]*>\s*)?\(\s*(\w+)/g)].map(([, name = '']) => name),
  );
  const names = [...new Set(started)];
  const found = names.flatMap((name) =>
    own.filter(({ text }) => new RegExp(`\\bclass\\s+${name}\\b`).test(text)).map((source) => ({ name, source })),
  );
  const [root] = found;
  if (root !== undefined && found.length === 1) return root;
  const which = found.map(({ name, source }) => `${name} in ${source.path}`).join(', ');
  const problem =
    found.length > 1 ? `there are several: ${which}` : 'no file passes a module of the project to NestFactory';
  throw createManualError('the root module', problem, `./agent/agent.module${extension}`);
}

/** Plans the imports of the agent in the root module: the smallest edit of its text. @throws CliError E976 */
export function planRoot({ folder, extension }: Surroundings, { name, source }: RootModule): Change {
  const { path, text } = source;
  const from = `./agent/agent.module${extension}`;
  const compiler = findCompiler(folder);
  if (compiler?.kind !== 'typescript') {
    const { problem } = describeMissingCompiler(folder);
    throw createManualError(path, `${problem}, so that it cannot be edited`, from);
  }
  if (/\b(?:AgentModule|ToolwrightModule)\b/.test(text))
    throw createManualError(path, 'it has another AgentModule or ToolwrightModule', from);
  const file = compiler.api.createSourceFile(path, text, compiler.api.ScriptTarget.Latest, true);
  const editor = new ModuleEditor(compiler.api, file, text);
  const edits = [...(editor.importEdits(from) ?? []), ...(editor.listEdits(name) ?? [])];
  if (edits.length < 2)
    throw createManualError(path, `@Module of ${name} has no list of imports that can be edited`, from);
  return { path, before: text, after: applyEdits(text, edits) };
}

/** Returns the folder of the agent, which is beside the root module. */
export function findAgentFolder(root: RootModule): string {
  const folder = dirname(root.source.path);
  return folder === '.' ? 'agent' : `${folder}/agent`;
}

class ModuleEditor {
  readonly #api: typeof ts;
  readonly #file: ts.SourceFile;
  readonly #text: string;

  constructor(api: typeof ts, file: ts.SourceFile, text: string) {
    this.#api = api;
    this.#file = file;
    this.#text = text;
  }

  /** Adds lines after the last import, with its quotes and semicolon. */
  importEdits(from: string): readonly Edit[] | undefined {
    const last = this.#file.statements.filter((each) => this.#api.isImportDeclaration(each)).at(-1);
    if (last === undefined) return undefined;
    const quote = last.moduleSpecifier.getText(this.#file)[0] ?? "'";
    const end = last.getText(this.#file).endsWith(';') ? ';' : '';
    const comment = /^[ \t]*\/\/[^\r\n]*/.exec(this.#text.slice(last.end))?.[0] ?? '';
    const at = last.end + comment.length;
    const lines = writeImports(from).map((text) => text.replaceAll("'", quote).replace(/;$/, end));
    return [{ start: at, end: at, text: lines.map((text) => detectLineEnd(this.#text) + text).join('') }];
  }

  /** Adds the modules to the imports of `@Module`. */
  listEdits(name: string): readonly Edit[] | undefined {
    const api = this.#api;
    const given = this.#moduleArgument(name);
    if (given === undefined || !api.isObjectLiteralExpression(given)) return undefined;
    const list = given.properties.find((each) => each.name?.getText(this.#file).replace(/['"]/g, '') === 'imports');
    if (list === undefined)
      return given.properties.some((each) => api.isSpreadAssignment(each)) ? undefined : this.#newList(given);
    if (!api.isPropertyAssignment(list) || !api.isArrayLiteralExpression(list.initializer)) return undefined;
    const { elements, end } = list.initializer;
    const [first, last] = [elements[0], elements.at(-1)];
    const start = list.initializer.getStart(this.#file) + 1;
    if (first === undefined || last === undefined) {
      const inner = this.#text.slice(start, end - 1);
      return inner.trim() === '' ? [{ start, end: end - 1, text: ITEMS.join(', ') }] : undefined;
    }
    const firstStart = first.getStart(this.#file);
    const isInLine = !this.#text.slice(start, firstStart).includes('\n');
    const before = isInLine ? ' ' : detectLineEnd(this.#text) + indentAt(this.#text, firstStart);
    return appendItem(this.#text, { lastEnd: last.end, close: end - 1, item: ITEMS.join(`,${before}`), before });
  }

  /** Adds `imports` as the first property of an object. */
  #newList(object: ts.ObjectLiteralExpression): readonly Edit[] {
    const start = object.getStart(this.#file) + 1;
    const first = object.properties[0]?.getStart(this.#file);
    const list = `imports: [${ITEMS.join(', ')}]`;
    if (first === undefined) return [{ start, end: start, text: ` ${list} ` }];
    const isInLine = !this.#text.slice(start, first).includes('\n');
    const before = isInLine ? ' ' : detectLineEnd(this.#text) + indentAt(this.#text, first);
    return [{ start, end: start, text: `${before}${list},` }];
  }

  #moduleArgument(name: string): ts.Expression | undefined {
    const api = this.#api;
    const declared = this.#file.statements.find((each) => api.isClassDeclaration(each) && each.name?.text === name);
    const decorators =
      declared !== undefined && api.canHaveDecorators(declared) ? (api.getDecorators(declared) ?? []) : [];
    const calls = decorators.map(({ expression }) => expression).filter((each) => api.isCallExpression(each));
    return calls.find(({ expression }) => expression.getText(this.#file) === 'Module')?.arguments[0];
  }
}

function writeImports(from: string): readonly string[] {
  return ["import { ToolwrightModule } from '@toolwright/nestjs';", `import { AgentModule } from '${from}';`];
}

function createManualError(place: string, problem: string, from: string): CliError {
  const lines = [...writeImports(from), `imports: [${ITEMS.join(', ')}]`];
  return new CliError(problem, { code: 'E976', place, remedy: `Add by hand:\n${lines.join('\n')}` });
}
