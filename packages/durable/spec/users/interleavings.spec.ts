import * as fc from 'fast-check';
import { type Application, Session } from 'toolwright';
import { Conversation, forgetUser } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { type DurableStore, MemoryRuns } from '@toolwright/durable';
import { Agent, beforeAppend, call, factsOf, moments, Note, openApp, remember, slices, talk, timesOf } from './desk';

jest.setTimeout(120_000);

let app: Application;
beforeAll(async () => {
  app = await openApp();
});
afterEach(() => {
  moments.meanwhile = undefined;
});
afterAll(() => app.close());

/** A call of a user, or a request to forget the user, and the work that other conversations do at its most delicate moments. */
interface Step {
  readonly kind: 'remember' | 'count' | 'fail' | 'forget';
  /** Between the reading and the writing of its handler. */
  readonly meanwhile: readonly Step[];
  /** Between its commit and its append, which is then refused. */
  readonly beforeAppend: readonly Step[];
}

const kind = fc.constantFrom('remember' as const, 'count' as const, 'fail' as const, 'forget' as const);
const leaf: fc.Arbitrary<Step> = kind.map((one) => ({ kind: one, meanwhile: [], beforeAppend: [] }));
const stepOver = (inner: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.record({
    kind,
    meanwhile: fc.array(inner, { maxLength: 2 }),
    beforeAppend: fc.array(inner, { maxLength: 2 }),
  });
const steps = fc.array(stepOver(stepOver(leaf)), { minLength: 1, maxLength: 5 });

/** What the store has to remember: the model applies each step when it commits. */
interface Model {
  facts: string[];
  times: number;
  /** Facts by conversation: forgetting a user changes none. */
  readonly notes: Map<string, string[]>;
  next: number;
  /** The number of appends that another conversation came before. */
  refusals: number;
}

/** Carries out a step in a conversation that no step around it uses. */
async function act(store: DurableStore, step: Step, model: Model, depth: number): Promise<void> {
  if (step.kind === 'forget') {
    await forgetUser(store, 'ada');
    model.facts = [];
    model.times = 0;
    return;
  }
  const text = String(model.next++);
  const id = `c-${String(depth)}`;
  const outer = moments.meanwhile;
  const actAll = async (inner: readonly Step[]): Promise<void> => {
    moments.meanwhile = undefined;
    for (const one of inner) await act(store, one, model, depth + 1);
  };
  moments.meanwhile = () => actAll(step.meanwhile);
  const raced = beforeAppend(store, () => actAll(step.beforeAppend));
  const calls = { remember: remember(text), count: call('count'), fail: remember('fails') };
  const isRefused = await talk(raced, [calls[step.kind]], { app, id }).then(
    () => false,
    (error: unknown) => {
      expect(error).toMatchObject({ code: 'E755' });
      return true;
    },
  );
  if (isRefused) {
    model.refusals++;
    await resume(store, id);
  }
  moments.meanwhile = outer;
  if (step.kind === 'fail') return;
  if (step.kind === 'count') model.times++;
  else {
    model.facts.push(text);
    model.notes.set(id, [...(model.notes.get(id) ?? []), text]);
  }
}

async function resume(store: DurableStore, id: string): Promise<void> {
  const conversation = await Conversation.open(store, id);
  const adapter = new ScriptedModel([{ text: 'Done.' }]);
  const session = new Session({ slices });
  await app.evaluate(app.prompt(Agent), { adapter, conversation, session, runMetadata: { principal: 'ada' } });
}

test('conversations of one user that overtake each other, fail and are forgotten leave the memory of the model', async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(steps, async (given) => {
      const store = new MemoryRuns();
      const model: Model = { facts: [], times: 0, notes: new Map(), next: 0, refusals: 0 };
      for (const step of given) {
        await act(store, step, model, 0);
        expect(await factsOf(store)).toEqual(model.facts);
        expect(await timesOf(store)).toBe(model.times);
      }
      for (const [id, texts] of model.notes) {
        const session = new Session({ slices });
        const conversation = await Conversation.open(store, id);
        await conversation.openMemory(session, 'ada');
        expect(
          session
            .slice(Note)
            .all()
            .map(({ text }) => text),
        ).toEqual(texts);
      }
      refusals += model.refusals;
    }),
    { numRuns: 100 },
  );
  expect(refusals).toBeGreaterThan(0);
});
