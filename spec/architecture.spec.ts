import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import manifest from '../package.json';
import packages from '../scripts/packages.cjs';
import { noAny, noBareErrors, noDefaultExports, noSpreadLiterals, noStarExports } from './support/architecture/code';
import { everythingPublicIsDocumented } from './support/architecture/docs';
import { nobodyImportsTheRoot, onlyEntriesAreIndexes, singleDoors } from './support/architecture/doors';
import { importsGoLeft, noCycles } from './support/architecture/folders';
import { messagesNameCodes } from './support/architecture/messages';
import { logsAreEscaped, outputsHaveOneWriter } from './support/architecture/outputs';
import { readTree, sourceTree, type Rule } from './support/architecture/SourceTree';
import { packagesLoadedBy } from './support/architecture/startup';

const root = resolve(__dirname, '..');
const src = readTree(join(root, 'src'));
const [core] = packages;
const entries = Object.values(core?.entries ?? {}).map((source) => source.replace(/^src\/|\.ts$/g, ''));
/** The sources of the other packages, by their folders. */
const others = packages.slice(1).map(({ folder }) => [folder, readTree(join(root, folder, 'src'))] as const);

/** The rule must find nothing in `src/`, nor in that of other packages unless it is the core's, and in each bad tree what is written beside it. */
function describeRule(
  name: string,
  rule: Rule,
  bad: readonly { files: Record<string, string>; finding: string }[],
  trees = others,
): void {
  describe(name, () => {
    test('the rule holds for src', () => {
      expect(rule(src)).toEqual([]);
    });
    if (trees.length > 0)
      test.each(trees)('the rule holds for %s', (_folder, tree) => {
        expect(rule(tree)).toEqual([]);
      });
    test.each(bad)('the rule reports: $finding', ({ files, finding }) => {
      expect(rule(sourceTree(files))).toEqual([finding]);
    });
  });
}

describe('architecture', () => {
  test('the dispatcher is a list of steps: it imports from fewer than 20 files', () => {
    const source = readFileSync(join(root, 'src/dispatch/ToolDispatcher.ts'), 'utf8');
    const count = source.match(/^import /gm)?.length ?? 0;
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThan(20);
  });

  test('src is there to be looked at', () => {
    expect(src.has('index.ts')).toBe(true);
    expect(src.size).toBeGreaterThan(20);
  });

  describeRule(
    'imports go left only',
    importsGoLeft,
    [
      {
        files: { 'tool/A.ts': "import { B } from '../session/B.js';" },
        finding: 'src/tool/A.ts:1 imports ../session/B.js, which does not lie to the left of tool',
      },
      {
        files: { 'tool/A.ts': "\nimport type { B } from '../session/B.js';" },
        finding: 'src/tool/A.ts:2 imports ../session/B.js, which does not lie to the left of tool',
      },
      {
        files: { 'tool/args/A.ts': "export type { B } from '../../session/B.js';" },
        finding: 'src/tool/args/A.ts:1 imports ../../session/B.js, which does not lie to the left of tool',
      },
      {
        files: { 'tool/A.ts': "type B = import('../session/B.js').B;" },
        finding: 'src/tool/A.ts:1 imports ../session/B.js, which does not lie to the left of tool',
      },
      {
        files: { 'tool/A.ts': "const b = await import('../session/B.js');" },
        finding: 'src/tool/A.ts:1 imports ../session/B.js, which does not lie to the left of tool',
      },
      {
        files: { 'common/A.ts': "const { version } = require('../../package.json');" },
        finding: 'src/common/A.ts:1 imports ../../package.json, which does not lie to the left of common',
      },
      { files: { 'misc/A.ts': '' }, finding: 'src/misc/A.ts stands in none of the folders of the architecture' },
      { files: { 'A.ts': '' }, finding: 'src/A.ts stands in none of the folders of the architecture' },
    ],
    [],
  );

  describeRule('no file cycles', noCycles, [
    {
      files: {
        'tool/A.ts': "import { B } from './B.js';",
        'tool/B.ts': "import type { C } from './C.js';",
        'tool/C.ts': "import { B } from './B.js';",
      },
      finding: 'cycle: tool/B.ts → tool/C.ts → tool/B.ts',
    },
    { files: { 'tool/A.ts': "export { B } from './A.js';" }, finding: 'cycle: tool/A.ts → tool/A.ts' },
  ]);

  describeRule(
    'each package is imported by a single folder',
    singleDoors,
    [
      {
        files: { 'common/reflect.ts': "import 'reflect-metadata';", 'tool/A.ts': "import 'reflect-metadata';" },
        finding: 'src/tool/A.ts:1 imports reflect-metadata, which has another door',
      },
      {
        files: { 'container/PlainContainer.ts': "import type { Container } from 'typedi';" },
        finding: 'src/container/PlainContainer.ts:1 imports typedi, which has another door',
      },
      {
        files: { 'builder/A.ts': "import { getMetadataStorage } from 'class-validator';" },
        finding: 'src/builder/A.ts:1 imports class-validator, which has another door',
      },
      {
        files: { 'builder/A.ts': "import { defaultMetadataStorage } from 'class-transformer/cjs/storage';" },
        finding: 'src/builder/A.ts:1 imports class-transformer/cjs/storage, which has another door',
      },
      {
        files: { 'integration/testing/A.ts': "const OpenAI = require('openai');" },
        finding: 'src/integration/testing/A.ts:1 imports openai, which has another door',
      },
      {
        files: { 'integration/mcp/A.ts': "import { b } from '@nestjs/common/decorators';" },
        finding: 'src/integration/mcp/A.ts:1 imports @nestjs/common/decorators, which has another door',
      },
      {
        files: { 'tool/A.ts': "import _ from 'lodash';" },
        finding: 'src/tool/A.ts:1 imports lodash, which has another door',
      },
      { files: { 'tool/A.ts': "import fs from 'fs';" }, finding: 'src/tool/A.ts:1 imports fs, which has another door' },
      {
        files: { 'tool/A.ts': "import { Tool } from 'toolwright';" },
        finding: 'src/tool/A.ts:1 imports toolwright, which has another door',
      },
    ],
    [],
  );

  describeRule(
    'no file imports the root entry',
    nobodyImportsTheRoot,
    [
      {
        files: { 'bundles/index.ts': "import type { Tool } from '../index.js';" },
        finding: 'src/bundles/index.ts:1 imports src/index.ts',
      },
    ],
    [],
  );

  describeRule(
    'no index.ts but the entries',
    onlyEntriesAreIndexes(entries),
    [
      {
        files: { 'index.ts': '', 'tool/index.ts': '' },
        finding: 'src/tool/index.ts is an index.ts, but no entry of the package',
      },
    ],
    [],
  );

  describeRule('messages name their codes', messagesNameCodes, [
    {
      files: { 'tool/A.ts': "throw new PromptEvaluationError('It waits.', { phase: 'tool', code: 'E709' });" },
      finding: 'src/tool/A.ts:1 creates E709 with a message that does not name it',
    },
    {
      files: { 'tool/A.ts': "const code = 'E709';\nthrow new ToolwrightError(problem, { code });" },
      finding: 'src/tool/A.ts:2 creates a code with a message that does not name it',
    },
  ]);

  describeRule('no bare errors', noBareErrors, [
    { files: { 'tool/A.ts': "throw new Error('no');" }, finding: "src/tool/A.ts:1 throws a bare new Error('no')" },
    { files: { 'tool/A.ts': "throw TypeError('no');" }, finding: "src/tool/A.ts:1 throws a bare TypeError('no')" },
  ]);

  describeRule('no export *', noStarExports, [
    { files: { 'tool/A.ts': "export * from './B.js';" }, finding: 'src/tool/A.ts:1 has an export *' },
    { files: { 'tool/A.ts': "export type * as b from './B.js';" }, finding: 'src/tool/A.ts:1 has an export *' },
  ]);

  describeRule('no default export', noDefaultExports, [
    { files: { 'tool/A.ts': 'export default class A {}' }, finding: 'src/tool/A.ts:1 has a default export' },
    { files: { 'tool/A.ts': 'export default 1;' }, finding: 'src/tool/A.ts:1 has a default export' },
    {
      files: { 'tool/A.ts': 'const a = 1;\nexport { a as default };' },
      finding: 'src/tool/A.ts:2 has a default export',
    },
  ]);

  describeRule('nothing is any', noAny, [
    { files: { 'tool/A.ts': '// any\nconst any: unknown = 1 as any;' }, finding: 'src/tool/A.ts:2 says any' },
    { files: { 'tool/A.ts': 'export type A = (x: readonly any[]) => void;' }, finding: 'src/tool/A.ts:1 says any' },
  ]);

  describeRule('no literal is spread', noSpreadLiterals, [
    { files: { 'tool/A.ts': 'const a = { ...{ b: 1, c: 2 }, d: 3 };' }, finding: 'src/tool/A.ts:1 spreads a literal' },
    { files: { 'tool/A.ts': 'f(...([1, 2] as const), 3);' }, finding: 'src/tool/A.ts:1 spreads a literal' },
    { files: { 'tool/A.ts': 'function f(...[a, b]: Pair) {}' }, finding: 'src/tool/A.ts:1 spreads a literal' },
  ]);

  describeRule('terminal and log have one writer each', outputsHaveOneWriter, [
    { files: { 'cli/A.ts': "process.stdout.write('a');" }, finding: 'src/cli/A.ts:1 has stdout' },
    { files: { 'cli/A.ts': "import { stderr as err } from 'node:process';" }, finding: 'src/cli/A.ts:1 has stderr' },
    { files: { 'cli/A.ts': 'const { stdout: out } = process;' }, finding: 'src/cli/A.ts:1 has stdout' },
    { files: { 'cli/A.ts': "console.log('a');" }, finding: 'src/cli/A.ts:1 has console' },
    { files: { 'cli/A.ts': "globalThis.console.log('a');" }, finding: 'src/cli/A.ts:1 has console' },
    { files: { 'dispatch/A.ts': 'const log = console;' }, finding: 'src/dispatch/A.ts:1 has console' },
    { files: { 'cli/A.ts': "writeSync(1, 'a');" }, finding: "src/cli/A.ts:1 writes to writeSync(1, 'a')" },
    { files: { 'cli/A.ts': "open('/dev/stdout');" }, finding: "src/cli/A.ts:1 writes to '/dev/stdout'" },
    { files: { 'cli/A.ts': "import colors from 'picocolors';" }, finding: 'src/cli/A.ts:1 imports picocolors' },
    { files: { 'cli/A.ts': "await import('@clack/prompts');" }, finding: 'src/cli/A.ts:1 imports @clack/prompts' },
  ]);

  describe('the default logger writes only what was escaped', () => {
    test('the default logger of src escapes what it writes', () => {
      expect(logsAreEscaped(src)).toEqual([]);
    });

    test.each([
      'console.warn(text);',
      "console.warn(escapeLine('a'), text);",
      'const log = console;',
      'console.warn();',
    ])('the rule for escaped logs reports %s', (text) => {
      expect(logsAreEscaped(sourceTree({ 'application/consoleLogger.ts': text }))).toEqual([
        'src/application/consoleLogger.ts:1 writes text that was not escaped',
      ]);
    });
  });

  describe('everything public is documented', () => {
    const documented = everythingPublicIsDocumented(['index']);

    test('everything public in src is documented', () => {
      expect(everythingPublicIsDocumented(entries)(src)).toEqual([]);
    });

    test.each([
      ['export class A {}', 'src/tool/A.ts:1 is exported as A without a doc comment'],
      ['// no\nexport interface A {}', 'src/tool/A.ts:2 is exported as A without a doc comment'],
      ['/** */\nexport type A = 1;', 'src/tool/A.ts:2 is exported as A without a doc comment'],
      ['export const A = 1;', 'src/tool/A.ts:1 is exported as A without a doc comment'],
      ['enum A {}\nexport { A };', 'src/tool/A.ts:1 is exported as A without a doc comment'],
      ["export { B as A } from './B.js';", 'src/tool/B.ts:1 is exported as A without a doc comment'],
      ["import { B } from './B.js';\nexport { B as A };", 'src/tool/B.ts:1 is exported as A without a doc comment'],
      ["export { A } from './C.js';", 'src/tool/A.ts re-exports A from ./C.js, which is not there'],
      ['export class D {}', 'src/tool/A.ts exports A, which is declared nowhere'],
    ])('the rule for documentation reports %j', (text, finding) => {
      const files = {
        'index.ts': "export { A } from './tool/A.js';",
        'tool/A.ts': text,
        'tool/B.ts': 'export function B() {}',
      };
      expect(documented(sourceTree(files))).toEqual([finding]);
    });

    test('the check looks at what the entry itself declares', () => {
      expect(documented(sourceTree({ 'index.ts': 'export const A = 1, B = 2;' }))).toHaveLength(2);
      expect(documented(sourceTree({ 'index.ts': '/** One. */\nexport const A = 1;' }))).toEqual([]);
    });

    test('the check reports an entry that is missing', () => {
      expect(documented(sourceTree({}))).toEqual(['src/index.ts is missing']);
    });
  });

  describe('the root entry loads no optional peer', () => {
    const allowed = new Set(Object.keys(manifest.dependencies));
    const known = [...Object.keys(manifest.peerDependenciesMeta), ...Object.keys(manifest.devDependencies)];
    const required = Object.keys(manifest.peerDependencies).filter((name) => !(name in manifest.peerDependenciesMeta));
    const unwanted = known.filter((name) => !allowed.has(name) && !required.includes(name));

    test('the root entry loads no optional peer loads no optional peer in a fresh process', () => {
      execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
      // What createApplication loads later counts as well.
      for (const file of ['index', 'engine']) {
        const loaded = packagesLoadedBy(join(root, `dist/${file}.cjs`));
        expect(loaded).toContain('reflect-metadata');
        expect(loaded.filter((name) => unwanted.includes(name))).toEqual([]);
      }
    }, 120_000);

    test('the root entry loads no optional peer reports a file that loads one', () => {
      const folder = mkdtempSync(join(tmpdir(), 'toolwright-startup-'));
      try {
        mkdirSync(join(folder, 'node_modules/@scope/peer'), { recursive: true });
        writeFileSync(join(folder, 'node_modules/@scope/peer/index.js'), '');
        writeFileSync(join(folder, 'entry.js'), "require('@scope/peer');");
        expect(packagesLoadedBy(join(folder, 'entry.js'))).toEqual(['@scope/peer']);
        expect(unwanted).toEqual(expect.arrayContaining(['openai', 'typedi']));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });
  });
});
