import * as fc from 'fast-check';
import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ToolContext,
  type ToolOutcome,
} from 'toolwright';
import { expectEqual } from '../support/expectEqual';
import { pass, Shelf } from './Shelf';

jest.setTimeout(120_000);

class OtherShelf extends Shelf {}
const classes = [Shelf, OtherShelf] as const;

/** The steps of a handler, in order. */
interface Script {
  readonly steps: readonly Step[];
  readonly end: 'succeeds' | 'throws' | 'gives failure' | 'abandons a call';
}
type Step =
  | { readonly do: 'put' | 'put and go on'; readonly shelf: number; readonly passes: number }
  | { readonly do: 'read'; readonly shelf: number }
  | { readonly do: 'call'; readonly script: Script };

const end = fc.constantFrom<Script['end']>('succeeds', 'succeeds', 'throws', 'gives failure', 'abandons a call');

/** Scripts that use so many of the shelves. */
function scripts(shelves: number): fc.Arbitrary<Script> {
  const shelf = fc.nat(shelves - 1);
  const puts = fc.constantFrom('put' as const, 'put and go on' as const);
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: puts, shelf, passes: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('read' as const), shelf }) },
  );
  const over = (inner: fc.Arbitrary<Script>): fc.Arbitrary<Script> =>
    fc.record({
      steps: fc.array(
        fc.oneof(
          step,
          inner.map((script): Step => ({ do: 'call', script })),
        ),
        { maxLength: 4 },
      ),
      end,
    });
  return over(over(fc.record({ steps: fc.array(step, { maxLength: 3 }), end })));
}

/** The outcome of each call, by the name in its arguments. */
type Kinds = Map<string, ToolOutcome['kind']>;

/** The rows of one shelf that a call leaves, when it is the only one. */
function staying(name: string, { steps }: Script, shelf: number, kinds: Kinds): readonly string[] {
  if (kinds.get(name) !== 'succeeded') return [];
  return steps.flatMap((each, index) => {
    if (each.do === 'call') return staying(`${name}.${index}`, each.script, shelf, kinds);
    return each.do === 'read' || each.shelf !== shelf ? [] : [`${name}.${index}`];
  });
}

async function act(name: string, { steps, end: ending }: Script, context: ToolContext, kinds: Kinds): Promise<void> {
  const call = async (inner: string, its: Script): Promise<void> => {
    const { kind } = await context.callTool({ id: inner, name: 'act', arguments: argumentsOf(inner, its) });
    kinds.set(inner, kind);
  };
  for (const [index, each] of steps.entries()) {
    const row = `${name}.${index}`;
    if (each.do === 'call') {
      await call(row, each.script);
      continue;
    }
    const shelf = context.resources.get(classes[each.shelf]!);
    if (each.do === 'read') await shelf.list();
    else {
      const putting = shelf.put(row, each.passes);
      if (each.do === 'put') await putting;
    }
  }
  if (ending === 'throws') throw new Error('no');
  if (ending === 'gives failure') throw new TypeError('no');
  const abandoned: Script = { steps: [{ do: 'put', shelf: 0, passes: 1 }], end: 'succeeds' };
  if (ending === 'abandons a call') call(`${name}.x`, abandoned).catch(() => undefined);
}

const argumentsOf = (name: string, script: Script) => ({ name, script: JSON.stringify(script) });

/** Runs the scripts at once, on new shelves. */
async function run(all: readonly Script[]) {
  const kinds: Kinds = new Map();
  const tool = defineTool({
    name: 'act',
    description: 'Acts.',
    params: anyParams as never,
    handler: ({ name, script }: ReturnType<typeof argumentsOf>, context: ToolContext) =>
      act(name, JSON.parse(script) as Script, context, kinds),
  });
  const prompt = definePrompt({
    ns: 'n',
    key: 'k',
    sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
  });
  const shelves = [new Shelf([]), new OtherShelf([])] as const;
  const app = await createApplication({
    prompts: [prompt],
    resources: [bind(Shelf, { value: shelves[0] }), bind(OtherShelf, { value: shelves[1] })],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const rendered = await app.prompt(prompt).render();
  await Promise.all(
    all.map(async (script, index) => {
      await pass(index % 2);
      const name = `r${index}`;
      kinds.set(name, (await app.invoke(rendered, 'act', argumentsOf(name, script))).kind);
    }),
  );
  await app.close();
  return { kinds, rows: shelves.map((shelf) => Shelf.rowsOf(shelf)) };
}

const anyParams = {
  '~standard': {
    version: 1,
    vendor: 'spec',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) },
  },
};

/** On each shelf, exactly the rows of successful calls, and those of each call together. */
function expectSerial(all: readonly Script[], { kinds, rows }: Awaited<ReturnType<typeof run>>): void {
  for (const [shelf, found] of rows.entries()) {
    const blocks = all.map((script, index) => [...staying(`r${index}`, script, shelf, kinds)].sort());
    expectEqual([...found].sort(), blocks.flat().sort());
    for (const block of blocks) {
      const first = Math.max(
        0,
        found.findIndex((row) => block.includes(row)),
      );
      expectEqual(found.slice(first, first + block.length).sort(), block);
    }
  }
}

describe('whatever calls do at once, nested, failing, or still writing when they end', () => {
  test('HAND-24 a resource is as after the successful ones, one by one; who needs no other one only waits', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(scripts(1), { minLength: 1, maxLength: 3 }), async (all) => {
        const result = await run(all);
        expect([...result.kinds.values()].filter((kind) => kind !== 'succeeded' && kind !== 'failed')).toEqual([]);
        expectSerial(all, result);
      }),
      { numRuns: 400, timeout: 30_000 },
    );
  });

  test('HAND-24 several resources are serialised, too: no call waits for ever, and a conflicting one leaves nothing', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(scripts(2), { minLength: 2, maxLength: 4 }), async (all) => {
        expectSerial(all, await run(all));
      }),
      { numRuns: 400, timeout: 30_000 },
    );
  });
});
