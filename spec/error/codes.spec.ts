import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packages from '../../scripts/packages.cjs';
import { cliRemedies } from '../../src/error/cliRemedies';
import { evalRemedies } from '../../src/error/evalRemedies';
import { remedies as libraryRemedies, type ErrorCode } from '../../src/error/remedies';
import { readCodeTexts } from '../support/errorPages';

const remedies = { ...libraryRemedies, ...cliRemedies, ...evalRemedies };
const codeTexts = readCodeTexts();

const root = join(__dirname, '../..');

/** The texts of the files below folders of all packages. */
function textsIn(folder: 'src' | 'spec', isWanted: (path: string) => boolean): string {
  const texts = packages.flatMap((each) => {
    const place = join(root, each.folder, folder);
    const files = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter(isWanted);
    return files.map((file) => readFileSync(join(place, file), 'utf8'));
  });
  return texts.join('\n');
}

/** The sources without the tables of codes. */
const sources = (): string => textsIn('src', (file) => file.endsWith('.ts') && !file.endsWith('emedies.ts'));

/** Codes that one class of error always carries: a test that expects the class expects the code. */
const carriers: Readonly<Record<string, string>> = {
  E602: 'TransactionClosedError',
  E603: 'ToolValidationError',
  E604: 'ToolRefusal',
  E606: 'VisibilityExpansionRequired',
};

/** The specs that run the library; those of the errors themselves and of the documents prove nothing about it. */
const provokingSpecs = (): string =>
  textsIn('spec', (file) => /(\.(spec|contract)|Behaviour)\.ts$/.test(file) && !/^(error|docs)\//.test(file));

describe('codes', () => {
  const text = sources();

  test.each(Object.keys(remedies) as (ErrorCode | keyof typeof cliRemedies)[])(
    '%s is reported somewhere, and says what it is and what to do',
    (code) => {
      const entry = { ...codeTexts[code], remedy: remedies[code] };
      expect(code).toMatch(/^E[1-9]\d\d$/);
      expect(text).toContain(`'${code}'`);
      expect(entry.title).toMatch(/^[\w@].*[^.\s]$/);
      expect(entry.meaning).toMatch(/^[\w@'"].*\S\.$/s);
      expect(entry.remedy).toMatch(/^[\w@'"].*\S\.$/s);
    },
  );

  const tested = provokingSpecs();
  test.each(Object.keys(remedies))('%s is provoked by a test', (code) => {
    const names = new RegExp(`\\b(${code}|${carriers[code] ?? code})\\b`);
    expect({ code, tested: names.test(tested) }).toEqual({ code, tested: true });
  });

  test('no source names a code that the table lacks', () => {
    const named = [...text.matchAll(/'(E\d{3})'/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter((code) => !(code in remedies))).toEqual([]);
  });

  test('titles are different, and codes are in order', () => {
    const titles = Object.values(codeTexts).map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    expect(Object.keys(remedies)).toEqual(Object.keys(remedies).sort());
  });
});
