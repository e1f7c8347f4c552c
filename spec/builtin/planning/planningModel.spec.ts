import fc from 'fast-check';
import { Session } from 'toolwright';
import { Plan } from 'toolwright/sections';
import { expectEqual } from '../../support/expectEqual.js';
import { brief, planner } from './planner.js';

// docs/contract.md, 11, in its plainest form, to be compared with what the tools do.

interface Steps {
  readonly objective: string;
  readonly steps: { title: string; status: string }[];
}

type Verdict = 'ok' | 'blank' | 'long' | 'no plan' | 'completed' | 'none given' | 'nothing given' | 'no such step';

type Command =
  | {
      readonly tool: 'setup_plan';
      readonly args: { readonly objective: string; readonly initial_steps?: readonly string[] };
    }
  | { readonly tool: 'add_step'; readonly args: { readonly steps: readonly string[] } }
  | {
      readonly tool: 'update_step';
      readonly args: { readonly step_id: number; readonly title?: string | null; readonly status?: string | null };
    }
  | { readonly tool: 'read_plan'; readonly args: Record<string, never> };

class Model {
  plan: Steps | undefined;

  run({ tool, args }: Command): Verdict {
    switch (tool) {
      case 'setup_plan': {
        const titles = [args.objective, ...(args.initial_steps ?? [])];
        const fault = faultOf(titles);
        if (fault !== undefined) return fault;
        this.plan = { objective: args.objective.trim(), steps: [] };
        return this.#add(args.initial_steps ?? []);
      }
      case 'add_step':
        if (this.plan === undefined) return 'no plan';
        if (this.#completed) return 'completed';
        return faultOf(args.steps) ?? (args.steps.length === 0 ? 'none given' : this.#add(args.steps));
      case 'update_step': {
        if (this.plan === undefined) return 'no plan';
        if (this.#completed) return 'completed';
        const title = args.title?.trim() ?? '';
        if (title.length > 500) return 'long';
        if (title === '' && (args.status ?? null) === null) return 'nothing given';
        const step = this.plan.steps[args.step_id - 1];
        if (step === undefined) return 'no such step';
        if (title !== '') step.title = title;
        if (typeof args.status === 'string') step.status = args.status;
        return 'ok';
      }
      case 'read_plan':
        return this.plan === undefined ? 'no plan' : 'ok';
    }
  }

  get brief(): string | undefined {
    if (this.plan === undefined) return undefined;
    const steps = this.plan.steps.map(({ title, status }, index) => `${String(index + 1)} ${status} ${title}`);
    return `${this.plan.objective} (${this.#completed ? 'completed' : 'active'}): ${steps.join(', ')}`;
  }

  get #completed(): boolean {
    const { steps = [] } = this.plan ?? {};
    return steps.length > 0 && steps.every(({ status }) => status === 'done');
  }

  #add(titles: readonly string[]): Verdict {
    for (const title of titles) this.plan?.steps.push({ title: title.trim(), status: 'pending' });
    return 'ok';
  }
}

/** The first text that is no title, and why. */
function faultOf(titles: readonly string[]): 'blank' | 'long' | undefined {
  for (const title of titles) {
    const length = title.trim().length;
    if (length === 0 || length > 500) return length === 0 ? 'blank' : 'long';
  }
  return undefined;
}

const said: Readonly<Record<Exclude<Verdict, 'ok'>, RegExp>> = {
  blank: /^[^\n]* is blank\./,
  long: /^[^\n]* has 501 characters\./,
  'no plan': /^There is no plan yet\./,
  completed: /^The plan is completed and cannot be changed/,
  'none given': /^No step was given\./,
  'nothing given': /^Nothing to change was given\./,
  'no such step': /^There is no step -?\d+\./,
};

const good = fc.constantFrom('a', 'b', ' c ', 'naïve ✓');
const bad = fc.constantFrom('', ' \n', 'x'.repeat(501), ` ${'y'.repeat(501)} `);
const text = fc.oneof({ weight: 12, arbitrary: good }, { weight: 2, arbitrary: bad });
const titles = fc.array(text, { maxLength: 2, size: 'max' });
const status = fc.constantFrom('done', 'done', 'pending', 'in_progress');

const setUp = fc.record({
  tool: fc.constant('setup_plan' as const),
  args: fc.record({ objective: text, initial_steps: titles }, { requiredKeys: ['objective'] }),
});
const add = fc.record({ tool: fc.constant('add_step' as const), args: fc.record({ steps: titles }) });
const update = fc.record({
  tool: fc.constant('update_step' as const),
  args: fc.record(
    {
      step_id: fc.constantFrom(1, 1, 2, 2, 3, 0),
      title: fc.option(text),
      status: fc.option(status, { freq: 5 }),
    },
    { requiredKeys: ['step_id'] },
  ),
});
const read = fc.constant({ tool: 'read_plan', args: {} } as const);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 1, arbitrary: setUp },
  { weight: 2, arbitrary: add },
  { weight: 12, arbitrary: update },
  { weight: 1, arbitrary: read },
);
/** Most of them begin with a plan: without one there is little to compare. */
const conversation: fc.Arbitrary<readonly Command[]> = fc
  .tuple(fc.option(setUp, { freq: 9 }), fc.array(command, { minLength: 6, maxLength: 14, size: 'max' }))
  .map(([first, others]) => (first === null ? others : [first, ...others]));

test('700 random conversations end as the contract says, call by call', async () => {
  const installed = await planner({ session: new Session({ slices: [Plan] }) });
  const bare = await planner();
  const met = new Map<Verdict, number>();
  await fc.assert(
    fc.asyncProperty(conversation, fc.boolean(), async (commands, isInstalled) => {
      const { call, plans, session } = isInstalled ? installed : bare;
      session.reset();
      const model = new Model();
      for (const each of commands) {
        const verdict = model.run(each);
        met.set(verdict, (met.get(verdict) ?? 0) + 1);
        const { kind, text: answer } = await call(each.tool, each.args);
        expectEqual(kind, verdict === 'ok' ? 'succeeded' : 'failed');
        if (verdict !== 'ok' && !said[verdict].test(answer)) expect(answer).toMatch(said[verdict]);
        expectEqual(plans().map(brief), model.brief === undefined ? [] : [model.brief]);
      }
    }),
    { numRuns: 700 },
  );
  // Guards the generator: a rule that was never met was never compared.
  for (const verdict of ['ok', ...Object.keys(said)] as Verdict[]) expect(met.get(verdict) ?? 0).toBeGreaterThan(20);
}, 120_000);
