import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, resolve, sep } from 'node:path';
import ts from 'typescript';
import packages from '../scripts/packages.cjs';

const root = resolve(__dirname, '..');

/** An import of a source file. */
interface Found {
  readonly file: string;
  readonly specifier: string;
  /** True if the module is loaded as soon as the file is. */
  readonly isEager: boolean;
}

/** The package that an import names. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function filesUnder(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('node_modules'))
    .map((name) => posix.join(folder, name.split(sep).join('/')));
}

/** The imports of a text, `import()` and types included. */
function importsOf(file: string, text: string): readonly Found[] {
  const found: Found[] = [];
  const add = (node: ts.Node | undefined, isEager: boolean): void => {
    if (node !== undefined && ts.isStringLiteralLike(node)) found.push({ file, specifier: node.text, isEager });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      const isOfTypes =
        node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ||
        (bindings !== undefined && ts.isNamedImports(bindings) && bindings.elements.every((each) => each.isTypeOnly));
      add(node.moduleSpecifier, !isOfTypes);
    } else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, !node.isTypeOnly);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, false);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  return found;
}

const importsUnder = (folder: string): readonly Found[] =>
  filesUnder(folder).flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));

type Package = (typeof packages)[number];

/** Finds imports that the manifest does not list, and optional peers that are loaded before they are used. */
function findMisplacedImports({ folder, manifest }: Package, imports: readonly Found[]): readonly string[] {
  const src = posix.join(folder, 'src');
  const { dependencies = {}, devDependencies = {}, peerDependencies, peerDependenciesMeta = {} } = manifest;
  return imports.flatMap(({ file, specifier, isEager }): readonly string[] => {
    const at = `${file} imports ${specifier}`;
    if (specifier.startsWith('.')) {
      const target = posix.join(posix.dirname(file), specifier);
      return relative(src, target).startsWith('..') ? [`${at}, which lies outside of ${src}`] : [];
    }
    const name = packageOf(specifier);
    // A page is shipped with the packages that it is made of.
    const included = file.startsWith(`${src}/ui/`) ? devDependencies : dependencies;
    if (name.startsWith('node:') || name in included) return [];
    if (!(name in peerDependencies)) return [`${at}, which package.json does not have`];
    const isOptional = peerDependenciesMeta[name]?.optional === true;
    return isEager && isOptional && name.startsWith('@toolwright/') ? [`${at} at once, an optional peer`] : [];
  });
}

describe('a package imports only what its package.json has', () => {
  test.each(packages.map((each) => [each.manifest.name, each] as const))(
    '%s imports only what its package.json names',
    (_name, each) => {
      expect(findMisplacedImports(each, importsUnder(posix.join(each.folder, 'src')))).toEqual([]);
    },
  );

  const fake: Package = {
    folder: 'packages/fake',
    manifest: {
      name: '@toolwright/fake',
      version: '1.0.0',
      exports: {},
      peerDependencies: { toolwright: '1.0.0', '@toolwright/durable': '1.0.0' },
      peerDependenciesMeta: { '@toolwright/durable': { optional: true } },
    },
    entries: {},
  };
  test.each([
    ["import { Tool } from 'toolwright';", []],
    ["await import('@toolwright/durable');", []],
    ["import type { Runs } from '@toolwright/durable';", []],
    [
      "import { Runs } from '@toolwright/durable';",
      ['packages/fake/src/a.ts imports @toolwright/durable at once, an optional peer'],
    ],
    ["import lodash from 'lodash';", ['packages/fake/src/a.ts imports lodash, which package.json does not have']],
    [
      "import { A } from '../../../src/tool/A.js';",
      ['packages/fake/src/a.ts imports ../../../src/tool/A.js, which lies outside of packages/fake/src'],
    ],
  ])("the check of a package's imports answers %s with %j", (text, findings) => {
    expect(findMisplacedImports(fake, importsOf('packages/fake/src/a.ts', text))).toEqual(findings);
  });
});

test('the core imports no package of this repository', () => {
  const own = importsUnder('src').filter(({ specifier }) => specifier.startsWith('@toolwright/'));
  expect(own).toEqual([]);
});

test('no spec, sample or benchmark reaches into the sources of another package', () => {
  const places = [
    ...['spec', 'samples', 'bench'].map((folder) => [folder, 'src'] as const),
    ...packages.slice(1).map(({ folder }) => [`${folder}/spec`, `${folder}/src`] as const),
  ];
  const foreign = places.flatMap(([folder, own]) =>
    importsUnder(folder)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ file, specifier }) => ({ file, target: posix.join(posix.dirname(file), specifier) }))
      .filter(({ target }) => /^(?:packages\/[^/]+\/)?src\//.test(target) && !target.startsWith(`${own}/`)),
  );
  expect(foreign).toEqual([]);
});
