import fc from 'fast-check';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  ToolResult,
  type ToolCall,
  type ToolContext,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import {
  allow,
  deny,
  PolicyRecord,
  RateLimitPolicy,
  SequentialDependencyPolicy,
  type ToolPolicy,
} from 'toolwright/policies';
import { Note } from './desk';

// Random turns of random calls, with calls within calls, under policies that judge, deny, remember and fail, compared with a
// model of a few lines that runs them one after the other.

const LIMIT = 2;
/** `first` is what `second` needs; `rare` and `rare_look` are limited; the two last ones only read. */
const TOOLS = ['first', 'second', 'rare', 'look', 'rare_look'] as const;
type ToolName = (typeof TOOLS)[number];
const onlyReads = (tool: ToolName): boolean => tool.endsWith('look');

/** A call as it is planned, and as its handler gets it. */
class Planned {
  @Param({ description: 'Tool', enum: TOOLS }) tool!: ToolName;
  @Param('Id') id!: number;
  @Param({
    description: 'How it ends when it may run; unnoted: a policy fails to take note',
    enum: ['well', 'badly', 'denied', 'unnoted'],
  })
  ends!: 'well' | 'badly' | 'denied' | 'unnoted';
  @Param({ description: 'Calls within', type: () => [Planned] }) within!: readonly Planned[];
}

interface State {
  readonly notes: readonly number[];
  readonly done: readonly string[];
}

/** The outcome of a call, and the state afterwards. */
function expectedOf({ tool, id, ends, within }: Planned, before: State, readOnly = false): readonly [string, State] {
  const count = (name: string): number => before.done.filter((done) => done === name).length;
  if (ends === 'denied') return ['denied', before];
  if (tool === 'second' && count('first') === 0) return ['denied', before];
  if (tool.startsWith('rare') && count('rare') + count('rare_look') >= LIMIT) return ['denied', before];
  const reads = readOnly || onlyReads(tool);
  if (readOnly && !onlyReads(tool)) return ['failed', before];
  let state: State = reads ? before : { ...before, notes: [...before.notes, id] };
  for (const call of within) [, state] = expectedOf(call, state, reads);
  return ends === 'well' ? ['succeeded', { ...state, done: [...state.done, tool] }] : ['failed', before];
}

const callOf = (planned: Planned): ToolCall => ({
  id: String(planned.id),
  name: planned.tool,
  arguments: JSON.stringify(planned),
});

const policies: readonly ToolPolicy[] = [
  new SequentialDependencyPolicy({ second: ['first'] }),
  new RateLimitPolicy({ maxCalls: LIMIT, perSeconds: 1e9, tools: ['rare', 'rare_look'] }),
  { name: 'asked to deny', check: ({ params }) => ((params as Planned).ends === 'denied' ? deny('as asked') : allow) },
  {
    name: 'every call',
    appliesTo: () => false,
    check: () => allow,
    onResult: async ({ tool, params }, _result, { session }) => {
      await Promise.resolve();
      session.dispatch(new PolicyRecord('every call', tool.name, null, 0));
      if ((params as Planned).ends === 'unnoted') throw new TypeError('cannot write');
    },
  },
];

async function deskOf() {
  const tools = TOOLS.map((name) =>
    defineTool({
      name,
      description: 'Acts.',
      params: Planned,
      hints: { readOnly: onlyReads(name) },
      handler: async ({ id, ends, within }: Planned, context: ToolContext) => {
        if (!onlyReads(name)) context.session.dispatch(new Note(String(id)));
        for (const call of within) await context.callTool(callOf(call));
        return ends === 'badly' ? ToolResult.error('as asked') : ToolResult.ok();
      },
    }),
  );
  const section = defineSection({ key: 's', title: 'S', tools, policies });
  const prompt = definePrompt({ ns: 'spec', key: 'model', sections: [section] });
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [prompt], logger: quiet });
  return { app, rendered: await app.prompt(prompt).render() };
}

let id = 0;
const ends = fc.constantFrom<Planned['ends'][]>('well', 'well', 'well', 'badly', 'denied', 'unnoted');
const planned = (tools: readonly ToolName[], depth: number): fc.Arbitrary<Planned> =>
  fc.constantFrom(...tools).chain((tool) =>
    fc.record({
      tool: fc.constant(tool),
      id: fc.constant(0).map(() => ++id),
      ends,
      // Read-only calls of a turn run together: limited ones within them could end in any order.
      within:
        depth === 0
          ? fc.constant([])
          : fc.array(planned(onlyReads(tool) ? ['look', 'first'] : TOOLS, depth - 1), { maxLength: 2 }),
    }),
  );

describe('policies, against a plain model', () => {
  test('random turns have the same outcomes, effects and records', async () => {
    const { app, rendered } = await deskOf();
    const kindsSeen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(planned(TOOLS, 2), { maxLength: 5 }), { maxLength: 4 }), async (turns) => {
        const session = new Session();
        let state: State = { notes: [], done: [] };
        for (const turn of turns) {
          const expected = turn.map((call) => {
            const [kind, after] = expectedOf(call, state);
            state = after;
            return kind;
          });
          const outcomes = await app.callTools(rendered, turn.map(callOf), { session });
          for (const { kind } of outcomes) kindsSeen.add(kind);
          const records = session.slice(PolicyRecord).where(({ policy }) => policy === 'every call');
          expect({
            kinds: outcomes.map(({ kind }) => kind),
            notes: session
              .slice(Note)
              .all()
              .map(({ text }) => Number(text)),
            done: records.map(({ tool }) => tool).sort(),
          }).toEqual({ kinds: expected, notes: state.notes, done: [...state.done].sort() });
        }
      }),
      { numRuns: 300 },
    );
    expect([...kindsSeen].sort()).toEqual(['denied', 'failed', 'succeeded']);
  });

  test('every call that was looked up publishes one event, whatever its outcome', async () => {
    const { app, rendered } = await deskOf();
    await fc.assert(
      fc.asyncProperty(fc.array(planned(TOOLS, 0), { maxLength: 6 }), async (turn) => {
        const events: ToolInvoked[] = [];
        const outcomes = await app.callTools(rendered, turn.map(callOf), {
          session: new Session(),
          onEvent: (event) => {
            if (event instanceof ToolInvoked) events.push(event);
          },
        });
        const told = events.map(({ callId, kind }) => `${callId} ${kind}`).sort();
        expect(told).toEqual(outcomes.map(({ kind }, index) => `${String(turn[index]?.id)} ${kind}`).sort());
      }),
      { numRuns: 100 },
    );
  });
});
