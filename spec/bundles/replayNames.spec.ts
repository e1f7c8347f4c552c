import fc from 'fast-check';
import ts from 'typescript';
import { readBundle, replayTest, type Bundle } from 'toolwright/bundles';
import { bundleOf, everyEntry } from './everyEntry';

let bundle: Bundle;
beforeAll(async () => {
  bundle = await readBundle(bundleOf(everyEntry));
});

/** The faults of a test's text: its syntax, and names that are declared twice. */
function faultsOf(source: string, format: 'module' | 'commonjs'): readonly string[] {
  const { diagnostics = [] } = ts.transpileModule(source, {
    reportDiagnostics: true,
    compilerOptions: {
      module: format === 'module' ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
    },
  });
  const declared = [...source.matchAll(/^(?:import|const) \{ (.*) \} (?:from|=)/gm)].flatMap(([, names = '']) =>
    names.split(', ').map((name) => name.split(/ as |: /).at(-1)),
  );
  const twice = declared.filter((name, index) => declared.indexOf(name) !== index);
  return [
    ...diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
    ...twice.map((name) => `${String(name)} is declared twice`),
  ];
}

/** The address or path of the bundle's file, as the test would find it. */
function literalIn(source: string, before: RegExp): string {
  const [, literal = ''] = new RegExp(`${before.source}('(?:[^'\\\\]|\\\\.)*')`).exec(source) ?? [];
  const body = literal.slice(1, -1).replaceAll('"', '\\"').replaceAll("\\'", "'");
  return JSON.parse(`"${body}"`) as string;
}

const RUNNERS = ['node', 'jest', 'vitest'] as const;
const FORMATS = ['module', 'commonjs'] as const;

test.each([
  ...['class', 'default', 'await', 'yield', 'let', 'enum', 'interface', 'eval', 'arguments', 'test', 'assert', 'app'],
  ...['Session', 'createApp', 'replay', 'file', 'session', 'response', 'require', '__dirname', 'URL', 'Desk', 'Ärger'],
])('a prompt class that is exported as %s makes a test that compiles', (promptClass) => {
  for (const format of FORMATS) {
    const source = replayTest(bundle, { promptClass, format });
    expect(faultsOf(source, format)).toEqual([]);
    const isTaken = !['Desk', 'Ärger'].includes(promptClass);
    const local = isTaken ? 'AgentPrompt' : promptClass;
    expect(source).toContain(`app.evaluate(app.prompt(${local}), `);
    const renamed = format === 'module' ? `${promptClass} as ${local}` : `${promptClass}: ${local}`;
    expect(source).toContain(`{ createApp, ${isTaken ? renamed : promptClass} }`);
  }
});

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom(...'#?%\\:\'"`${}<>/.ab\n\r\t\0\u2028'.split(''), '*/', '//', '%23', '🚀', '\ud800'), {
      minLength: 1,
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
);

test('with any text in names, paths and ids, the test compiles and finds its files', () => {
  fc.assert(
    fc.property(
      fc.record({
        run: hostile,
        prompt: hostile,
        slice: hostile,
        path: hostile,
        promptClass: hostile,
        runner: fc.constantFrom(...RUNNERS),
        format: fc.constantFrom(...FORMATS),
      }),
      ({ run, prompt, slice, path, promptClass, runner, format }) => {
        const entries = everyEntry.map((entry) => {
          if (entry.kind === 'state') return { ...entry, appended: { [slice]: [{}] } };
          if (entry.kind === 'run') return { ...entry, run, prompt };
          return 'run' in entry ? { ...entry, run } : entry;
        });
        const file = `./${path}`;
        const options = { run, file, promptClass, runner, format };
        const source = replayTest({ ...bundle, entries }, options);
        const isModule = format === 'module' || runner === 'vitest';
        expect(faultsOf(source, isModule ? 'module' : 'commonjs')).toEqual([]);
        expect(source.split('\n').filter((line) => line.startsWith('test('))).toHaveLength(1);
        if (isModule) {
          const address = new URL(literalIn(source, /new URL\(/), 'file:///tests/run.test.js');
          expect([address.protocol, address.hash, address.search]).toEqual(['file:', '', '']);
          const isPlain = !path.includes('/') && !/\p{Surrogate}/u.test(path) && !/^\.{1,2}$/.test(path);
          if (isPlain) expect(decodeURIComponent(address.pathname)).toBe(`/tests/${path}`);
        } else expect(literalIn(source, /join\(__dirname, /)).toBe(file);
      },
    ),
    { numRuns: 300 },
  );
}, 120_000);

test('a module with signs of URLs in its path is imported as Node takes it, or refused with E754', () => {
  const app = './a#b?c%d\\e.js';
  expect(replayTest(bundle, { app })).toContain("from './a%23b%3Fc%25d%5Ce.js';");
  expect(replayTest(bundle, { app, format: 'commonjs' })).toContain("require('./a#b?c%d\\\\e.js');");
  for (const runner of ['jest', 'vitest'] as const)
    expect(() => replayTest(bundle, { app, runner })).toThrow(expect.objectContaining({ code: 'E754' }) as Error);
  expect(replayTest(bundle, { app: './a#b.js', runner: 'jest' })).toContain("from './a#b.js';");
});
