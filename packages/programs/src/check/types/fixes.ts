import type ts from 'typescript';
import { joinBounded } from 'toolwright/internal/light';
import { suggestName } from '../../suggestName.js';
import type { CompilerDiagnostic, CheckedProgram } from './CheckedProgram.js';
import { TOOLS } from './ProgramService.js';

/** Suggests a one-line fix. */
export type Fix = (diagnostic: CompilerDiagnostic, program: CheckedProgram) => string;

const AWAIT = 'Write await before the call.';

/** Names that models expect from other environments, with their replacements. */
const elsewhere: Readonly<Record<string, string>> = {
  print: 'Use console.log(…).',
  len: 'Use .length.',
  str: 'Use String(…).',
  int: 'Use Number(…).',
  float: 'Use Number(…).',
  range: 'Use a for loop.',
  True: 'Write true.',
  False: 'Write false.',
  None: 'Write null.',
  setTimeout: 'Use await sleep(milliseconds).',
  setInterval: 'Use a loop with await sleep(milliseconds).',
  fetch: 'There is no network; use the tools.',
  require: 'Nothing can be imported; use the tools and the built-ins of JavaScript.',
  process: 'There is no process; use the tools.',
  Buffer: 'Use TextEncoder and TextDecoder, atob and btoa.',
  fs: 'There are no files; use the tools.',
  axios: 'There is no network; use the tools.',
  Intl: 'Format by hand, e.g. value.toFixed(2).',
  eval: 'Code cannot be made out of text.',
  Function: 'Code cannot be made out of text.',
};

export const fixName: Fix = ({ node }, program) => {
  const { checker, compiler } = program;
  const name = node.getText();
  if (Object.hasOwn(elsewhere, name)) return elsewhere[name] ?? '';
  const known = checker.getSymbolsInScope(node, compiler.SymbolFlags.Value).map((symbol) => symbol.name);
  const own = known.filter((each) => !/^[A-Z]/.test(each));
  const tools = toolsOf(program);
  const others = tools.length === 0 ? 'Declare it.' : `Declare it, or use one of the tools: ${joinBounded(tools)}.`;
  return suggestName(name, own) || others;
};

export const fixProperty: Fix = ({ node }, program) => {
  const { compiler, checker } = program;
  const access = program.around(
    node,
    (each): each is ts.PropertyAccessExpression | ts.ElementAccessExpression =>
      compiler.isPropertyAccessExpression(each) || compiler.isElementAccessExpression(each),
  );
  const pattern = program.around(node, compiler.isObjectBindingPattern);
  const type = checker.getNonNullableType(checker.getTypeAtLocation(access?.expression ?? pattern ?? node));
  if (program.isPromise(type) || checker.typeToString(type).startsWith('Promise<')) return AWAIT;
  const name = compiler.isStringLiteralLike(node) ? node.text : node.getText();
  const properties = type
    .getProperties()
    .map((property) => property.name)
    .filter((each) => !each.startsWith('__'));
  if (checker.isArrayType(type)) return 'It is a list: take an item of it first, e.g. list[0], or go through it.';
  if (properties.length === 0) return 'It has no properties.';
  const meant = suggestName(name, properties);
  return [meant, `There are: ${joinBounded(properties, 12)}.`].filter((text) => text !== '').join(' ');
};

export const fixNothing: Fix = ({ node }, { compiler }) => {
  const text = (compiler.isPropertyAssignment(node.parent) ? node.parent.initializer : node).getText();
  const name = text.length > 40 ? 'it' : text;
  return `Check it before, e.g. if (${name}) { … }, or write ?. and ?? with a value for its absence.`;
};

export const fixValue: Fix = (diagnostic, program) => {
  const { reasons } = diagnostic;
  if (reasons.some((reason) => reason.includes("'Promise<"))) return AWAIT;
  const last = reasons.at(-1) ?? '';
  if (/'(?:null|undefined)' is not assignable/.test(last)) return fixNothing(diagnostic, program);
  if (/'string' is not assignable to (?:parameter of )?type 'number/.test(last)) return 'Give a number: Number(…).';
  if (/'number' is not assignable to (?:parameter of )?type 'string/.test(last)) return 'Give a text: String(…).';
  const missing = /^Propert(?:y|ies) .* (?:is|are) missing|is missing the following properties/.test(last);
  if (missing) return 'Add what is missing.';
  const overlap = /the types '(?<type>.+)' and '.+' have no overlap/.exec(last)?.groups?.['type'];
  if (overlap !== undefined) return `Compare with what it can be: ${overlap.slice(0, 160)}.`;
  const expected = /to (?:parameter of )?type '(?<type>.+)'\.$/.exec(last)?.groups?.['type'];
  return expected === undefined ? 'Give what is declared.' : `Give what is declared: ${expected.slice(0, 160)}`;
};

export const fixKeys: Fix = (diagnostic, program) => {
  const { compiler, checker } = program;
  const literal = program.around(diagnostic.node, compiler.isObjectLiteralExpression);
  const type = literal === undefined ? undefined : checker.getContextualType(literal);
  const keys =
    type === undefined
      ? []
      : checker
          .getNonNullableType(type)
          .getProperties()
          .map((each) => each.name);
  const meant = suggestName(diagnostic.node.getText(), keys);
  return [meant, `There are: ${joinBounded(keys, 12)}.`].filter((text) => text !== '').join(' ');
};

export const fixArguments: Fix = (diagnostic, program) => {
  const { checker } = program;
  const call = program.callAt(diagnostic);
  const signature = call === undefined ? undefined : checker.getResolvedSignature(call);
  if (call === undefined || signature === undefined) return 'Call it as it is declared.';
  return `It is called as ${call.expression.getText()}${checker.signatureToString(signature)}.`.slice(0, 240);
};

export const fixAwait: Fix = ({ node, reasons }, program) => {
  const { compiler, checker } = program;
  const value = compiler.isExpression(node) ? node : undefined;
  const type = value === undefined ? undefined : checker.getTypeAtLocation(value);
  const isPromise = type !== undefined && program.isPromise(type);
  if (isPromise || reasons.some((reason) => reason.includes("'Promise<"))) return AWAIT;
  const lists = (type?.getProperties() ?? []).filter((each) => checker.isArrayType(checker.getTypeOfSymbol(each)));
  const [first] = lists;
  if (first !== undefined && value !== undefined) return `The list is ${value.getText()}.${first.name}.`;
  return 'Use a value of the declared type.';
};

export const fixIndex: Fix = (diagnostic, program) => {
  const fix = fixAwait(diagnostic, program);
  if (fix === AWAIT) return fix;
  const { node } = diagnostic;
  const { checker, compiler } = program;
  const index = compiler.isComputedPropertyName(node) ? node.expression : node;
  const isKey = (each: ts.Symbol) =>
    (checker.getTypeOfSymbol(each).flags & (compiler.TypeFlags.StringLike | compiler.TypeFlags.NumberLike)) !== 0;
  const key = checker.getTypeAtLocation(index).getProperties().find(isKey);
  if (key === undefined) return 'Use a text or a number as the index.';
  return `Use the property that holds the key, e.g. ${index.getText()}.${key.name}.`;
};

export const fixCall: Fix = (diagnostic, program) => {
  const fix = fixAwait(diagnostic, program);
  return fix === AWAIT ? fix : 'Leave the parentheses out, or call a function that there is.';
};

export const fixNumber: Fix = (diagnostic, program) => {
  const fix = fixAwait(diagnostic, program);
  return fix === AWAIT ? fix : 'Make a number of it: Number(…).';
};

function toolsOf({ checker, compiler, main }: CheckedProgram): readonly string[] {
  const values = checker.getSymbolsInScope(main, compiler.SymbolFlags.Function);
  return values
    .filter((symbol) => symbol.valueDeclaration?.getSourceFile().fileName === TOOLS)
    .map((symbol) => symbol.name);
}
