import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import packages from '../../scripts/packages.cjs';

const root = join(__dirname, '../..');
const page = readFileSync(join(root, 'docs/contract.md'), 'utf8');
const prose = page.replace(/```[\s\S]*?```/g, '');

/** The numbers of its sections and rules: `7`, `7.4`. */
const numbers: readonly string[] = [
  ...matches(prose, /^## (?<it>\d+)\. /gm),
  ...matches(prose, /^- \*\*(?<it>\d+\.\d+)\*\* /gm),
];

/** The ids in the catalogue of faults, and in the table of attacks. */
const catalogue = matches(
  readFileSync(join(root, 'spec/faults.md'), 'utf8') + prose,
  /^\| (?<it>[A-Z]+-\d{2}[a-z]?) \|/gm,
);

/** Matches ids of faults; UTF-16 is not one. */
const FAULT = /\b(?!UTF-)(?<it>[A-Z]{2,5}-\d{2}[a-z]?)\b/g;

/** A citation such as `docs/contract.md, 7.4 and 10`. */
const CITATION = /docs\/contract\.md, (?<it>\d+(?:\.\d+)?(?:(?:-|\s+(?:[*]\s+)?and\s+(?:[*]\s+)?)\d+(?:\.\d+)?)*)/g;

/** References that a file must not contain: documents that its readers do not have. */
const elsewhere = /runtime contract|code mode contract|product, promise|\(architecture, decision/i;

function matches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(({ groups }) => groups?.['it'] ?? '');
}

/** The numbers that a citation names; `3-4` names both its ends. */
function numbersIn(citation: string): readonly string[] {
  return citation.match(/\d+(?:\.\d+)?/g) ?? [];
}

/** The text files below these folders, or these files themselves, with what they hold. */
function filesOf(...places: readonly string[]): ReadonlyMap<string, string> {
  const files = places.flatMap(namesBelow).filter((file) => /\.(?:md|txt|[cm]?[jt]s)$/.test(file));
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** The folders of this name of the core and of every package. */
function everywhere(name: string): readonly string[] {
  return packages.map(({ folder }) => join(folder, name)).filter((folder) => existsSync(join(root, folder)));
}

function namesBelow(place: string): readonly string[] {
  if (!statSync(join(root, place)).isDirectory()) return [place];
  return readdirSync(join(root, place))
    .filter((name) => name !== 'node_modules')
    .flatMap((name) => namesBelow(`${place}/${name}`));
}

const shipped = filesOf(
  ...[...everywhere('src'), ...everywhere('README.md'), 'docs', 'samples'],
  ...['llms.txt', 'ARCHITECTURE.md', 'CHANGELOG.md'],
);

describe('docs/contract.md', () => {
  it('docs/contract.md numbers its sections and rules one by one', () => {
    const sections = numbers.filter((number) => !number.includes('.'));
    expect(sections.length).toBeGreaterThan(20);
    const rules = sections.flatMap((section) => {
      const own = numbers.filter((number) => number.startsWith(`${section}.`));
      return own.map((_rule, index) => `${section}.${String(index + 1)}`);
    });
    const counted = sections.map((_section, index) => String(index + 1));
    expect(numbers).toEqual([...counted, ...rules]);
  });

  it('each number of a rule leads to the section that holds it', () => {
    const links = [...prose.matchAll(/\[(?<rule>\d+\.\d+)\]\(#(?<section>\d+)-/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const { groups, 0: link } of links) {
      expect({ link, exists: numbers.includes(groups?.['rule'] ?? '') }).toEqual({ link, exists: true });
      expect(groups?.['rule']?.split('.')[0]).toBe(groups?.['section']);
    }
  });

  it('docs/contract.md has every section and rule that is cited', () => {
    const cited = [...filesOf(...everywhere('src'), ...everywhere('spec'), 'docs', 'samples', 'bench')].flatMap(
      ([file, text]) =>
        matches(text, CITATION)
          .flatMap(numbersIn)
          .map((number) => ({ file, number })),
    );
    // Guards the pattern above: one that finds nothing would let everything pass.
    expect(cited.filter(({ file }) => file.startsWith('src/')).length).toBeGreaterThan(100);
    expect(cited.filter(({ number }) => !numbers.includes(number))).toEqual([]);
  });

  it('the sources cite docs/contract.md by numbers, and not otherwise', () => {
    const loose = [...filesOf(...everywhere('src'))].filter(([, text]) => /docs\/contract\.md(?!, \d)/.test(text));
    expect(loose.map(([file]) => file)).toEqual([]);
  });

  it('no shipped file refers to documents outside of the repository', () => {
    expect(shipped.size).toBeGreaterThan(300);
    expect([...shipped].filter(([, text]) => elsewhere.test(text)).map(([file]) => file)).toEqual([]);
  });
});

describe('the catalogue of faults', () => {
  it('the catalogue of faults names each fault once', () => {
    expect(catalogue.length).toBeGreaterThan(100);
    expect(new Set(catalogue).size).toBe(catalogue.length);
  });

  it('the catalogue of faults lists every fault that a test or a source names', () => {
    const named = new Set(
      [...filesOf(...everywhere('src'), ...everywhere('spec')).values()].flatMap((text) => matches(text, FAULT)),
    );
    expect([...named].filter((id) => !catalogue.includes(id))).toEqual([]);
  });

  it('the catalogue of faults lists no fault that no test names', () => {
    // Contract suites are tests as well.
    const tests = [...filesOf(...everywhere('spec'), 'src/testing', 'packages/contracts/src')];
    const named = new Set(tests.flatMap(([file, text]) => (file === 'spec/faults.md' ? [] : matches(text, FAULT))));
    expect(catalogue.filter((id) => !named.has(id))).toEqual([]);
  });
});
