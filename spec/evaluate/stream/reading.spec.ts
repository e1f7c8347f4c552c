import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Constructor,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  type EvaluateOptions,
  type ModelAdapter,
  type PromptStream,
  Session,
} from 'toolwright';
import { FakeClock, ScriptedModel } from 'toolwright/testing';
import { silent } from '../../support/silent';
import { rejection } from '../desk';
import { aWhile, calling, eventsOf, spoken, Tap, told } from './reader';

class Note {
  constructor(readonly text: string) {}
}
/** Records that it ran, and runs until its signal is aborted if it has to hang. */
const policyTransaction = (ran: string[], name = 'act', hangs = false): Constructor =>
  defineTool({
    name,
    description: 'Notes.',
    handler: async (_params: unknown, { session, signal }) => {
      ran.push(name);
      session.dispatch(new Note(name));
      if (!hangs) return;
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          ran.push(
            `${name} aborted: ${signal.reason instanceof DOMException ? signal.reason.name : String(signal.reason)}`,
          );
          resolve();
        });
      });
      session.dispatch(new Note('late'));
    },
  });
const streams: PromptStream[] = [];
// A stream that a failed test did not read to its end would hold the process.
afterEach(async () => {
  await Promise.all(streams.splice(0).map((stream) => stream.return()));
});

async function streamOf(tools: readonly Constructor[], options: EvaluateOptions) {
  const section = defineSection({ key: 'desk', title: 'Desk', tools });
  const type = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [type], logger: silent });
  const session = new Session({ slices: [Note] });
  const notes = () =>
    session
      .slice(Note)
      .all()
      .map(({ text }) => text);
  const stream = app.stream(app.prompt(type), { session, ...options });
  streams.push(stream);
  return { app, notes, stream };
}
/** Reads up to the first event of a kind. */
async function readTo(stream: PromptStream, kind: string): Promise<void> {
  for (;;) {
    const { value, done } = await stream.next();
    if (done === true) throw new Error(`there was no ${kind}`);
    if (value.kind === kind) return;
  }
}

describe('a stream that is read slowly', () => {
  test('nothing begins before the first event is asked for', async () => {
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const { app, stream } = await streamOf([], { adapter });
    await aWhile();
    expect(adapter.requests).toEqual([]);
    await app.close();
    expect(await rejection(stream.next())).toMatchObject({ code: 'E410' });
  });

  test("the model's stream is not read ahead", async () => {
    const adapter = new Tap([() => spoken('a', 'b', 'c')]);
    const { stream } = await streamOf([], { adapter });
    for (const [index, text] of ['a', 'b', 'c'].entries()) {
      expect(await stream.next()).toMatchObject({ value: { kind: 'text', text } });
      await aWhile();
      expect(adapter.given).toBe(index + 1);
    }
    expect(told(await eventsOf(stream))).toEqual(['answer abc', 'done']);
  });

  test('no tool is called before its event has been read and the next one is asked for', async () => {
    const ran: string[] = [];
    const { stream } = await streamOf([policyTransaction(ran)], {
      adapter: new Tap([() => calling('act'), () => spoken('x')]),
    });
    await readTo(stream, 'begun');
    await aWhile();
    expect(ran).toEqual([]);
    await readTo(stream, 'outcome');
    expect(ran).toEqual(['act']);
  });

  test('the next tool waits until the outcome of the last one has been read', async () => {
    const ran: string[] = [];
    const tools = [policyTransaction(ran, 'one'), policyTransaction(ran, 'two')];
    const { stream } = await streamOf(tools, { adapter: new Tap([() => calling('one', 'two'), () => spoken('x')]) });
    await readTo(stream, 'outcome');
    await aWhile();
    expect(ran).toEqual(['one']);
    await readTo(stream, 'done');
    expect(ran).toEqual(['one', 'two']);
  });

  test('several events may be requested at once, and arrive in order', async () => {
    const { stream } = await streamOf([], { adapter: new Tap([() => spoken('a', 'b')]) });
    const results = await Promise.all(Array.from({ length: 6 }, () => stream.next()));
    expect(results.map(({ value }) => (value as { readonly kind: string } | undefined)?.kind)).toEqual([
      ...['text', 'text', 'answer', 'done'],
      ...[undefined, undefined],
    ]);
  });

  test('the deadline passes although the stream is not read: the request is aborted, and the next read rejects', async () => {
    const clock = new FakeClock();
    const adapter = new Tap([() => spoken('a', 'b', 'c')]);
    const { stream } = await streamOf([], { adapter, deadline: Deadline.in(1_000, clock) });
    expect(await stream.next()).toMatchObject({ value: { text: 'a' } });
    clock.advance(2_000);
    while (adapter.closed === 0) await sleep(20);
    expect(adapter.given).toBe(1);
    expect(adapter.requests[0]?.signal.aborted).toBe(true);
    expect(await rejection(stream.next())).toMatchObject({ code: 'E605', phase: 'response' });
  });
});

describe('a stream that is left', () => {
  test('a stream that is left before it was begun starts no run', async () => {
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const { stream } = await streamOf([], { adapter });
    expect(await stream.return()).toEqual({ done: true, value: undefined });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    expect(adapter.requests).toEqual([]);
  });

  test('leaving in the middle of an answer aborts the request, and nothing further is requested', async () => {
    const adapter = new Tap([() => spoken('a', 'b', 'c')]);
    const { app, stream } = await streamOf([], { adapter });
    for await (const event of stream) if (event.kind === 'text' && event.text === 'b') break;
    expect(adapter).toMatchObject({ given: 2, closed: 1 });
    expect(adapter.requests[0]?.signal.aborted).toBe(true);
    expect(adapter.requests[0]?.signal.reason).toMatchObject({
      name: 'AbortError',
      message: expect.stringContaining('left before its end') as string,
    });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
    await app.close();
  });

  test('a stream that is left at a call: the tool is not run, nor is anything after it', async () => {
    const ran: string[] = [];
    const adapter = new Tap([() => calling('act', 'act'), () => spoken('x')]);
    const { notes, stream } = await streamOf([policyTransaction(ran)], { adapter });
    for await (const { kind } of stream) if (kind === 'begun') break;
    await aWhile();
    expect(ran).toEqual([]);
    expect(notes()).toEqual([]);
    expect(adapter.requests).toHaveLength(1);
  });

  test('a stream that is left between two calls: the first one keeps its effects', async () => {
    const ran: string[] = [];
    const tools = [policyTransaction(ran, 'one'), policyTransaction(ran, 'two')];
    const { notes, stream } = await streamOf(tools, { adapter: new Tap([() => calling('one', 'two')]) });
    for await (const { kind } of stream) if (kind === 'outcome') break;
    await aWhile();
    expect(ran).toEqual(['one']);
    expect(notes()).toEqual(['one']);
  });

  test.each(['return', 'throw'] as const)(
    'leaving by %s while a tool runs: it is aborted and rolled back before that resolves, and a pending read gets no event',
    async (way) => {
      const ran: string[] = [];
      const { notes, stream } = await streamOf([policyTransaction(ran, 'act', true)], {
        adapter: new Tap([() => calling('act')]),
      });
      await readTo(stream, 'begun');
      const waiting = stream.next();
      while (ran.length === 0) await aWhile();
      const fault = new Error('the socket is gone');
      if (way === 'return') expect(await stream.return()).toEqual({ done: true, value: undefined });
      else expect(await rejection(stream.throw(fault))).toBe(fault);
      expect(ran).toEqual(['act', 'act aborted: AbortError']);
      expect(await waiting).toEqual({ done: true, value: undefined });
      await aWhile();
      expect(notes()).toEqual([]);
    },
  );

  test('an error in the reading loop leaves the stream', async () => {
    const adapter = new Tap([() => spoken('a', 'b')]);
    const { stream } = await streamOf([], { adapter });
    const reading = (async () => {
      for await (const { kind } of stream) throw new RangeError(kind);
    })();
    expect(await rejection(reading)).toEqual(new RangeError('text'));
    expect(adapter).toMatchObject({ given: 1, closed: 1 });
  });

  test('the end of its scope leaves the stream', async () => {
    const adapter = new Tap([() => spoken('a', 'b')]);
    const { stream } = await streamOf([], { adapter });
    await stream.next();
    await stream[Symbol.asyncDispose]();
    expect(adapter).toMatchObject({ given: 1, closed: 1 });
  });

  test('a pipe whose other end is closed leaves the stream', async () => {
    const adapter = new Tap([() => spoken('a', 'b', 'c', 'd', 'e', 'f')]);
    const { app, stream } = await streamOf([], { adapter });
    const pipe = Readable.from(stream);
    for await (const event of pipe) {
      expect(event).toMatchObject({ kind: 'text', text: 'a' });
      break;
    }
    await app.close();
    expect(pipe.destroyed).toBe(true);
    expect(adapter.closed).toBe(1);
    expect(adapter.given).toBeLessThan(6);
  });

  test('a model that does not listen is not waited for, and rejects into the void', async () => {
    let fail: (reason: Error) => void = () => undefined;
    const adapter: ModelAdapter = {
      name: 'deaf',
      complete: () =>
        new Promise((_resolve, reject) => {
          fail = reject;
        }),
    };
    const { app, stream } = await streamOf([], { adapter });
    const waiting = stream.next();
    await aWhile();
    await stream.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    fail(new Error('socket closed'));
    await aWhile();
    await app.close();
  });

  test('leaving after the last event: the run had ended already', async () => {
    const { stream } = await streamOf([], { adapter: new Tap([() => spoken('a')]) });
    const kinds: string[] = [];
    for await (const { kind } of stream) {
      kinds.push(kind);
      if (kind === 'done') break;
    }
    expect(kinds).toEqual(['text', 'answer', 'done']);
  });
});

describe("the caller's signal", () => {
  test('a signal that was aborted before rejects with the reason, and no request is sent', async () => {
    const adapter = new Tap([() => spoken('a')]);
    const { stream } = await streamOf([], { adapter, signal: AbortSignal.abort('gone') });
    expect(await rejection(stream.next())).toBe('gone');
    expect(adapter.requests).toEqual([]);
  });

  test("the caller's signal ends a run that is not read on, and a later read rejects with its reason", async () => {
    const controller = new AbortController();
    const adapter = new Tap([() => spoken('a', 'b')]);
    const { app, stream } = await streamOf([], { adapter, signal: controller.signal });
    await stream.next();
    controller.abort('gone');
    await app.close();
    expect(adapter).toMatchObject({ given: 1, closed: 1 });
    expect(adapter.requests[0]?.signal.reason).toBe('gone');
    expect(await rejection(stream.next())).toBe('gone');
  });

  test("the caller's signal ends a tool that runs", async () => {
    const controller = new AbortController();
    const ran: string[] = [];
    const options = { adapter: new Tap([() => calling('act')]), signal: controller.signal };
    const { notes, stream } = await streamOf([policyTransaction(ran, 'act', true)], options);
    await readTo(stream, 'begun');
    const waiting = rejection(stream.next());
    while (ran.length === 0) await aWhile();
    controller.abort('gone');
    expect(await waiting).toBe('gone');
    await aWhile();
    expect(ran).toEqual(['act', 'act aborted: gone']);
    expect(notes()).toEqual([]);
  });

  test.each(['read to its end', 'left'])("the caller's signal has no listener of a stream that was %s", async (how) => {
    const { signal } = new AbortController();
    const add = jest.spyOn(signal, 'addEventListener');
    const remove = jest.spyOn(signal, 'removeEventListener');
    const { stream } = await streamOf([], { adapter: new Tap([() => spoken('a')]), signal });
    for await (const { kind } of stream) if (kind === 'text' && how === 'left') break;
    expect(add).toHaveBeenCalled();
    expect(remove).toHaveBeenCalledTimes(add.mock.calls.length);
  });
});

describe('one reader', () => {
  test('a stream has one loop: a second one is refused', async () => {
    const { stream } = await streamOf([], { adapter: new Tap([() => spoken('a')]) });
    await eventsOf(stream);
    expect(await rejection(eventsOf(stream))).toMatchObject({ name: 'ToolwrightError', code: 'E715' });
  });

  test('single events may be taken before the loop', async () => {
    const { stream } = await streamOf([], { adapter: new Tap([() => spoken('a', 'b')]) });
    await stream.next();
    expect(told(await eventsOf(stream))).toEqual(['text b', 'answer ab', 'done']);
  });
});
