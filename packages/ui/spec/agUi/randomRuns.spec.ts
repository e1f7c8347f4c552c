import fc from 'fast-check';
import { AgUiEventWriter } from '../../src/agUi/AgUiEventWriter';
import type { AgUiEvent, AgUiGeneration } from '../../src/agUi/agUiEvents';
import { toAgUiMessages } from '../../src/agUi/toAgUiMessages';
import { Client, generations, respondWith } from './clients';
import { makeCall, Script } from './runEvents';

/** How a text is shown before its answer. */
const aText = fc.record({
  text: fc.constantFrom('', 'Yes.', 'Good day.', '{"a":1}'),
  pieces: fc.constantFrom('none', 'all', 'half', 'other'),
  reasons: fc.boolean(),
});

const aCall = fc.record({
  id: fc.constantFrom('x', 'y'),
  name: fc.constantFrom('ship', 'pack'),
  given: fc.constantFrom('{"to":"Ada"}', '', '{"to', null),
  pieces: fc.constantFrom('none', 'all', 'half', 'other'),
  fate: fc.constantFrom('succeeded', 'failed', 'denied', 'asked', 'open'),
});

const aTurn = fc.record({
  retries: fc.boolean(),
  text: aText,
  calls: fc.array(aCall, { maxLength: 3 }),
  steers: fc.boolean(),
});

const aRun = fc.record({
  turns: fc.array(aTurn, { maxLength: 3 }),
  how: fc.constantFrom('answered', 'failed', 'cancelled'),
  cut: fc.option(aText, { nil: undefined }),
});

type RandomRun = typeof aRun extends fc.Arbitrary<infer R> ? R : never;

type Pieces = 'none' | 'all' | 'half' | 'other';

/** Returns what is shown of a text before the whole text comes. */
function piecesOf(text: string, pieces: Pieces): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  const halves = [text.slice(0, middle), text.slice(middle)];
  return { none: [], all: halves, half: halves.slice(0, 1), other: ['Something else.'] }[pieces];
}

/** Writes a conversation of random runs; `streams` says how many events belong to each stream, which ends where a run waits or ends. */
function writeRuns(runs: readonly RandomRun[]) {
  const script = new Script();
  const streams: { readonly run: string; readonly from: number; readonly to: number; readonly history: number }[] = [];
  let ids = 0;
  for (const [index, { turns, how, cut }] of runs.entries()) {
    const run = `c/m${String(index)}`;
    let from = script.run(run, `Message ${String(index)}`);
    const close = (): void => {
      streams.push({ run, from, to: script.events.length, history: script.history.length });
      from = script.events.length;
    };
    let open: readonly number[] = [];
    for (const { retries, text, calls, steers } of turns) {
      const show = (): void => {
        if (text.reasons) script.piece({ kind: 'reasoning', text: 'Hm' });
        for (const piece of piecesOf(text.text, text.pieces)) script.piece({ kind: 'text', text: piece });
        for (const { id, name, given, pieces } of calls)
          for (const piece of piecesOf(given ?? '', pieces)) script.input(id, name, piece);
      };
      if (retries) {
        show();
        script.retry();
      }
      show();
      script.answer(
        text.text === '' ? null : text.text,
        calls.map(({ id, name, given }) => makeCall(id, name, given)),
        { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      );
      // A provider may send a call twice; only the first one has an outcome.
      const keys = calls.map(({ id, name, given }) => JSON.stringify([id, name, given]));
      const fates = calls.flatMap(({ fate }, at) => (keys.indexOf(keys[at] ?? '') === at ? [{ fate, at }] : []));
      const asked = fates.filter(({ fate }) => fate === 'asked').map(({ at }) => ({ at, id: `q${String(++ids)}` }));
      for (const { fate, at } of fates)
        if (fate === 'succeeded' || fate === 'failed' || fate === 'denied')
          script.outcome(at, `It ${fate}.`, { outcome: fate });
      for (const { at, id } of asked) script.ask(at, id);
      if (asked.length > 0) {
        close();
        for (const { at, id } of asked) script.approve(at, id);
        for (const { at } of asked) script.outcome(at, 'Approved.');
      }
      open = fates.filter(({ fate }) => fate === 'open').map(({ at }) => at);
      if (open.length > 0) break;
      if (steers) script.steer(`s${String(++ids)}`, 'Faster');
    }
    if (open.length === 0 && cut !== undefined)
      for (const piece of piecesOf(cut.text, cut.pieces)) script.piece({ kind: 'text', text: piece });
    const said =
      open.length === 0 && cut !== undefined && cut.text !== '' && how === 'cancelled' ? { said: cut.text } : {};
    script.end(run, how, { open, ...said });
    close();
  }
  return { script, streams };
}

/** Writes one stream as the handler does. */
function writeStream(
  generation: AgUiGeneration,
  script: Script,
  { run, from, to, history }: ReturnType<typeof writeRuns>['streams'][number],
  begin: number,
): readonly AgUiEvent[] {
  const writer = new AgUiEventWriter({ generation, run, thread: 'thread', request: 'request' });
  const events = [writer.start()];
  const shown = script.history.slice(0, history);
  const runAt = shown.findIndex((entry) => entry.kind === 'run' && entry.run === run) + 1;
  const snapshot = (): void => {
    const seen = shown.filter(({ seq = 0 }) => seq <= Math.max(writer.seq, runAt));
    events.push({ type: 'MESSAGES_SNAPSHOT', messages: toAgUiMessages(seen, generation) });
  };
  for (const [offset, event] of script.events.slice(begin, to).entries())
    if (begin + offset < from) writer.skip(event);
    else {
      events.push(...writer.write(event));
      if (writer.needsSnapshot) snapshot();
    }
  if (writer.questions.length > 0) snapshot();
  return [...events, ...writer.finish(new Map())];
}

describe.each(generations)('random conversations with a client of AG-UI %s', (generation) => {
  test('every event is taken without a warning, and the client ends with the messages of the record', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(aRun, { minLength: 1, maxLength: 3 }), async (runs) => {
        const { script, streams } = writeRuns(runs);
        let next: readonly AgUiEvent[] = [];
        const client = new Client(generation, () => respondWith(next)());
        let begin = 0;
        for (const stream of streams) {
          if (stream.from !== begin && script.events[stream.from - 1]?.kind === 'end') begin = stream.from;
          if (stream.from === begin) client.say(stream.run.slice(2), `Message ${stream.run.slice(3)}`);
          next = writeStream(generation, script, stream, begin);
          const resume = client.open.map((interruptId) => ({ interruptId, status: 'resolved', payload: {} }) as const);
          const reading = await client.run(resume.length > 0 ? { resume } : {});
          expect([reading.refusal, reading.warnings]).toEqual([undefined, []]);
          expect(reading.events).toHaveLength(next.length);
          expect(client.messages).toEqual(toAgUiMessages(script.history.slice(0, stream.history), generation));
        }
      }),
      { numRuns: 100 },
    );
  });
});
