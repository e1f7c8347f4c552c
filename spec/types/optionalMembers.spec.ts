import { join, relative } from 'node:path';
import ts from 'typescript';
import entries from '../../scripts/entries.json';

const src = join(__dirname, '../../src');
const roots = Object.values(entries).map((entry) => join(src, `${entry}.ts`));

/** What users can name: the declarations behind every exported class and interface. */
function publicDeclarations(): readonly (ts.ClassDeclaration | ts.InterfaceDeclaration)[] {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(src, '../tsconfig.json'),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  );
  const program = ts.createProgram(roots, config?.options ?? {});
  const checker = program.getTypeChecker();
  const symbols = roots.flatMap((root) => {
    const file = program.getSourceFile(root);
    const symbol = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    return symbol === undefined ? [] : checker.getExportsOfModule(symbol);
  });
  const resolved = symbols.map((symbol) =>
    symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  );
  return [...new Set(resolved)]
    .flatMap((symbol) => symbol.declarations ?? [])
    .filter((node) => ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node));
}

/** Says what is handed to the AI SDK or to the SDK of MCP, in their own types, which do not take `undefined`. */
const isOfAnotherLibrary = (node: ts.Node): boolean =>
  node.getSourceFile().fileName.endsWith('/ai-sdk/AiLanguageModel.ts') ||
  (ts.isInterfaceDeclaration(node) && ['AiTool', 'McpRequestOptions'].includes(node.name.text));

const declarations = publicDeclarations();
const placeOf = (node: ts.Node): string =>
  `${relative(src, node.getSourceFile().fileName)}: ${node.getText().split('\n', 1)[0] ?? ''}`;

test('every optional member may be given undefined', () => {
  const optional = declarations
    .filter((node) => !isOfAnotherLibrary(node))
    .flatMap(({ members }): readonly (ts.ClassElement | ts.TypeElement)[] => members)
    .filter((member) => ts.isPropertySignature(member) || ts.isPropertyDeclaration(member))
    .filter(({ questionToken }) => questionToken !== undefined);
  expect(optional.length).toBeGreaterThan(50);
  const closed = optional.filter(({ type }) => !/\b(undefined|unknown)\b/.test(type?.getText() ?? ''));
  expect(closed.map(placeOf)).toEqual([]);
});
