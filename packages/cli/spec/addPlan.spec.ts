import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { planFor, textAfter, textsIn, withProject, type Plan } from './support/addProject';
import { nest11, nest12, plain } from './support/existingApps';
import { runHere } from './support/inProcess';
import manifest from '../../../package.json';

const root = resolve(__dirname, '../../..');
const ESCAPE = '\u001b';

const codesOf = ({ findings }: Plan): readonly string[] => findings.map(({ code, place }) => `${code} ${place}`);
const filesOf = ({ changes }: Plan): readonly string[] => changes.map(({ file }) => file);
const diffOf = ({ changes }: Plan, path: string): string => changes.find(({ file }) => file === path)?.diff ?? '';

/** package.json with something changed. */
function manifestOf(files: Readonly<Record<string, string>>, change: (parsed: Record<string, object>) => void): string {
  const parsed = JSON.parse(files['package.json'] ?? '') as Record<string, object>;
  change(parsed);
  return JSON.stringify(parsed, null, 2);
}

beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
}, 600_000);

describe('the plan of add', () => {
  test('a Nest application: packages, the root module, the agent and its test; flags are there', async () => {
    const plan = await planFor({ ...nest12, 'pnpm-lock.yaml': '' });
    expect(plan).toMatchObject({
      kind: 'nest',
      format: 'module',
      runner: 'vitest',
      manager: 'pnpm',
      applied: false,
      findings: [],
      steps: ['pnpm install', 'pnpm test'],
    });
    expect(filesOf(plan)).toEqual([
      'package.json',
      'src/app.module.ts',
      'src/agent/orders.service.ts',
      'src/agent/desk.ts',
      'src/agent/agent.module.ts',
      'src/agent/desk.spec.ts',
    ]);
    expect(diffOf(plan, 'src/app.module.ts')).toBe(`--- a/src/app.module.ts
+++ b/src/app.module.ts
@@ -1,9 +1,11 @@
 import { Module } from '@nestjs/common';
 import { AppController } from './app.controller.js';
 import { AppService } from './app.service.js';
+import { ToolwrightModule } from '@toolwright/nestjs';
+import { AgentModule } from './agent/agent.module.js';
 
 @Module({
-  imports: [],
+  imports: [ToolwrightModule.forRoot(), AgentModule],
   controllers: [AppController],
   providers: [AppService],
 })`);
    expect(diffOf(plan, 'package.json')).toBe(`--- a/package.json
+++ b/package.json
@@ -11,11 +11,16 @@
     "@nestjs/common": "^12.0.1",
     "@nestjs/core": "^12.0.1",
     "@nestjs/platform-express": "^12.0.1",
+    "@toolwright/nestjs": "^${manifest.version}",
+    "class-transformer": "${manifest.peerDependencies['class-transformer']}",
+    "class-validator": "${manifest.peerDependencies['class-validator']}",
     "reflect-metadata": "^0.2.2",
-    "rxjs": "^7.8.1"
+    "rxjs": "^7.8.1",
+    "toolwright": "^${manifest.version}"
   },
   "devDependencies": {
     "@nestjs/testing": "^12.0.1",
+    "@toolwright/cli": "^${manifest.version}",
     "@types/node": "^24.0.0",
     "typescript": "^6.0.2",
     "vitest": "^4.1.2"`);
  });

  test('CommonJS: imports without .js, and jest as it is', async () => {
    const plan = await planFor(nest11);
    expect(plan).toMatchObject({ kind: 'nest', format: 'commonjs', runner: 'jest', manager: 'npm' });
    expect(diffOf(plan, 'src/app.module.ts')).toContain("+import { AgentModule } from './agent/agent.module';");
    const test = diffOf(plan, 'src/agent/desk.spec.ts');
    expect(test).toContain("from './desk';");
    expect(test).toContain('expect(text).toEqual(');
    expect(test).not.toContain('node:');
  });

  test('a plain application: flags, and what creates the application', async () => {
    const plan = await planFor(plain);
    expect(plan).toMatchObject({ kind: 'plain', format: 'module', runner: 'node', findings: [] });
    expect(filesOf(plan)).toEqual([
      ...['package.json', 'tsconfig.json', 'src/agent/desk.ts', 'src/agent/app.ts', 'src/agent/desk.test.ts'],
    ]);
    expect(plan.steps).toEqual(['npm install', 'npm test', 'npx toolwright check --app src/agent/app.ts']);
    expect(diffOf(plan, 'tsconfig.json')).toBe(`--- a/tsconfig.json
+++ b/tsconfig.json
@@ -8,6 +8,8 @@
     "skipLibCheck": true,
     "rootDir": ".",
     "outDir": "dist", // the build
+    "experimentalDecorators": true,
+    "emitDecoratorMetadata": true,
   },
   "include": ["src"],
 }`);
    // Four spaces, as in the file.
    expect(diffOf(plan, 'package.json')).toContain('+    "dependencies": {\n+        "class-transformer"');
  });

  test.each([
    ['"rootDir": ".", "outDir": "dist"', 'dist/src/agent/desk.test.js'],
    ['"rootDir": "src", "outDir": "./out"', 'out/agent/desk.test.js'],
    ['"strict": true', 'src/agent/desk.test.js'],
  ])('node:test without a script: the command names the built file for %s', async (options, built) => {
    const plan = await planFor({
      ...plain,
      'package.json': manifestOf(plain, (parsed) => (parsed['scripts'] = {})),
      'tsconfig.json': `{ "compilerOptions": { "module": "nodenext", ${options} } }`,
    });
    expect(plan.steps[1]).toBe(`npx tsc && node --test ${built}`);
  });

  test.each([
    ['tsc && node --test', true],
    ['node --test && eslint .', true],
    ['tsc && cd dist && node --test', false],
    ['tsc && node --test dist/a.test.js', false],
  ])('node --test that would run sources on a newer Node: %s, a note: %s', async (script, isNoted) => {
    const manifest = manifestOf(plain, (parsed) => (parsed['scripts'] = { test: script }));
    const { notes } = await planFor({ ...plain, 'package.json': manifest });
    expect(notes.some((note) => note.includes('Node 22.18'))).toBe(isNoted);
  });

  test.each([
    ['{}', '{\n  "compilerOptions": {\n    "experimentalDecorators": true,\n    "emitDecoratorMetadata": true\n  }\n}'],
    ['{ "compilerOptions": {} }\n', undefined],
    [
      '{ "compilerOptions": { "strict": true /* all */ } }',
      '{ "compilerOptions": { "strict": true, /* all */ "experimentalDecorators": true, "emitDecoratorMetadata": true } }',
    ],
    [
      '{"compilerOptions":{"target":"es2022","experimentalDecorators":false}}',
      '{"compilerOptions":{"target":"es2022","experimentalDecorators":true, "emitDecoratorMetadata": true}}',
    ],
    [
      '{\r\n\t"compilerOptions": {\r\n\t\t"strict": true // last\r\n\t}\r\n}\r\n',
      '{\r\n\t"compilerOptions": {\r\n\t\t"strict": true, // last\r\n\t\t"experimentalDecorators": true,\r\n\t\t"emitDecoratorMetadata": true\r\n\t}\r\n}\r\n',
    ],
    [
      '{\n  "ts-node": { "compilerOptions": { "experimentalDecorators": false } },\n  // "compilerOptions": {\n  "compilerOptions": {\n    "strict": true\n  }\n}\n',
      '{\n  "ts-node": { "compilerOptions": { "experimentalDecorators": false } },\n  // "compilerOptions": {\n  "compilerOptions": {\n    "strict": true,\n    "experimentalDecorators": true,\n    "emitDecoratorMetadata": true\n  }\n}\n',
    ],
  ])('add edits %j as little as it can', async (text, expected) => {
    const after = await textAfter({ ...plain, 'tsconfig.json': text }, 'tsconfig.json');
    if (expected !== undefined) expect(after).toBe(expected);
    expect(after).toMatch(/"experimentalDecorators": ?true,\s*"emitDecoratorMetadata": true/);
  });

  test('flags that come by extends count, and the plan says where from', async () => {
    const plan = await planFor({
      ...plain,
      'tsconfig.json': '{ "extends": "./tsconfig.base", "compilerOptions": { "strict": true } }\n',
      'tsconfig.base.json': '{ "compilerOptions": { "experimentalDecorators": true } }\n',
    });
    expect(plan.notes).toEqual(['tsconfig.json: experimentalDecorators comes from tsconfig.base.json.']);
    expect(diffOf(plan, 'tsconfig.json')).toContain('"strict": true, "emitDecoratorMetadata": true }');
    expect(filesOf(plan)).not.toContain('tsconfig.base.json');
  });

  test('the plan of add keeps ranges that are there, also lower and higher ones', async () => {
    const plan = await planFor({
      ...plain,
      'package.json': manifestOf(plain, (parsed) => {
        parsed['dependencies'] = {
          'class-validator': '0.15.1',
          'reflect-metadata': '^0.2.0',
          toolwright: 'workspace:*',
        };
        Object.assign(parsed['devDependencies'] ?? {}, { '@toolwright/cli': '0.0.1' });
      }),
    });
    const added = diffOf(plan, 'package.json')
      .split('\n')
      .filter((text) => /^[+-] /.test(text));
    expect(added).toEqual(['+    "class-transformer": "^0.5.1",']);
    expect(plan.findings).toEqual([]);
  });

  test('the plan follows the tests that are there: their folder and their names', async () => {
    const plan = await planFor({ ...plain, 'test/greet.spec.ts': "import '../src/greet.js';\n" });
    expect(filesOf(plan).at(-1)).toBe('test/desk.spec.ts');
    expect(diffOf(plan, 'test/desk.spec.ts')).toContain("from '../src/agent/desk.js'");
  });

  test('the plan of add writes no agent where sources use Toolwright already', async () => {
    const plan = await planFor({
      ...plain,
      'src/own.ts': "import { Section } from 'toolwright';\nexport { Section };\n",
    });
    expect(filesOf(plan)).toEqual(['package.json', 'tsconfig.json']);
  });

  const head = "import { Module } from '@nestjs/common';\n";
  const imported =
    "import { ToolwrightModule } from '@toolwright/nestjs';\nimport { AgentModule } from './agent/agent.module.js';\n";
  const items = 'ToolwrightModule.forRoot(), AgentModule';
  const multi = '    ToolwrightModule.forRoot(),\n    AgentModule';
  test.each([
    ['@Module({ imports: [A] })', `@Module({ imports: [A, ${items}] })`],
    [
      '@Module({\n  imports: [\n    A,\n    B, // the second\n  ],\n})',
      `@Module({\n  imports: [\n    A,\n    B, // the second\n${multi},\n  ],\n})`,
    ],
    [
      '@Module({\n  imports: [\n    A // no comma\n  ]\n})',
      `@Module({\n  imports: [\n    A, // no comma\n${multi}\n  ]\n})`,
    ],
    ['@Module({ providers: [A] })', `@Module({ imports: [${items}], providers: [A] })`],
    ['@Module({\n  providers: [A],\n})', `@Module({\n  imports: [${items}],\n  providers: [A],\n})`],
    ['@Module({})', `@Module({ imports: [${items}] })`],
    ['@Global()\n@Module({ ...base, imports: [] })', `@Global()\n@Module({ ...base, imports: [${items}] })`],
  ])('the plan of add adds the modules to %j', async (before, after) => {
    const of = (decorator: string): string => `${decorator}\nexport class AppModule {}\n`;
    const files = { ...nest12, 'src/app.module.ts': head + of(before) };
    expect(await textAfter(files, 'src/app.module.ts')).toBe(head + imported + of(after));
  });

  test('the plan of add writes the quotes, semicolons and line ends of the root module', async () => {
    const text =
      '/** The root */\r\nimport { Module } from "@nestjs/common" // Nest\r\n\r\n@Module({})\r\nexport class AppModule {}\r\n';
    expect(await textAfter({ ...nest12, 'src/app.module.ts': text }, 'src/app.module.ts')).toBe(
      text
        .replace(
          '// Nest',
          '// Nest\r\nimport { ToolwrightModule } from "@toolwright/nestjs"\r\nimport { AgentModule } from "./agent/agent.module.js"',
        )
        .replace('{})', `{ imports: [${items}] })`),
    );
  });
});

describe('projects that add cannot change', () => {
  const moduleOf = (decorator: string): string =>
    `import { Module } from '@nestjs/common';\n\n${decorator}\nexport class AppModule {}\n`;

  test.each([
    ['a list by name', { 'src/app.module.ts': moduleOf('@Module({ imports: LIST })') }, 'src/app.module.ts'],
    ['a spread', { 'src/app.module.ts': moduleOf('@Module({ ...base })') }, 'src/app.module.ts'],
    ['an argument by name', { 'src/app.module.ts': moduleOf('@Module(options)') }, 'src/app.module.ts'],
    [
      'another AgentModule',
      { 'src/app.module.ts': moduleOf('@Module({ imports: [AgentModule] })') },
      'src/app.module.ts',
    ],
    ['no call of NestFactory', { 'src/main.ts': undefined }, 'the root module'],
    ['two applications', { 'src/other.ts': 'class X {}\nvoid NestFactory.create<App>(X);\n' }, 'the root module'],
  ])('%s: E976 with the lines to add, and the rest goes on', async (_name, files, place) => {
    const plan = await planFor({ ...nest12, ...files });
    expect(codesOf(plan)).toEqual([`E976 ${place}`]);
    expect(plan.findings[0]?.remedy).toContain("import { ToolwrightModule } from '@toolwright/nestjs';");
    expect(plan.findings[0]?.remedy).toContain('imports: [ToolwrightModule.forRoot(), AgentModule]');
    expect(filesOf(plan)).toEqual(expect.arrayContaining(['package.json', 'src/agent/agent.module.ts']));
    expect(filesOf(plan)).not.toContain('src/app.module.ts');
  });

  test('a compiler that is not there: E976 for the root module', async () => {
    const plan = await planFor(nest12, []);
    expect(codesOf(plan)).toEqual(['E976 src/app.module.ts']);
  });

  test('JavaScript without TypeScript is refused with E977, and only the packages are added', async () => {
    const plan = await planFor({ 'package.json': '{ "name": "desk" }\n', 'index.js': '' }, []);
    expect(codesOf(plan)).toEqual(['E977 tsconfig.json']);
    expect(plan.findings[0]?.remedy).toContain('"emitDecoratorMetadata": true');
    expect(filesOf(plan)).toEqual(['package.json']);
  });

  test('project references: E977 that names them, unless one of them has the flags', async () => {
    const files = { ...plain, 'tsconfig.json': '{ "files": [], "references": [{ "path": "./tsconfig.app.json" }] }\n' };
    const plan = await planFor({ ...files, 'tsconfig.app.json': '{}' });
    expect(codesOf(plan)).toEqual(['E977 tsconfig.json']);
    expect(plan.findings[0]?.message).toContain('tsconfig.app.json');
    expect(filesOf(plan)).toEqual(expect.arrayContaining(['package.json', 'src/agent/desk.ts']));
    const flags = '{ "compilerOptions": { "experimentalDecorators": true, "emitDecoratorMetadata": true } }';
    expect(codesOf(await planFor({ ...files, 'tsconfig.app.json': flags }))).toEqual([]);
  });

  test('a runner that emits no types: the files name them; E977 for Nest, which needs them', async () => {
    const tested = manifestOf(plain, (parsed) => (parsed['scripts'] = { test: 'tsx --test' }));
    const plan = await planFor({ ...plain, 'package.json': tested });
    expect(codesOf(plan)).toEqual([]);
    expect(plan.notes).toEqual([
      'tsx: does not emit the types of decorated members. The files of add name them; do so in yours.',
    ]);
    expect(diffOf(plan, 'src/agent/desk.ts')).toContain('params: PlaceOrderParams');
    const nest = manifestOf(nest12, (parsed) => {
      parsed['scripts'] = { test: 'tsx --test' };
      parsed['devDependencies'] = {};
    });
    expect(codesOf(await planFor({ ...nest12, 'package.json': nest }))).toEqual(['E977 package.json']);
  });

  test('packages of other versions: E978, and their ranges stay', async () => {
    const plan = await planFor({
      ...nest12,
      'package.json': manifestOf(nest12, (parsed) => {
        Object.assign(parsed['dependencies'] ?? {}, { '@nestjs/core': '^10.0.0', 'reflect-metadata': '^0.1.13' });
      }),
    });
    expect(codesOf(plan)).toEqual(['E978 package.json', 'E978 package.json']);
    expect(diffOf(plan, 'package.json')).not.toMatch(/^-.*(nestjs|reflect)/m);
  });

  test('findings are shown with their lines, and the exit code is 1', async () => {
    await withProject({ ...nest12, 'src/app.module.ts': moduleOf('@Module(options)') }, async (project) => {
      const { code, err } = await runHere(project.folder, ['add', '--yes']);
      expect(code).toBe(1);
      expect(err).toContain(`E976 src/app.module.ts: @Module of AppModule has no list of imports that can be edited
  fix: Add by hand:
    import { ToolwrightModule } from '@toolwright/nestjs';
    import { AgentModule } from './agent/agent.module.js';
    imports: [ToolwrightModule.forRoot(), AgentModule] (docs/errors.md#e976)`);
      expect(existsSync(join(project.folder, 'src/agent/desk.ts'))).toBe(true);
    });
  });

  test.each([
    ['no package.json', { 'package.json': undefined }, /^E970 package\.json: .*\n {2}fix: .*toolwright init/],
    ['a broken package.json', { 'package.json': '{\n  "name": }' }, /^E967 package\.json: .*line 2, column 11/],
    ['a broken tsconfig.json', { 'tsconfig.json': '{ "a": 1 // }\n' }, /^E967 tsconfig\.json: .*line 2, column 1/],
    ['a file that is there', { 'src/agent/desk.ts': 'export {};\n' }, /^E975 .*: src\/agent\/desk\.ts/],
  ])('%s: an error, and nothing is changed', async (_name, files, error) => {
    await withProject({ ...plain, ...files }, async (project) => {
      const before = textsIn(project);
      const { code, out, err } = await runHere(project.folder, ['add', '--yes']);
      expect([code, out, err]).toEqual([2, '', expect.stringMatching(error)]);
      expect(textsIn(project)).toEqual(before);
    });
  });
});

describe('how add writes', () => {
  test('without a terminal, add shows the difference, changes nothing, and says how to apply it', async () => {
    await withProject(plain, async (project) => {
      const before = textsIn(project);
      const { code, out, err } = await project.run(['add']);
      expect([code, err]).toEqual([0, expect.stringContaining('Nothing was changed. toolwright add --yes')]);
      expect(out).toContain('+    "experimentalDecorators": true,');
      expect(textsIn(project)).toEqual(before);
      // What it shows is a patch.
      writeFileSync(join(project.folder, 'add.patch'), out);
      const applied = await project.exec('git', ['apply', 'add.patch']);
      expect(applied).toMatchObject({ code: 0 });
      expect((await runHere(project.folder, ['add'])).err).toContain('Everything is there');
    });
  });

  test('a write that fails takes all of them back: E970', async () => {
    await withProject({ ...nest12, 'src/agent': 'a file' }, async (project) => {
      const before = textsIn(project);
      const { code, err } = await runHere(project.folder, ['add', '--yes']);
      expect([code, err]).toEqual([
        2,
        expect.stringMatching(/^E970 src\/agent: .*\n {2}fix: .* Nothing was changed\./),
      ]);
      expect(textsIn(project)).toEqual(before);
    });
  });

  test('--json gives the plan alone, and --yes applies it', async () => {
    await withProject(plain, async (project) => {
      const { code, out, err } = await runHere(project.folder, ['add', '--json', '--yes']);
      expect([code, err, (JSON.parse(out) as Plan).applied]).toEqual([0, '', true]);
      expect(readFileSync(join(project.folder, 'src/agent/app.ts'), 'utf8')).toContain('createApplication');
    });
  });

  test.each([
    ['y', true],
    ['n', false],
  ])(
    'add asks in a terminal, in colours, and %s counts',
    async (key, isWritten) => {
      await withProject(plain, async (project) => {
        let answered = false;
        const { out } = await project.runInTerminal(['add'], {
          watch: (said, child) => {
            if (answered || !said.includes('Write these files?')) return;
            answered = true;
            child.write(key);
          },
        });
        expect(out).toContain(`${ESCAPE}[32m+    "experimentalDecorators": true,`);
        expect(existsSync(join(project.folder, 'src/agent/desk.ts'))).toBe(isWritten);
      });
    },
    60_000,
  );
});
