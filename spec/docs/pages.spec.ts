import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { remedies } from '../../src/error/remedies';

const root = join(__dirname, '../..');
const pages = [
  ...['README.md', 'llms.txt'],
  ...[
    'benchmarks',
    'contract',
    'events',
    'failures',
    'limitations',
    'mcp-bridge',
    'mcp-server',
    'nestjs',
    'nestjs-reference',
    'own-loop',
    'programs',
    'prompts',
    'security',
    'streaming',
    'tool-chaining',
  ].map((name) => `docs/${name}.md`),
  'docs/tutorial-summaries.md',
  ...['docs/containers.md', 'docs/tracing.md'],
];
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The page without its code blocks, in which a `#` is no heading. */
const proseOf = (page: string): string => read(page).replace(/```[\s\S]*?```/g, '');

/** The text under a heading of the second level; undefined without such a heading. */
function sectionOf(page: string, heading: string): string | undefined {
  const sections = proseOf(page).split(/^## /m).slice(1);
  return sections.find((section) => section.split('\n', 1)[0] === heading);
}

/** The first cells of the rows of its tables, without head and backquotes. */
function fieldsOf(section: string | undefined): readonly string[] {
  return [...(section ?? '').matchAll(/^\| `(?<field>\w+)` \|/gm)].map(({ groups }) => groups?.['field'] ?? '');
}

interface Exports {
  /** Fields by the name of the event, those of `EventHead` left out. */
  readonly events: ReadonlyMap<string, readonly string[]>;
  readonly head: readonly string[];
  readonly outcomeKinds: readonly string[];
}

/** The sources alone: what is asked of them is said there, so neither packages nor all libraries of the language are read. */
function sourceProgram(entries: readonly string[]): ts.Program {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es5.d.ts'],
    types: [],
    strict: true,
  };
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (names, from) =>
    names.map(({ text }) => {
      const resolvedFileName = join(dirname(from), text.replace(/\.js$/, '.ts'));
      return { resolvedModule: text.startsWith('.') ? { resolvedFileName, extension: ts.Extension.Ts } : undefined };
    });
  return ts.createProgram(entries, options, host);
}

/** The types of the root and of the events. */
function readExports(): Exports {
  const entries = ['src/index.ts', 'src/exports/events.ts'].map((path) => join(root, path));
  const program = sourceProgram(entries);
  const checker = program.getTypeChecker();
  const symbols = entries.flatMap((entry) => {
    const file = program.getSourceFile(entry);
    const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
    if (module === undefined) throw new Error(`${entry} exports nothing`);
    return checker.getExportsOfModule(module);
  });
  const types = new Map(
    symbols.map((symbol) => {
      const source = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return [symbol.name, { source, type: checker.getDeclaredTypeOfSymbol(source) }];
    }),
  );
  const propertiesOf = (name: string): readonly string[] =>
    types
      .get(name)
      ?.type.getProperties()
      .map((property) => property.name) ?? [];
  const head = propertiesOf('EventHead');
  // An event is a class with an interface of its fields.
  const events = [...types].flatMap(([name, { source }]) => {
    const isClass = (source.flags & ts.SymbolFlags.Class) !== 0;
    const fields = propertiesOf(`${name}Fields`).filter((field) => !head.includes(field));
    const isEvent = isClass && head.every((field) => propertiesOf(name).includes(field));
    return isEvent ? [[name, fields] as const] : [];
  });
  const kinds = types.get('OutcomeKind')?.type;
  const outcomeKinds = kinds?.isUnion() === true ? kinds.types.filter((kind) => kind.isStringLiteral()) : [];
  return { events: new Map(events), head, outcomeKinds: outcomeKinds.map(({ value }) => value) };
}

const exported = readExports();

describe('docs/events.md', () => {
  it('docs/events.md knows the events of this version', () => {
    // Guards the reading above: an empty list would let every test below pass.
    expect([...exported.events.keys()].sort()).toEqual([
      'FeedbackGiven',
      'ModelSwitched',
      'PrefixMeasured',
      'PromptDrifted',
      'PromptExecuted',
      'PromptRendered',
      'PromptStopped',
      'SectionsRequested',
      'ToolInvoked',
      'ToolProgressed',
      'ToolsRendered',
    ]);
    expect(exported.head).toContain('sessionId');
  });

  it.each([...exported.events])('docs/events.md names the fields of %s, and no others', (name, fields) => {
    expect(fields.length).toBeGreaterThan(0);
    expect(fieldsOf(sectionOf('docs/events.md', name))).toEqual(fields);
  });

  it('docs/events.md names the fields that every event has', () => {
    expect(fieldsOf(sectionOf('docs/events.md', 'In every event'))).toEqual(exported.head);
  });

  it('docs/events.md has no section for a class that is not an event', () => {
    const headings = [...proseOf('docs/events.md').matchAll(/^## (?<name>[A-Z]\w+[A-Z]\w+)$/gm)];
    expect(headings.map(({ groups }) => groups?.['name']).sort()).toEqual([...exported.events.keys()].sort());
  });

  it('docs/events.md says of every field that holds texts whether it is redacted', () => {
    const table = sectionOf('docs/events.md', 'What is redacted') ?? '';
    for (const name of exported.events.keys()) expect(table).toContain(`\`${name}\``);
  });
});

describe('docs/failures.md', () => {
  it('docs/failures.md names every kind of outcome', () => {
    expect(exported.outcomeKinds.length).toBeGreaterThan(1);
    for (const kind of exported.outcomeKinds) expect(proseOf('docs/failures.md')).toContain(`\`${kind}\``);
  });

  it.each(Object.keys(remedies).filter((code) => /^E6[0-4]/.test(code)))(
    'docs/failures.md names %s and leads to it',
    (code) => {
      expect(proseOf('docs/failures.md')).toContain(`[${code}](errors.md#${code.toLowerCase()})`);
    },
  );
});

describe.each(pages)('%s', (page) => {
  it('the page leads only to files and headings that exist', () => {
    const links = [...proseOf(page).matchAll(/\]\((?!https?:)(?<file>[^)#]*)(?:#(?<heading>[^)]+))?\)/g)];
    expect(links.length).toBeGreaterThan(0);
    for (const { groups, 0: link } of links) {
      const file = groups?.['file'] === '' ? page : join(dirname(page), groups?.['file'] ?? '');
      const heading = groups?.['heading'];
      const exists = existsSync(join(root, file)) && (heading === undefined || anchorsOf(file).includes(heading));
      expect({ link, exists }).toEqual({ link, exists: true });
    }
  });
});

/** The anchors that headings get. */
function anchorsOf(file: string): readonly string[] {
  return [...proseOf(file).matchAll(/^#+ (?<text>.+)$/gm)].map(({ groups }) =>
    (groups?.['text'] ?? '')
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
}
