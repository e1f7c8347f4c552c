import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { filesReadBy, packagesLoadedBy } from './support/architecture/startup';

const root = resolve(__dirname, '..');
/** Bytes of code that an import of the root entry reads: they grow only on purpose (docs/decisions/0040). */
const MOST_BYTES = { mjs: 305_000, cjs: 275_000 };

describe('an import of the root entry', () => {
  test.each(['mjs', 'cjs'] as const)(
    '.%s: reads the declarations, and not the engine',
    (ending) => {
      execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
      const built = (name: string): string => join(root, `dist/${name}.${ending}`);
      const read = [...filesReadBy(built('index'))];
      expect(read).toEqual(expect.arrayContaining(['core', 'reflect'].map(built)));
      expect(read).not.toContain(built('engine'));
      expect(read.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(MOST_BYTES[ending]);
    },
    120_000,
  );

  test('an import of the root entry loads no package but reflect-metadata and the metadata of class-transformer', () => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
    expect(packagesLoadedBy(join(root, 'dist/index.cjs')).sort()).toEqual(['class-transformer', 'reflect-metadata']);
  }, 120_000);

  test.each([
    ['only the types and bounds of @Param loads no library', '', ['class-transformer', 'reflect-metadata']],
    [
      'a format that class-validator checks loads class-validator',
      ", format: 'email'",
      ['class-transformer', 'class-validator', 'libphonenumber-js', 'reflect-metadata', 'validator'],
    ],
    [
      'a pattern loads the pattern engine',
      ', pattern: /^(\\w+\\.?)+@/',
      ['class-transformer', 're2js', 'reflect-metadata'],
    ],
  ])(
    'an application whose params use %s',
    (_what, options, expected) => {
      execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
      const folder = mkdtempSync(join(tmpdir(), 'toolwright-startup-'));
      try {
        writeFileSync(join(folder, 'entry.cjs'), textOfApplication(options));
        expect(packagesLoadedBy(join(folder, 'entry.cjs')).sort()).toEqual(expected);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    120_000,
  );

  test.each([
    ['import', 'import { a } from "./b.js";\nconst c = () => import("./d.js");\n'],
    ['require', 'const b = require("./b.js");\nconst c = () => Promise.resolve().then(() => require("./d.js"));\n'],
  ])('an import of the root entry counts what %s reads at once', (_how, text) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-startup-'));
    try {
      writeFileSync(join(folder, 'entry.js'), text);
      writeFileSync(join(folder, 'b.js'), 'export * from "./e.js";\n');
      writeFileSync(join(folder, 'e.js'), '');
      expect([...filesReadBy(join(folder, 'entry.js'))]).toEqual(
        ['entry.js', 'b.js', 'e.js'].map((file) => join(folder, file)),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** A program that calls a tool with all types of params; one param has further options. */
const textOfApplication = (options: string): string => `
  const { createApplication, definePrompt, defineSection, defineTool, Param } = require(${JSON.stringify(join(root, 'dist/index.cjs'))});
  class Params { count = 1; }
  Param({ description: 'Text', type: String${options} })(Params.prototype, 'text');
  Param({ description: 'Count', integer: true, min: 1 })(Params.prototype, 'count');
  Param({ description: 'When', type: Date })(Params.prototype, 'when');
  Param({ description: 'Tags', type: [String], minItems: 1 })(Params.prototype, 'tags');
  const tool = defineTool({ name: 'note', description: 'Note.', params: Params, handler: ({ text }) => text });
  const prompt = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [tool] })] });
  exports.main = async () => {
    const app = await createApplication({ prompts: [prompt] });
    const given = { text: 'ada@example.org', when: '2026-11-28T12:00:00Z', tags: ['a'] };
    const { kind } = await app.invoke(await app.prompt(prompt).render(), 'note', given);
    if (kind !== 'succeeded') throw new Error(kind);
  };
`;
