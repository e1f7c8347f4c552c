import fc from 'fast-check';
import { bind, defineTool, Session } from 'toolwright';
import { type FeedbackTrigger, StaticFeedback } from 'toolwright/policies';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { FakeClock } from 'toolwright/testing';
import { deskOf } from './desk';

/** The events before one call, and the session of two that it is in. */
interface Step {
  readonly session: 0 | 1;
  readonly waitMs: number;
  readonly file: 'written' | 'deleted' | 'as it is';
  readonly fails: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    session: fc.constantFrom(0, 1),
    waitMs: fc.constantFrom(0, 400, 1_000, 2_500),
    file: fc.constantFrom('written', 'deleted', 'as it is', 'as it is'),
    fails: fc.boolean(),
  }),
  { maxLength: 25 },
);
const trigger = fc
  .record<FeedbackTrigger>(
    {
      everyCalls: fc.integer({ min: 1, max: 4 }),
      everySeconds: fc.constantFrom(0.5, 1, 3),
      fileCreated: fc.constant('AGENTS.md'),
    },
    { requiredKeys: [] },
  )
  .filter((given) => Object.keys(given).length > 0);

/** One call of a session, as it was found at its end. */
interface Seen {
  readonly time: number;
  readonly hasFile: boolean;
}

/** True if the last of the calls of one session is followed by feedback, derived from the whole history. */
function speaks({ everyCalls, everySeconds, fileCreated }: FeedbackTrigger, history: readonly Seen[]): boolean {
  let isDue = false;
  let since = history[0]?.time ?? 0;
  for (const [index, { time, hasFile }] of history.entries()) {
    const first = history.findIndex((call) => call.hasFile);
    isDue =
      (everyCalls !== undefined && (index + 1) % everyCalls === 0) ||
      (everySeconds !== undefined && time - since >= everySeconds * 1_000) ||
      (fileCreated !== undefined && hasFile && first === index);
    if (isDue) since = time;
  }
  return isDue;
}

test('whatever happens in two sessions, each of two providers speaks when its triggers say so', async () => {
  await fc.assert(
    fc.asyncProperty(trigger, trigger, steps, async (one, other, script) => {
      const clock = new FakeClock();
      const files = new InMemoryFilesystem();
      let fails = false;
      const act = defineTool({
        name: 'act',
        description: 'Acts.',
        feedback: [new StaticFeedback('one', one), new StaticFeedback('other', other)],
        handler() {
          if (fails) throw new Error('no');
          return 'ok';
        },
      });
      const desk = await deskOf([act], { clock, resources: [bind(Filesystem, { value: files })] });
      const sessions = [new Session(), new Session()] as const;
      const histories: readonly [Seen[], Seen[]] = [[], []];
      for (const step of script) {
        clock.advance(step.waitMs);
        if (step.file === 'written') await files.write('AGENTS.md', '');
        if (step.file === 'deleted' && (await files.exists('AGENTS.md'))) await files.delete('AGENTS.md');
        ({ fails } = step);
        const { text } = await desk.call('act', {}, { session: sessions[step.session] });
        const history = histories[step.session];
        history.push({ time: clock.now(), hasFile: await files.exists('AGENTS.md') });
        const heard = [...text.matchAll(/\[Guidance: (\w+)\]/g)].map(([, name]) => name);
        const expected = [...(speaks(one, history) ? ['one'] : []), ...(speaks(other, history) ? ['other'] : [])];
        expect(heard).toEqual(expected);
      }
    }),
    { numRuns: 150 },
  );
});
