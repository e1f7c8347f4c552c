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

  test('loads no package but the mandatory peers and what they need', () => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
    expect(packagesLoadedBy(join(root, 'dist/index.cjs')).sort()).toEqual([
      'class-transformer',
      'class-validator',
      'libphonenumber-js',
      'reflect-metadata',
      'validator',
    ]);
  }, 120_000);

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
