import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dialectLines, dialectNames } from './support/architecture/language';

const root = join(__dirname, '..');

/** Files below a folder, by path. */
const filesIn = (folder: string, ending: RegExp): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    // The page of a sample has dependencies of its own, once it is built.
    .filter((name) => ending.test(name) && !/(?:^|[\\/])(?:node_modules|dist)[\\/]/.test(name))
    .map((name) => `${folder}/${name}`);

const samples = filesIn('samples', /\.(?:ts|md)$/);
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8');
const sources = filesIn('src', /\.ts$/);
const pages = [...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'], ...filesIn('docs', /\.md$/)];
const specs = filesIn('spec', /\.ts$/).filter(
  (path) => !path.includes('/architecture/language') && path !== 'spec/language.spec.ts',
);

const findings = (paths: readonly string[], find: (text: string) => readonly string[]): readonly string[] =>
  paths.flatMap((path) => find(textOf(path)).map((found) => `${path}: ${found.trim()}`));

/** The titles of a spec, and its comments. */
const proseOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => /^\s*(?:\/\/|\/?\*)|\b(?:test|it|describe)(?:\.each)?[(`]/.test(line))
    .join('\n');

describe('one plain language', () => {
  test('names in src are those of the field', () => {
    expect(findings(sources, (text) => dialectNames(withoutStrings(text)))).toEqual([]);
  });

  test('comments and messages of src are written in plain language', () => {
    expect(findings(sources, dialectLines)).toEqual([]);
  });

  test('the documentation is written in plain language', () => {
    expect(findings(pages, (text) => dialectLines(withoutFences(text)))).toEqual([]);
  });

  test('comments and pages of samples; the texts of their prompts are those of a shop', () => {
    const prose = (text: string) => (text.startsWith('#') ? withoutFences(text) : proseOf(text));
    expect(findings(samples, (text) => dialectLines(prose(text)))).toEqual([]);
  });

  test('titles and comments of specs are written in plain language', () => {
    expect(findings(specs, (text) => dialectLines(proseOf(text)))).toEqual([]);
  });

  test.each([
    ['class RunTeller {}', 'RunTeller: emitter'],
    ['class Cadence {}', 'Cadence: schedule'],
    ['const { teller } = run;', 'teller: emitter'],
    ['lookOn(services)', 'lookOn: read-only context'],
    ['import { ToolDoor } from "x";', 'ToolDoor: handler'],
    ['const words = read();', 'words: texts'],
    ['async function within(limits) {}', 'within: raceLimits, withinRun'],
    ['#tellStep;', 'tellStep: emit, describe'],
  ])('a dialect name is found: %s', (text, found) => {
    expect(dialectNames(text)).toEqual([found]);
  });

  test.each(['/** Somebody waits. */', '// whoever asks', '* Null for a name that is none', 'it stands in the table'])(
    'a dialect phrase is found: %s',
    (line) => {
      expect(dialectLines(line)).toHaveLength(1);
    },
  );

  test.each([
    'class Doorway {}',
    'isWithin(path, keywords)',
    'create(run, within?: WithinChange)',
    '/** Something to wait for, one or none. */',
  ])('plain text is left alone: %s', (text) => {
    expect([...dialectNames(text), ...dialectLines(text)]).toEqual([]);
  });
});

/** A page without its code, and without the texts that it quotes. */
function withoutFences(text: string): string {
  return text.replace(/^```[^]*?^```|`[^`\n]*`|^>.*$/gm, '');
}

function withoutStrings(text: string): string {
  return text.replace(/`[^`]*`|'(?:[^'\\\n]|\\.)*'|\/\*[^]*?\*\/|\/\/.*$/gm, '');
}
