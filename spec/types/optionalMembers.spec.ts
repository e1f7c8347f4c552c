import { join } from 'node:path';
import ts from 'typescript';
import packages from '../../scripts/packages.cjs';
import { publicDeclarations } from '../support/architecture/docs';
import { place, readTree } from '../support/architecture/SourceTree';

const root = join(__dirname, '../..');

function declarationsIn({ folder, entries }: (typeof packages)[number]): readonly ts.Node[] {
  const tree = readTree(join(root, folder, 'src'));
  const names = Object.values(entries).map((source) => source.replace(/^src\/|\.ts$/g, ''));
  return names.flatMap((name) => publicDeclarations(tree, name));
}

/** The declarations behind every exported class and interface, found by syntax alone. */
const declarations = [...new Set(packages.flatMap(declarationsIn))].filter(
  (node) => ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node),
);

/** Says what is handed to the AI SDK or to the SDK of MCP, in their own types, which do not take `undefined`. */
const isOfAnotherLibrary = (node: ts.Node): boolean =>
  node.getSourceFile().fileName === 'AiLanguageModel.ts' ||
  (ts.isInterfaceDeclaration(node) && ['AiTool', 'McpRequestOptions'].includes(node.name.text));

const placeOf = (node: ts.Node): string => `${place(node)}: ${node.getText().split('\n', 1)[0] ?? ''}`;

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
