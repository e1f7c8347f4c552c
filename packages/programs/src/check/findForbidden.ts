import type { Node, Program } from 'acorn';
import { isObject } from 'toolwright/internal/light';
import { findPlace, type ProgramPlace } from '../createFault.js';
import type { Parsers } from './createParsers.js';

/** A construct that no program may contain. */
export type Forbidden = 'import' | 'namespace';

/** A forbidden construct and its place in the text. */
export interface ForbiddenPlace {
  readonly what: Forbidden;
  readonly place: ProgramPlace;
}

const MODULE_NODES = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'ExportAllDeclaration',
  'ExportDefaultDeclaration',
  'ExportNamedDeclaration',
]);

/** Finds the first import, export or `import.meta` of a program. */
export function findForbidden({ body }: Program, text: string): ForbiddenPlace | undefined {
  const open: unknown[] = [...body];
  let first: Node | undefined;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (!isObject(next)) continue;
    if (isModuleNode(next) && (first === undefined || next.start < first.start)) first = next;
    open.push(...(Object.values(next) as unknown[]));
  }
  return first === undefined ? undefined : { what: 'import', place: findPlace(text, first.start) };
}

function isModuleNode(value: object): value is Node {
  const { type, meta } = value as { readonly type?: unknown; readonly meta?: { readonly name?: unknown } | undefined };
  if (typeof type !== 'string') return false;
  return MODULE_NODES.has(type) || (type === 'MetaProperty' && meta?.name === 'import');
}

// A line of sucrase's token list: place, label and text.
const TOKEN = /^(?<line>\d+):(?<column>\d+)-\S+\s+(?<label>\S+)\s+(?<text>\S+)/;
const SUSPICIOUS = /\b(?:import|export|namespace|module|global)\b/;

/**
 * Finds constructs that stripping the types would silently drop: namespaces, which would vanish completely, and imports and
 * exports of types.
 *
 * @param source TypeScript without syntax errors
 */
export function findForbiddenTypes(source: string, { sucrase }: Parsers): ForbiddenPlace | undefined {
  if (!SUSPICIOUS.test(source)) return undefined;
  const tokens = sucrase
    .getFormattedTokens(source, { transforms: ['typescript'] })
    .split('\n')
    .flatMap(readToken);
  for (const [index, token] of tokens.entries()) {
    const what = classifyToken(token, tokens[index + 1], tokens[index + 2]);
    if (what !== undefined) return { what, place: token.place };
  }
  return undefined;
}

interface Token {
  readonly label: string;
  readonly text: string;
  readonly place: ProgramPlace;
}

function readToken(line: string): readonly Token[] {
  const { label = '', text = '', line: row, column } = TOKEN.exec(line)?.groups ?? {};
  return row === undefined ? [] : [{ label, text, place: { line: Number(row), column: Number(column) } }];
}

function classifyToken({ label, text }: Token, next?: Token, afterNext?: Token): Forbidden | undefined {
  if (label === 'import' || label === 'export') return 'import';
  return opensNamespace(text, next?.label, afterNext?.label) ? 'namespace' : undefined;
}

/** Recognises `namespace A {`, `namespace A.B`, `module "m" {` and `declare global {`: nothing else has these tokens. */
function opensNamespace(word: string, next: string | undefined, afterNext: string | undefined): boolean {
  if (word === 'declare') return next === 'name' && afterNext === '{';
  if (word !== 'namespace' && word !== 'module') return false;
  return (next === 'name' || next === 'string') && (afterNext === '{' || afterNext === '.');
}
