import fc from 'fast-check';
import { setImmediate as pause } from 'node:timers/promises';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ToolContext,
  type ToolOutcome,
  ToolRefusal,
  ToolResult,
} from 'toolwright';
import type { SlicePort } from 'toolwright/conversations';
import { noted, type Answer, type Call, type Ends, type Key, type Step } from './serialisabilityModel';

// The steps of the model, done by handlers of an application.

export class A {
  constructor(readonly value: number) {}
}
export class B {
  constructor(readonly value: number) {}
}
const types: Readonly<Record<Key, new (value: number) => A | B>> = { A, B };

const keys = fc.constantFrom<Key>('A', 'B');
const plain: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('append', 'copy', 'replace'), to: keys, value: fc.nat(9) }),
  fc.record({ do: fc.constantFrom('clear', 'clearIfOdd'), to: keys }),
  fc.record({ do: fc.constant('read' as const), to: keys }),
  { arbitrary: fc.constant<Step>({ do: 'pause' }), weight: 2 },
);
const ends = fc.constantFrom<Ends>('returns', 'returns', 'returns', 'throws', 'refuses', 'returnsFailure');
const callOf = (steps: fc.Arbitrary<Step>, ...tools: readonly Call['tool'][]): fc.Arbitrary<Call> =>
  fc.record({
    id: fc.constant(''),
    tool: fc.constantFrom(...tools),
    steps: fc.array(steps, { maxLength: 6, size: 'max' }),
    ends,
  });
const nesting = (call: fc.Arbitrary<Call>): fc.Arbitrary<Step> =>
  fc.oneof(
    { arbitrary: plain, weight: 5 },
    { arbitrary: fc.record({ do: fc.constant('call' as const), call }), weight: 1 },
  );
const inner = callOf(plain, 'work', 'work', 'work', 'work', 'slow');
const middle = callOf(nesting(inner), 'work', 'work', 'work', 'work', 'slow');
const outer = callOf(nesting(middle), ...(['work', 'work', 'work', 'retry', 'retry', 'look', 'look', 'slow'] as const));

/** Calls with ids of their own; those that only look have no other steps. */
export const calls = (maxLength: number, prefix: string): fc.Arbitrary<readonly Call[]> =>
  fc.array(outer, { minLength: 1, maxLength }).map((drawn) => numbered(drawn, prefix));

function numbered(drawn: readonly Call[], prefix: string): readonly Call[] {
  return drawn.map((call, index) => {
    const id = `${prefix}${String(index)}`;
    const kept =
      call.tool === 'look' ? call.steps.filter((step) => step.do === 'read' || step.do === 'pause') : call.steps;
    const steps = kept.map((step, at): Step => {
      if (step.do !== 'call') return step;
      return { do: 'call', call: numbered([step.call], `${id}.${String(at)}.`)[0] ?? step.call };
    });
    return { ...call, id, steps };
  });
}

/** The tools of the model; what a call does is looked up by its id. */
export async function desk(programs: ReadonlyMap<string, Call>) {
  const tools = (['work', 'retry', 'look', 'slow'] as const).map((name) =>
    defineTool({
      name,
      description: 'Works.',
      hints: { readOnly: name === 'look', idempotent: name === 'retry' },
      ...(name === 'slow' ? { timeoutMs: 1 } : {}),
      handler: async (_params: unknown, context: ToolContext) => {
        const call = programs.get(context.call.id);
        if (call === undefined) throw new TypeError(`no program for ${context.call.id}`);
        const read: unknown[] = [];
        for (const step of call.steps) await doStep(step, context, read);
        if (name === 'slow') await new Promise(() => undefined);
        return ended(call, JSON.stringify(read));
      },
    }),
  );
  const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const app = await createApplication({ prompts: [Desk], logger: { debug() {}, info() {}, warn() {}, error() {} } });
  return { app, rendered: await app.prompt(Desk).render() };
}

async function doStep(step: Step, context: ToolContext, read: unknown[]): Promise<void> {
  if (step.do === 'pause') {
    await pause();
    return;
  }
  if (step.do === 'call') {
    const { id, tool: name } = step.call;
    read.push(noted(answerOf(await context.callTool({ id, name, arguments: {} }))));
    return;
  }
  const type = types[step.to];
  const slice: SlicePort<A | B> = context.session.slice(type);
  const values = (): readonly number[] => slice.all().map(({ value }) => value);
  const other = (): number => context.session.slice(types[step.to === 'A' ? 'B' : 'A']).latest()?.value ?? 0;
  if (step.do === 'read') read.push(values());
  else if (step.do === 'append') slice.append(new type(step.value));
  else if (step.do === 'copy') slice.append(new type(other() + step.value));
  else if (step.do === 'replace') slice.seed(new type(values().reduce((sum, value) => sum + value, step.value)));
  else if (step.do === 'clear' || values().length % 2 === 1) slice.clear();
}

function ended({ ends: how }: Call, told: string): unknown {
  if (how === 'throws') throw new RangeError(told);
  if (how === 'refuses') throw new ToolRefusal(told);
  return how === 'returns' ? told : ToolResult.error(told);
}

/** An outcome in the terms of the model. */
export function answerOf({ kind, result }: ToolOutcome): Answer {
  if (kind === 'succeeded') return { kind, told: String(result.value) };
  // The message of an error follows the name of the tool and of the error.
  return { kind, told: kind === 'failed' ? (/\[.*\]/s.exec(result.message)?.[0] ?? '') : '' };
}
