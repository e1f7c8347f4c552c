import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { ThrottleError, type ModelAdapter, type ModelRequest } from 'toolwright';
import type { DurableStore, Runs } from '@toolwright/durable';
import { expectEqual } from '../../../../spec/support/expectEqual';
import { sqliteRuns } from '../support/sqliteRuns';
import { questionOf, said } from './desk';
import { StreamClient } from './StreamClient';
import {
  Gate,
  isEntry,
  openStreamDesk,
  type Pace,
  PieceModel,
  readAll,
  sketch,
  type StreamDesk,
  type StreamedEvent,
} from './streamDesk';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Returns a function that opens a store on one file, another one each time. */
function storage(): () => DurableStore {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-stream-'));
  folders.push(folder);
  return () => sqliteRuns(join(folder, 'runs.db'), { synchronous: 'normal' });
}

const look = { name: 'look', item: 'apple' };

/** Reads events until one of the kind, which is the last one returned. */
async function readTo(events: AsyncIterator<StreamedEvent, void>, last: string): Promise<readonly string[]> {
  const read: string[] = [];
  while (read.at(-1) !== last) {
    const { done, value } = await events.next();
    if (done === true) throw new TypeError(`The stream ended without ${last}: ${read.join(', ')}.`);
    read.push(sketch(value));
  }
  return read;
}

/** Returns a model whose first request fails after one piece; the second one answers. It waits at the places `bad` and `1.0`. */
function throttleOnce(gate: Gate): ModelAdapter {
  const model = new PieceModel([{ text: ['Better'] }], gate.pace);
  let requests = 0;
  return {
    name: model.name,
    complete: () => model.complete(),
    async *stream(request) {
      if (++requests > 1) return yield* model.stream(request);
      yield { kind: 'text', text: 'Bad' };
      await gate.pace('bad');
      throw new ThrottleError('slow down', { kind: 'rate_limit', retryAfter: 0.001 });
    },
  };
}

async function start(runs: Runs): Promise<void> {
  await runs.start({ id: 'r-1', conversation: 'c-1', messages: said('go') });
}

describe('the stream of a durable run', () => {
  test('yields the pieces of each turn between the entries of the log, and ends with the run', async () => {
    const gate = new Gate();
    const answers = [
      { reasoning: ['I', ' see'], text: ['Let me', ' look.'], calls: [look] },
      { text: ['An', ' apple.'] },
    ];
    const { runs, engine } = await openStreamDesk(storage()(), () => new PieceModel(answers, gate.pace), gate);
    await start(runs);
    const events = runs.stream('r-1');
    const carried = engine.carry('c-1');
    const step = async (place: string, last: string): Promise<readonly string[]> => {
      await gate.arrived(place);
      gate.open(place);
      return readTo(events, last);
    };
    expect(await step('1.0', 'reasoning I')).toEqual(['reasoning I']);
    expect(await step('1.1', 'reasoning  see')).toEqual(['reasoning  see']);
    expect(await step('1.2', 'text Let me')).toEqual(['text Let me']);
    expect(await step('1.3', 'text  look.')).toEqual(['text  look.']);
    const pieces = ['{"it', 'em":', '"app', 'le"}'];
    for (const [index, piece] of pieces.entries())
      expect(await step(`1.${String(index + 4)}`, `tool_input look ${piece}`)).toEqual([`tool_input look ${piece}`]);
    expect(await step('1.last', 'begun 1.0')).toEqual(['answer', 'begun 1.0']);
    // The outcome of a read-only call is stored early because somebody reads.
    expect(await step('look apple', 'outcome 1.0')).toEqual(['outcome 1.0']);
    expect(await step('2.0', 'text An')).toEqual(['text An']);
    gate.open('2.1', '2.last');
    expect((await readAll(events)).map(sketch)).toEqual(['text  apple.', 'answer', 'end']);
    expect(await carried).toBe('done');
  });

  test('has the same entries as the events of the run', async () => {
    const answers = [{ text: ['One'], calls: [look, { name: 'pay', item: 'pear' }] }, { text: ['Two'] }];
    const { runs, engine } = await openStreamDesk(storage()(), () => new PieceModel(answers));
    await start(runs);
    const both = Promise.all([readAll(runs.stream('r-1')), readAll(runs.events('r-1'))]);
    await engine.carry('c-1');
    const [streamed, entries] = await both;
    expect(streamed.filter(isEntry)).toEqual(entries);
    expect((await readAll((await runs.run('r-1')).stream())).filter(isEntry)).toEqual(entries);
  });

  test('gives a late reader the pieces of the turn from their beginning, joined', async () => {
    const gate = new Gate('1.3');
    const answers = [{ text: ['a', 'b', 'c', 'd', 'e'] }];
    const { runs, engine } = await openStreamDesk(storage()(), () => new PieceModel(answers, gate.pace));
    await start(runs);
    const carried = engine.carry('c-1');
    await gate.arrived('1.3');
    const events = runs.stream('r-1');
    expect(await readTo(events, 'text abc')).toEqual(['text abc']);
    gate.open('1.3');
    const rest = (await readAll(events)).map(sketch);
    expect(rest.slice(-2)).toEqual(['answer', 'end']);
    expect(rest.slice(0, -2).join('')).toMatch(/^text d(text )?e$/);
    await carried;
  });

  test('gives a reader that comes during a call the call that runs', async () => {
    const gate = new Gate('stamp two');
    const answers = [
      {
        calls: [
          { name: 'stamp', item: 'one' },
          { name: 'stamp', item: 'two' },
        ],
      },
      { text: ['Done'] },
    ];
    const { runs, engine } = await openStreamDesk(storage()(), () => new PieceModel(answers), gate);
    await start(runs);
    const carried = engine.carry('c-1');
    await gate.arrived('stamp two');
    const whole = runs.stream('r-1');
    const read = await readTo(whole, 'begun 1.1');
    expect(read.filter((line) => !line.startsWith('tool_input'))).toEqual([
      'answer',
      'begun 1.0',
      'outcome 1.0',
      'begun 1.1',
    ]);
    const entries = (await readAll(takeUntil(runs.stream('r-1'), 'outcome 1.0'))).filter(isEntry);
    const again = runs.stream('r-1', { after: entries.at(-1)?.seq });
    expect(await readTo(again, 'begun 1.1')).toEqual(['begun 1.1']);
    gate.open('stamp two');
    for (const stream of [whole, again])
      expect((await readAll(stream)).filter(isEntry).map(sketch)).toEqual(['outcome 1.1', 'answer', 'end']);
    await carried;
  });

  test('returns at a question, and goes on behind it after the reply', async () => {
    const answers = [{ text: ['Sure'], calls: [{ name: 'ship', item: 'apple' }] }, { text: ['Shipped'] }];
    const { runs, engine } = await openStreamDesk(storage()(), () => new PieceModel(answers));
    await start(runs);
    const before = readAll(runs.stream('r-1'));
    await engine.carry('c-1');
    const events = await before;
    expect(events.filter(isEntry).map(sketch)).toEqual(['answer', 'question']);
    const after = events.filter(isEntry).at(-1)?.seq;
    // Nobody has replied: there is nothing to wait for.
    expect(await readAll(runs.stream('r-1', { after }))).toEqual([]);
    await runs.reply('r-1', await questionOf(runs, 'r-1'), { kind: 'approved' });
    const rest = readAll(runs.stream('r-1', { after }));
    await engine.carry('c-1');
    expect((await rest).filter(isEntry).map(sketch)).toEqual(['reply', 'outcome 1.0', 'answer', 'end']);
  });

  test('yields a retry when the provider throttles, and a late reader does not get the pieces before it', async () => {
    const gate = new Gate('bad', '1.0');
    const model = throttleOnce(gate);
    const { runs, engine } = await openStreamDesk(storage()(), () => model);
    await start(runs);
    const early = runs.stream('r-1');
    const carried = engine.carry('c-1');
    expect(await readTo(early, 'text Bad')).toEqual(['text Bad']);
    const rest = readAll(early);
    gate.open('bad');
    await gate.arrived('1.0');
    const late = runs.stream('r-1');
    expect(await readTo(late, 'retry')).toEqual(['retry']);
    gate.open('1.0');
    expect((await readAll(late)).map(sketch)).toEqual(['text Better', 'answer', 'end']);
    expect((await rest).map(sketch)).toEqual(['retry', 'text Better', 'answer', 'end']);
    await carried;
  });

  test('yields a retry before the answer to a reader that was elsewhere when the provider throttled', async () => {
    const gate = new Gate('bad');
    const model = throttleOnce(gate);
    const { runs, engine } = await openStreamDesk(storage()(), () => model);
    await start(runs);
    const events = runs.stream('r-1');
    const carried = engine.carry('c-1');
    expect(await readTo(events, 'text Bad')).toEqual(['text Bad']);
    gate.open('bad');
    await carried;
    expect((await readAll(events)).map(sketch)).toEqual(['retry', 'answer', 'end']);
  });

  test('yields the progress of a call, to a late reader only the newest', async () => {
    const gate = new Gate('count 2', 'count 3');
    const answers = [{ calls: [{ name: 'count', item: 'pear' }] }, { text: ['Done'] }];
    const { runs, engine } = await openStreamDesk(storage()(), () => new PieceModel(answers), gate);
    await start(runs);
    const carried = engine.carry('c-1');
    await gate.arrived('count 2');
    const events = runs.stream('r-1');
    const read = await readTo(events, 'progress 1.0 pear 2');
    expect(read.slice(-3)).toEqual(['answer', 'begun 1.0', 'progress 1.0 pear 2']);
    gate.open('count 2');
    const last = await events.next();
    const value = { fraction: 1, message: 'pear 3' };
    expect(last.value).toEqual({ kind: 'progress', turn: 1, call: '1.0', id: 'call-1-0', name: 'count', value });
    gate.open('count 3');
    expect((await readAll(events)).filter(isEntry).map(sketch)).toEqual(['outcome 1.0', 'answer', 'end']);
    await carried;
  });

  test('has only entries in a process that does not work on the run', async () => {
    const store = storage();
    const answers = [{ text: ['One'], calls: [look] }, { text: ['Two'] }];
    const { runs, engine } = await openStreamDesk(store(), () => new PieceModel(answers));
    const other = await openStreamDesk(store(), () => new PieceModel(answers));
    await start(runs);
    const events = readAll(other.runs.stream('r-1'));
    await engine.carry('c-1');
    expect((await events).map(sketch)).toEqual(['answer', 'outcome 1.0', 'answer', 'end']);
  });

  test('voids the pieces of a turn whose worker was replaced, and shows the new ones where the new worker is', async () => {
    const store = storage();
    const gates = [new Gate('1.1'), new Gate('1.1')];
    const desk = (index: number, text: readonly string[]) =>
      openStreamDesk(store(), () => new PieceModel([{ text }], gates[index]?.pace));
    const dead = await desk(0, ['Dead', ' turn']);
    const next = await desk(1, ['New', ' turn']);
    await start(dead.runs);
    const [here, there] = [dead.runs.stream('r-1'), next.runs.stream('r-1')];
    const frozen = dead.engine.carry('c-1');
    await gates[0]?.arrived('1.1');
    expect(await readTo(here, 'text Dead')).toEqual(['text Dead']);
    const carried = next.engine.carry('c-1');
    await gates[1]?.arrived('1.1');
    expect(await readTo(there, 'text New')).toEqual(['text New']);
    gates[0]?.open('1.1');
    await frozen;
    gates[1]?.open('1.1');
    expect((await readAll(there)).map(sketch)).toEqual(['text  turn', 'answer', 'end']);
    const rest = (await readAll(here)).map(sketch).filter((line) => line !== 'text  turn');
    expect(rest).toEqual(['retry', 'answer', 'end']);
    await carried;
  });

  test.each(['the process of its worker', 'another process'])(
    'ends with the text that was said when %s cancels the run in the middle of an answer',
    async (place) => {
      const store = storage();
      const gate = new Gate('1.1');
      const { runs, engine } = await openStreamDesk(
        store(),
        () => new PieceModel([{ text: ['I was', ' late'] }], gate.pace),
      );
      const other = await openStreamDesk(store(), () => new PieceModel([]));
      await start(runs);
      const events = readAll(runs.stream('r-1'));
      const elsewhere = readAll(other.runs.stream('r-1'));
      const carried = engine.carry('c-1');
      await gate.arrived('1.1');
      const canceller = place === 'another process' ? other.runs : runs;
      expect(await canceller.cancel('r-1', 'not now')).toBe('cancelled');
      await carried;
      const messages = [{ role: 'assistant', content: 'I was' }];
      const end = { kind: 'end', how: 'cancelled', problem: 'not now', messages };
      expect((await events).map(sketch)).toEqual(['text I was', 'end']);
      for (const read of [await events, await elsewhere]) expect(read.at(-1)).toMatchObject(end);
      expect(await canceller.get('r-1')).toMatchObject({ status: 'cancelled', problem: 'not now' });
    },
  );

  test('shows a message from another process between the answer that was being written and the next one', async () => {
    const store = storage();
    const gate = new Gate('1.1', '2.last');
    const answers = [{ text: ['One', ', two'] }, { text: ['Three'] }];
    const { runs, engine } = await openStreamDesk(store(), () => new PieceModel(answers, gate.pace));
    const other = await openStreamDesk(store(), () => new PieceModel([]));
    await start(runs);
    const [here, there] = [runs.stream('r-1'), readAll(other.runs.stream('r-1'))];
    const carried = engine.carry('c-1');
    expect(await readTo(here, 'text One')).toEqual(['text One']);
    expect(await other.runs.steer('r-1', 'And three.', { id: 's-1' })).toBe('taken');
    gate.open('1.1');
    expect(await readTo(here, 'text Three')).toEqual(['text , two', 'answer', 'steering', 'text Three']);
    gate.open('2.last');
    expect((await readAll(here)).map(sketch)).toEqual(['answer', 'end']);
    expect((await there).map(sketch)).toEqual(['answer', 'steering', 'answer', 'end']);
    await carried;
  });

  test('has only entries of runs whose worker does not stream', async () => {
    const whole: ModelAdapter = {
      name: 'scripted (not a model)',
      complete: () => Promise.resolve({ text: 'Whole', toolCalls: [], finishReason: 'stop', usage: undefined }),
      stream: () => {
        throw new TypeError('It streams.');
      },
    };
    const { runs, engine } = await openStreamDesk(storage()(), () => whole, { streams: false });
    await start(runs);
    const events = readAll(runs.stream('r-1'));
    await engine.carry('c-1');
    expect((await events).map(sketch)).toEqual(['answer', 'end']);
  });

  test('does not show the pieces of arguments with secrets', async () => {
    const answers = [{ calls: [{ name: 'hide', item: 'my secret' }, look] }, { text: ['Done'] }];
    const gate = new Gate('hide my secret');
    const { runs, engine } = await openStreamDesk(storage()(), () => new PieceModel(answers), gate);
    await start(runs);
    const events = runs.stream('r-1');
    const carried = engine.carry('c-1');
    const read: StreamedEvent[] = [];
    for await (const event of events) {
      read.push(event);
      if (event.kind === 'begun' && event.name === 'hide') gate.open('hide my secret');
    }
    await carried;
    expect(JSON.stringify(read)).not.toContain('my secret');
    expect(read.map(sketch)).toContain('outcome 1.0');
    expect(read.filter((event) => event.kind === 'tool_input' && event.name !== 'look')).toEqual([]);
  });

  test('ends for a reader whose signal aborts, and refuses wrong options', async () => {
    const { runs } = await openStreamDesk(storage()(), () => new PieceModel([]));
    await start(runs);
    const abort = new AbortController();
    const waiting = runs.stream('r-1', { signal: abort.signal }).next();
    abort.abort(new TypeError('gone'));
    await expect(waiting).rejects.toThrow('gone');
    await expect(runs.stream('r-1', { after: -1 }).next()).rejects.toThrow(/E413/);
    await expect(runs.stream('r-2').next()).rejects.toThrow(/E738/);
  });
});

describe('a client of streams', () => {
  const tools = ['look', 'stamp', 'pay', 'ship', 'hide', 'count'];
  const pieces = fc.array(fc.constantFrom('a', 'bc', ' d', 'é', '👍🏽'), { maxLength: 5 });
  const answer = fc.record({
    reasoning: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, pieces),
    text: pieces,
    calls: fc.array(fc.record({ name: fc.constantFrom(...tools), item: fc.constantFrom('apple', 'pear') }), {
      minLength: 1,
      maxLength: 3,
    }),
  });
  const plan = fc.record({
    answers: fc.array(answer, { maxLength: 3 }),
    last: fc.array(fc.constantFrom('e', 'fg', ' h'), { minLength: 1, maxLength: 5 }),
    /** Numbers of the steps of the run at which the provider fails, or another worker takes over. */
    throttled: fc.uniqueArray(fc.nat(20), { maxLength: 2 }),
    takeovers: fc.uniqueArray(fc.nat(30), { maxLength: 2 }),
    /** How many events each reading takes, and at which of both processes it is. */
    readings: fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.nat(1)), { minLength: 1, maxLength: 12 }),
    /** Turns of the event loop that a step of the run takes, and a step of a client. */
    paces: fc.tuple(fc.nat(3), fc.nat(3)),
  });

  /** Waits for turns of the event loop. */
  async function idle(turns: number): Promise<void> {
    for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  test('has the final log, with texts that equal the answers, wherever it reads and whatever happens to the workers', async () => {
    const store = storage();
    let model = new PieceModel([]);
    let toolTurns = 0;
    const open = (index: number): Promise<StreamDesk> => {
      const adapter = {
        name: model.name,
        complete: () => model.complete(),
        stream: (request: ModelRequest) => model.stream(request, paceOf(index)),
      };
      return openStreamDesk(store(), () => adapter, { pace: () => idle(toolTurns) });
    };
    let paceOf: (index: number) => Pace = () => () => undefined;
    const [here, there] = [await open(0), await open(1)];
    const desks = [here, there];
    const seen = { streamed: 0, begun: 0, retries: 0, takeovers: 0 };
    let number = 0;
    const property = fc.asyncProperty(plan, async ({ answers, last, throttled, takeovers, readings, paces }) => {
      const id = `r-${String(++number)}`;
      let step = 0;
      const carried: Promise<unknown>[] = [];
      // A worker that was shut out cannot write its log.
      const carry = async (index: number): Promise<unknown> => desks[index]?.engine.carry(id).catch(requireShutOut);
      toolTurns = paces[0];
      model = new PieceModel([...answers, { text: last }]);
      paceOf = (index) => async () => {
        const now = step++;
        await idle(toolTurns);
        if (takeovers.includes(now)) {
          seen.takeovers++;
          carried.push(carry(1 - index));
          await idle(20);
        }
        if (!throttled.includes(now)) return;
        seen.retries++;
        throw new ThrottleError('slow down', { kind: 'rate_limit', retryAfter: 0.001 });
      };
      await here.runs.start({ id, conversation: id, messages: said('go') });
      const work = async (): Promise<void> => {
        for (;;) {
          const { status } = await here.runs.get(id);
          if (status !== 'queued' && status !== 'running' && status !== 'waiting') return;
          if (status === 'waiting') await idle(5);
          else await carry(0);
        }
      };
      const client = new StreamClient(id);
      const slow = new StreamClient(id);
      const reading = async (): Promise<void> => {
        for (let at = 0; !client.hasEnded(); at++) {
          const [count, place] = readings[at % readings.length] ?? [1, 0];
          const hasReturned = await client.read(desks[place]?.runs ?? here.runs, count, () => idle(paces[1]));
          if (!hasReturned || client.hasEnded()) continue;
          for (const question of await here.runs.questions({ run: id }))
            await here.runs.reply(id, question.id, { kind: 'approved' });
        }
      };
      const readingSlowly = async (): Promise<void> => {
        while (!slow.hasEnded()) {
          await slow.read(here.runs, Infinity, () => idle(paces[1] + 2));
          await idle(5);
        }
      };
      await Promise.all([work(), reading(), readingSlowly()]);
      await Promise.all(carried);
      const log = await readAll(here.runs.events(id));
      expectEqual(client.entries, log);
      expectEqual(slow.entries, log);
      seen.streamed += client.streamed + slow.streamed;
      seen.begun += client.begun.size + slow.begun.size;
    });
    await fc.assert(property, { numRuns: 30 });
    // Otherwise, the property would hold for streams without pieces.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(10);
  }, 60_000);
});

function requireShutOut(error: unknown): void {
  expect(String(error)).toMatch(/E709.*another writer has opened the log/s);
}

/** Yields events until one that is sketched as `last`, and leaves the stream. */
async function* takeUntil(events: AsyncIterable<StreamedEvent>, last: string): AsyncGenerator<StreamedEvent, void> {
  for await (const event of events) {
    yield event;
    if (sketch(event) === last) return;
  }
}
