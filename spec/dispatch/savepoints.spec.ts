import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, ToolResult, type Constructor, type ToolContext, type ToolOutcome } from 'toolwright';
import { deskOf, Ledger, Note, UNTOUCHED, writeBoth } from './desk';

const handlerTool = (name: string, handler: (context: ToolContext) => unknown, timeoutMs?: number): Constructor =>
  defineTool({ name, description: 'Acts.', timeoutMs, handler: (_params: unknown, context) => handler(context) });
const call = (name: string, id = name) => ({ id, name, arguments: {} });
const texts = ({ session }: ToolContext): string =>
  session
    .slice(Note)
    .all()
    .map(({ text }) => text)
    .join();

describe('a call from a handler', () => {
  test('HAND-28 an inner call that fails keeps what the outer call wrote before', async () => {
    const inner: ToolOutcome[] = [];
    const desk = await deskOf([
      handlerTool('inner', (context) => {
        writeBoth(context, 'inner');
        throw new Error('boom');
      }),
      handlerTool('outer', async (context) => {
        writeBoth(context, 'outer');
        inner.push(await context.callTool(call('inner')));
        return `${texts(context)} ${context.resources.get(Ledger).lines.join()}`;
      }),
    ]);
    const outcome = await desk.call('outer');
    expect(outcome).toMatchObject({ kind: 'succeeded', text: 'first,outer first,outer' });
    expect(inner).toMatchObject([{ kind: 'failed' }]);
    expect(desk.state()).toEqual({ notes: ['first', 'outer'], lines: ['first', 'outer'] });
    expect(desk.events.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['inner failed', 'outer succeeded']);
  });

  test('HAND-28 an inner call that succeeds is undone with an outer call that fails', async () => {
    const desk = await deskOf([
      handlerTool('inner', (context) => {
        writeBoth(context, 'inner');
      }),
      handlerTool('outer', async (context) => {
        await context.callTool(call('inner'));
        throw new Error(`boom after ${texts(context)}`);
      }),
    ]);
    const outcome = await desk.call('outer');
    expect(outcome.text).toContain('boom after first,inner');
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['inner succeeded', 'outer failed']);
  });

  test('HAND-28 an inner call sees the writes of the outer call, which sees its own', async () => {
    const desk = await deskOf([
      handlerTool('inner', (context) => {
        const seen = texts(context);
        writeBoth(context, 'inner');
        return seen;
      }),
      handlerTool('outer', async (context) => {
        writeBoth(context, 'outer');
        const { text } = await context.callTool(call('inner'));
        return `${text} | ${texts(context)} | ${desk.state().notes.join()}`;
      }),
    ]);
    expect(await desk.call('outer')).toMatchObject({ text: 'first,outer | first,outer,inner | first' });
    expect(desk.state()).toEqual({ notes: ['first', 'outer', 'inner'], lines: ['first', 'outer', 'inner'] });
  });

  test('HAND-28 a call from a handler nests any number of times', async () => {
    const desk = await deskOf([
      handlerTool('leaf', (context) => {
        writeBoth(context, 'leaf');
        return ToolResult.error('no');
      }),
      handlerTool('middle', async (context) => {
        writeBoth(context, 'middle');
        await context.callTool(call('leaf'));
      }),
      handlerTool('outer', async (context) => {
        await context.callTool(call('middle'));
        writeBoth(context, 'outer');
      }),
    ]);
    expect(await desk.call('outer')).toMatchObject({ kind: 'succeeded' });
    expect(desk.state()).toEqual({ notes: ['first', 'middle', 'outer'], lines: ['first', 'middle', 'outer'] });
  });

  test('HAND-28 queues on its parent: two at once have the effects of one after the other', async () => {
    class Count {
      constructor(readonly value: number) {}
    }
    const desk = await deskOf([
      handlerTool('increment', async ({ session }) => {
        const next = (session.slice(Count).latest()?.value ?? 0) + 1;
        await sleep(2);
        session.dispatch(new Count(next));
        return next;
      }),
      handlerTool('outer', async (context) => {
        const outcomes = await Promise.all(['a', 'b', 'c'].map((id) => context.callTool(call('increment', id))));
        return outcomes.map(({ text }) => text).join();
      }),
    ]);
    expect(await desk.call('outer')).toMatchObject({ text: '1,2,3' });
    expect(desk.session.slice(Count).latest()?.value).toBe(3);
  });

  test('HAND-28 an inner call that appends loses nothing that was added from outside meanwhile', async () => {
    const desk = await deskOf([
      handlerTool('inner', ({ session }) => {
        session.dispatch(new Note('inner'));
      }),
      handlerTool('outer', async (context) => {
        await context.callTool(call('inner'));
        await sleep(20);
      }),
    ]);
    const running = desk.call('outer');
    await sleep(5);
    desk.session.dispatch(new Note('outside'));
    const { kind } = await running;
    const expected = kind === 'succeeded' ? ['first', 'outside', 'inner'] : ['first', 'outside'];
    expect(['succeeded', 'conflicted']).toContain(kind);
    expect(desk.state().notes).toEqual(expected);
  });

  test('a call from a handler reads through to the outer call: a change from outside is a conflict for both', async () => {
    const desk = await deskOf([
      handlerTool('inner', (context) => texts(context)),
      handlerTool('outer', async (context) => {
        const { text } = await context.callTool(call('inner'));
        await sleep(20);
        context.session.slice(Note).seed(new Note(`${text}!`));
      }),
    ]);
    const running = desk.call('outer');
    await sleep(5);
    desk.session.dispatch(new Note('outside'));
    expect(await running).toMatchObject({ kind: 'conflicted' });
    expect(desk.state().notes).toEqual(['first', 'outside']);
  });

  test('an inner call that outlives its parent changes nothing, rejects nothing, and still publishes its one event', async () => {
    const desk = await deskOf([
      handlerTool('inner', async (context) => {
        writeBoth(context, 'inner');
        await sleep(30);
        return ToolResult.error('no');
      }),
      handlerTool('outer', async (context) => (await context.callTool(call('inner'))).text, 10),
    ]);
    expect(await desk.call('outer')).toMatchObject({ kind: 'timed_out' });
    await sleep(50);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events.map(({ name }) => name).sort()).toEqual(['inner', 'outer']);
    const late = desk.events.find(({ name }) => name === 'inner');
    expect(late).toMatchObject({ kind: 'failed', error: { code: 'E602' } });
    expect(late?.toolMessage).toContain('call of inner from a handler');
  });

  test('a call from a handler sees its signal abort when the outer call is rolled back', async () => {
    const seen: string[] = [];
    const desk = await deskOf([
      handlerTool('inner', async ({ signal }) => {
        signal.addEventListener('abort', () => seen.push('inner'));
        await sleep(60);
      }),
      handlerTool('outer', async (context) => (await context.callTool(call('inner'))).text, 10),
    ]);
    await desk.call('outer');
    await sleep(5);
    expect(seen).toEqual(['inner']);
    await sleep(70);
  });

  test('an inner call of a read-only tool cannot write through a tool that may', async () => {
    const desk = await deskOf([
      handlerTool('inner', (context) => {
        context.session.dispatch(new Note('inner'));
      }),
      defineTool({
        name: 'look',
        description: 'Looks.',
        hints: { readOnly: true },
        handler: async (_params: unknown, context: ToolContext) => (await context.callTool(call('inner'))).kind,
      }),
    ]);
    const outcome = await desk.call('look');
    expect(outcome.text === 'failed' || outcome.kind === 'failed').toBe(true);
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('an inner call of an unknown tool is a failed outcome', async () => {
    const desk = await deskOf([handlerTool('outer', async (context) => (await context.callTool(call('nope'))).kind)]);
    expect(await desk.call('outer')).toMatchObject({ kind: 'succeeded', text: 'unknown' });
    expect(desk.events.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['nope unknown', 'outer succeeded']);
  });
});
