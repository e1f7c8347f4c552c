import { Deadline, defineTool, type ToolContext } from 'toolwright';
import { deskOf, type Desk } from '../desk';

/** A tool that waits until its signal is aborted, and the reasons that it has seen. */
async function waitingDesk(timeoutMs?: number, turnMs?: number): Promise<{ desk: Desk; reasons: unknown[] }> {
  const reasons: unknown[] = [];
  const wait = defineTool({
    name: 'wait',
    description: 'Waits.',
    timeoutMs,
    handler: async (_params: unknown, { signal }: ToolContext) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          reject(signal.reason as Error);
        });
      }),
  });
  const desk = await deskOf([wait], { limits: { turnMs } });
  return { desk, reasons };
}

const timeout = expect.objectContaining({ name: 'TimeoutError' }) as unknown;

describe("CALL-03 the reason of a call's signal is one that fetch and retry libraries know", () => {
  test('the timeout of a tool: a TimeoutError, which the log and the outcome name', async () => {
    const { desk, reasons } = await waitingDesk(5);
    const outcome = await desk.call('wait');
    expect(outcome).toMatchObject({ kind: 'timed_out', error: timeout });
    expect(reasons).toEqual([timeout]);
    expect(reasons[0]).toBeInstanceOf(DOMException);
    expect(desk.logged.filter(({ level }) => level !== 'debug')).toEqual([
      {
        level: 'warn',
        message: 'Tool wait timed out: The call took longer than 5 ms.',
        fields: expect.objectContaining({ error: timeout }) as object,
      },
    ]);
  });

  test('the deadline of the run: a TimeoutError', async () => {
    const { desk, reasons } = await waitingDesk();
    await expect(desk.call('wait', {}, { deadline: Deadline.in(1_000) })).rejects.toMatchObject({ code: 'E605' });
    expect(reasons).toEqual([timeout]);
    expect(reasons[0]).toBeInstanceOf(DOMException);
  });

  test('the limit of a turn: a TimeoutError', async () => {
    const { desk, reasons } = await waitingDesk(undefined, 20);
    const call = { id: '1', name: 'wait', arguments: {} };
    await expect(desk.app.callTools(desk.rendered, [call])).rejects.toMatchObject({ code: 'E605' });
    expect(reasons).toEqual([timeout]);
    expect(reasons[0]).toBeInstanceOf(DOMException);
  });

  test("a caller's own reason passes unchanged", async () => {
    const { desk, reasons } = await waitingDesk();
    const reason = { why: 'the user went away' };
    const stop = new AbortController();
    const running = desk.call('wait', {}, { signal: stop.signal });
    setTimeout(() => {
      stop.abort(reason);
    }, 5);
    await expect(running).rejects.toBe(reason);
    expect(reasons).toEqual([reason]);
    expect(reasons[0]).toBe(reason);
  });

  test('a call that has failed: an AbortError for what it left running', async () => {
    let left: AbortSignal | undefined;
    const fail = defineTool({
      name: 'fail',
      description: 'Fails.',
      handler: (_params: unknown, { signal }: ToolContext) => {
        left = signal;
        throw new Error('no');
      },
    });
    await (await deskOf([fail])).call('fail');
    expect(left?.reason).toBeInstanceOf(DOMException);
    expect(left?.reason).toMatchObject({ name: 'AbortError', message: 'The call was rolled back.' });
  });
});
