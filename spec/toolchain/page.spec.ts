import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { remedies } from '../../src/error/remedies';
import manifest from '../../package.json';
import { compilerOptions } from './support/Compiler.js';
import { swcOptions } from './support/swc.js';

const root = resolve(__dirname, '../..');
const page = join(root, 'docs/toolchain.md');
const text = readFileSync(page, 'utf8');

describe('docs/toolchain.md', () => {
  const proofs = [...text.matchAll(/^Tests in `(\S+)`:\n\n((?:- ".+"\n)+)/gm)].flatMap(([, file, list]) =>
    [...list!.matchAll(/^- "(.+)"$/gm)].map(([, name]) => ({ file: file!, name: name! })),
  );

  test('docs/toolchain.md names tests under every heading but the first', () => {
    const sections = text.split(/^## /m).slice(1);
    expect(sections.length).toBeGreaterThan(8);
    expect(sections.filter((section) => !section.includes('\nTests in `'))).toEqual([]);
    expect(proofs).toHaveLength(text.match(/^- "/gm)!.length);
  });

  test.each(proofs)('$name is a test of $file', ({ file, name }) => {
    expect(readFileSync(join(root, file), 'utf8')).toContain(name);
  });

  test('docs/toolchain.md shows the settings with which the specs compile', () => {
    const [forTsc, forSwc] = [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(
      ([, json]) => JSON.parse(json!) as object,
    );
    expect({ compilerOptions: compilerOptions({ format: 'esm' }) }).toMatchObject(forTsc!);
    expect(swcOptions({ format: 'esm' })).toMatchObject(forSwc!);
  });

  test('docs/toolchain.md names the versions that are installed', () => {
    const versionOf = (name: string, parts: number): string =>
      manifest.devDependencies[name as 'vite'].split('.').slice(0, parts).join('.');
    expect(text).toContain(
      `with tsc ${versionOf('typescript', 1)} and 7, swc ${versionOf('@swc/core', 2)} and Vite ${versionOf('vite', 1)}, run it`,
    );
  });

  test('docs/toolchain.md describes E214 as its remedy does: leave the package out, since an alias breaks the build', () => {
    const wayOut = "`ssr: { external: ['class-transformer'] }` in Vite";
    expect(text).toContain(wayOut);
    expect(remedies.E214).toContain(wayOut);
    expect(`${text} ${remedies.E214}`).not.toMatch(/\balias/);
  });

  test('links only to files and headings that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)].map(([, file, heading]) => ({
      file: file!,
      heading,
    }));
    for (const { file, heading } of links) {
      const target = file === '' ? page : join(dirname(page), file);
      expect({ file, exists: existsSync(target) }).toEqual({ file, exists: true });
      if (heading === undefined) continue;
      const headings = [...readFileSync(target, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
        title!
          .toLowerCase()
          .replace(/[^a-z0-9 -]/g, '')
          .replaceAll(' ', '-'),
      );
      expect({
        heading,
        exists: headings.some((known) => known === heading || known.startsWith(`${heading}-`)),
      }).toEqual({
        heading,
        exists: true,
      });
    }
    expect(links.length).toBeGreaterThan(3);
  });
});
