import ts from 'typescript';
import { importsOf, nodesIn, place, type Rule } from './SourceTree';

/** The files through which text may reach a terminal, with the reason. */
const WRITERS: ReadonlyMap<string, string> = new Map([
  ['main.ts', 'gives both streams to the terminal'],
  ['terminal/Terminal.ts', 'makes controls visible'],
  ['terminal/Questions.ts', 'gives texts of the terminal to the library that asks'],
  ['application/consoleLogger.ts', 'the default logger'],
  ['server/McpService.ts', 'the protocol, and its guard'],
]);
/** The room of the terminal: libraries that make or write controls stay in it. */
const ROOM = 'terminal/';
const CONTROLLING = new Set([
  'picocolors',
  '@clack/prompts',
  'cli-table3',
  'node:console',
  'console',
  'node:tty',
  'node:readline/promises',
]);
/** Code of programs that models write, where these names are not those of the host. */
const GUEST = 'sandbox/guest/';
const STREAMS = new Set(['stdout', 'stderr', 'console', '_rawDebug']);

/** Only one writer each has the terminal and the default log: nothing else names their streams, or a library that writes there. */
export const outputsHaveOneWriter: Rule = (tree) =>
  [...tree]
    .filter(([path]) => !path.startsWith(GUEST))
    .flatMap(([path, file]) => [
      ...(WRITERS.has(path)
        ? []
        : nodesIn(file)
            .filter(isStream)
            .map((node) => `${place(node)} has ${node.text}`)),
      ...importsOf(file)
        .filter(({ specifier }) => CONTROLLING.has(specifier) && !path.startsWith(ROOM))
        .map(({ specifier, line }) => `src/${path}:${String(line)} imports ${specifier}`),
      ...nodesIn(file)
        .filter(isDescriptor)
        .map((node) => `${place(node)} writes to ${node.getText()}`),
    ]);

/** In the default logger, the only thing that is written is a line that was escaped. */
export const logsAreEscaped: Rule = (tree) => {
  const file = tree.get('application/consoleLogger.ts');
  if (file === undefined) return ['src/application/consoleLogger.ts is missing'];
  return nodesIn(file)
    .filter((node) => ts.isIdentifier(node) && node.text === 'console')
    .filter(({ parent: { parent: call } }) => !(ts.isCallExpression(call) && isEscaped(call.arguments)))
    .map((node) => `${place(node)} writes text that was not escaped`);
};

function isEscaped([first, ...rest]: ts.NodeArray<ts.Expression>): boolean {
  if (rest.length > 0 || first === undefined || !ts.isCallExpression(first)) return false;
  return ts.isIdentifier(first.expression) && ['escapeLine', 'formatLogLine'].includes(first.expression.text);
}

/** `process.stdout`, `import { stdout }`, `console`: an identifier that means a stream of the process, not a field of a result. */
function isStream(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node) || !STREAMS.has(node.text)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) && parent.name === node)
    return ts.isIdentifier(parent.expression) && ['process', 'globalThis'].includes(parent.expression.text);
  if (ts.isImportSpecifier(parent)) return (parent.propertyName ?? parent.name) === node;
  if (ts.isBindingElement(parent)) return /\bprocess\b/.test(parent.parent.parent.getText());
  const isName =
    (ts.isPropertyAssignment(parent) ||
      ts.isPropertySignature(parent) ||
      ts.isPropertyDeclaration(parent) ||
      ts.isMethodDeclaration(parent)) &&
    parent.name === node;
  return !isName;
}

/** `writeSync(1, …)`, `'/dev/stderr'`: a way to a terminal without its stream. */
function isDescriptor(node: ts.Node): boolean {
  if (ts.isStringLiteralLike(node)) return /^\/dev\/(?:stdout|stderr|tty|fd\/)/.test(node.text);
  if (!ts.isCallExpression(node)) return false;
  const [first] = node.arguments;
  return (
    /(?:^|\.)(?:writeSync|writevSync|writeFileSync|createWriteStream)$/.test(node.expression.getText()) &&
    first !== undefined &&
    ts.isNumericLiteral(first)
  );
}
