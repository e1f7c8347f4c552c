import { once } from 'node:events';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  bind,
  defineTool,
  ReadOnlyViolationError,
  TransactionClosedError,
  type Snapshotable,
  type ToolContext,
  type ToolHints,
  type ToolOutcome,
} from 'toolwright';
import { ResourceBusyError, ResourceError } from 'toolwright/resources';
import { deskOf, Ledger, Note, writeBoth, type Desk } from '../dispatch/desk';
import { pass, Shelf, Slate } from './Shelf';

type Handler = (context: ToolContext) => unknown;
interface Given {
  readonly hints?: ToolHints;
  readonly timeoutMs?: number;
}
const tool = (name: string, handler: Handler, { hints, timeoutMs }: Given = {}) =>
  defineTool({
    name,
    description: 'Acts.',
    hints,
    timeoutMs,
    handler: (_params: unknown, context: ToolContext) => handler(context),
  });

/** A desk that also has a shelf, a slate, and a second shelf. */
class Second extends Shelf {}
async function shop(...tools: Parameters<typeof deskOf>[0]) {
  const [shelf, slate, second] = [new Shelf(), new Slate(), new Second()];
  const resources = [
    bind(Shelf, { value: shelf }),
    bind(Slate, { value: slate }),
    bind(Second, { value: second }),
  ] as const;
  const desk = await deskOf(tools, { resources });
  return { desk, shelf, slate, second };
}
const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};
const nested = (context: ToolContext, name: string): Promise<ToolOutcome> =>
  context.callTool({ id: name, name, arguments: {} });
const errorsOf = ({ logged }: Desk) => logged.filter(({ level }) => level === 'error').map(({ message }) => message);

describe('a resource that is changed in place', () => {
  test('HAND-24 a resource that is changed in place is as before after a call that failed, together with session and overlays', async () => {
    const { desk, shelf, slate } = await shop(
      tool('act', async (context) => {
        writeBoth(context, 'second');
        await context.resources.get(Shelf).put('second');
        await context.resources.get(Shelf).drop();
        context.resources.get(Slate).put('second').note = 'noted';
        throw new Error('boom');
      }),
    );
    expect(await desk.call('act')).toMatchObject({ kind: 'failed', text: expect.stringContaining('boom') as string });
    expect(Shelf.rowsOf(shelf)).toEqual(['first']);
    expect([slate.list(), slate.note]).toEqual([['first'], '']);
    expect(desk.state()).toEqual({ notes: ['first'], lines: ['first'] });
  });

  test('a resource that is changed in place stays as a successful call left it', async () => {
    const { desk, shelf, slate } = await shop(
      tool('act', async ({ resources }) => {
        await resources.get(Shelf).put('second');
        resources.get(Slate).put('second').note = 'noted';
      }),
    );
    expect((await desk.call('act')).kind).toBe('succeeded');
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'second']);
    expect(shelf.log).toEqual(['snapshot']);
    expect([slate.list(), slate.note]).toEqual([['first', 'second'], 'noted']);
  });

  test('the handle of a resource is an instance of its class, with private members, that returns itself for itself', async () => {
    const { desk, shelf, slate } = await shop(
      tool('act', async ({ resources }) => {
        const handle = resources.get(Slate);
        expect(handle).not.toBe(slate);
        expect(handle).toBeInstanceOf(Slate);
        expect(resources.get(Slate)).toBe(handle);
        expect(handle.put).toBe(handle.put);
        expect([handle.length, handle.list(), handle.constructor]).toEqual([1, ['first'], Slate]);
        expect(handle.put('second')).toBe(handle);
        expect(await resources.get(Shelf).put('second')).toBe(resources.get(Shelf));
        expect('note' in handle && Object.keys(handle)).toEqual(Object.keys(slate));
        expect(Object.entries(handle)).toEqual(Object.entries(slate));
        expect(handle.hasOwnProperty('note')).toBe(true);
        expect(delete (handle as { note?: string }).note).toBe(true);
        Object.defineProperty(handle, 'note', { value: 'n', writable: true, enumerable: true, configurable: true });
      }),
    );
    expect(await desk.call('act')).toMatchObject({ kind: 'succeeded' });
    expect([slate.list(), slate.note, Shelf.rowsOf(shelf)]).toEqual([['first', 'second'], 'n', ['first', 'second']]);
  });

  test('a resource may be a frozen object with methods of its own', async () => {
    abstract class Tally {
      abstract add(): number;
    }
    let count = 0;
    const frozen = Object.freeze({
      add: () => ++count,
      snapshot: () => count,
      restore: (before: number) => {
        count = before;
      },
    });
    const act = tool('act', ({ resources }) => {
      resources.get(Tally).add();
      throw new Error(`counted ${String(resources.get(Tally).add())}`);
    });
    const desk = await deskOf([act], { resources: [bind<Tally>(Tally, { value: frozen })] });
    expect((await desk.call('act')).text).toContain('counted 2');
    expect(count).toBe(0);
  });

  test('a call that only reads takes no snapshot of a resource, and a call that writes takes one', async () => {
    const { desk, shelf } = await shop(
      tool('look', ({ resources }) => resources.get(Shelf).list()),
      tool('put', async ({ resources }) => {
        const handle = resources.get(Shelf);
        await Promise.all([handle.put('a', 3), handle.put('b')]);
        await handle.list();
        await handle.put('c');
      }),
    );
    expect((await desk.call('look')).result.value).toEqual(['first']);
    expect(shelf.log).toEqual([]);
    await desk.call('put');
    expect(shelf.log).toEqual(['snapshot']);
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'b', 'a', 'c']);
  });

  test('the snapshot of a resource is taken before the first write', async () => {
    const { desk, slate } = await shop(
      tool('act', ({ resources }) => {
        resources.get(Slate).note = 'noted';
        resources.get(Slate).put('second');
        throw new Error('boom');
      }),
    );
    await desk.call('act');
    expect([slate.note, slate.list()]).toEqual(['', ['first']]);
  });

  test('E910 a resource that is changed in place takes no property while its snapshot takes time, and does afterwards', async () => {
    let refused: unknown;
    const { desk, shelf } = await shop(
      tool('act', async ({ resources }) => {
        const handle = resources.get(Shelf);
        refused = thrownBy(() => {
          handle.label = 'early';
        });
        await handle.put('second');
        handle.label = 'late';
      }),
    );
    expect((await desk.call('act')).kind).toBe('succeeded');
    expect(refused).toBeInstanceOf(ResourceError);
    expect(refused).toMatchObject({
      code: 'E910',
      place: 'Shelf',
      message: expect.stringContaining('method') as string,
    });
    expect([shelf.label, shelf.log]).toEqual(['late', ['snapshot']]);
  });

  test('a snapshot that fails lets nothing be written, and the next write tries again', async () => {
    let tries = 0;
    class Moody extends Slate {
      override snapshot(): readonly string[] {
        if (++tries === 1) throw new Error('no disk');
        return super.snapshot();
      }
    }
    const moody = new Moody();
    const act = tool('act', ({ resources }) => {
      const error = thrownBy(() => resources.get(Moody).put('a'));
      resources.get(Moody).put('b');
      return (error as Error).message;
    });
    const desk = await deskOf([act], { resources: [bind(Moody, { value: moody })] });
    expect(await desk.call('act')).toMatchObject({
      kind: 'succeeded',
      text: expect.stringContaining('no disk') as string,
    });
    expect(moody.list()).toEqual(['first', 'b']);
  });
});

describe('once its call has ended, a handle', () => {
  test('HAND-07 a handle whose call has ended refuses everything with TransactionClosedError, also what was taken from it before', async () => {
    let handle = new Slate();
    let put = handle.put;
    const { desk, slate } = await shop(
      tool('act', ({ resources }) => {
        handle = resources.get(Slate);
        ({ put } = handle);
      }),
    );
    await desk.call('act');
    const late = [
      () => handle.put('late'),
      () => put('late'),
      () => handle.list(),
      () => handle.note,
      () => {
        handle.note = 'late';
      },
      () => delete (handle as { note?: string }).note,
    ];
    for (const act of late) expect(thrownBy(act)).toBeInstanceOf(TransactionClosedError);
    expect((thrownBy(late[0]!) as Error).message).toMatch(/Slate.*ended/);
    expect(handle).toBeInstanceOf(Slate);
    expect(await Promise.resolve(handle)).toBe(handle);
    expect(slate.list()).toEqual(['first']);
  });

  test('HAND-24 a handle of a call that timed out awaits and undoes running work, and refuses work that has not begun', async () => {
    let settle!: (thrown: unknown) => void;
    const refused = new Promise<unknown>((resolve) => {
      settle = resolve;
    });
    const { desk, shelf } = await shop(
      tool(
        'act',
        async (context) => {
          const handle = context.resources.get(Shelf);
          await handle.put('early');
          const aborted = once(context.signal, 'abort');
          void handle.putAfter(aborted, 'running');
          await aborted;
          // What it begins in the same turn of the event loop may still be awaited, and is undone too.
          await nextTurn();
          settle(thrownBy(() => handle.put('late')));
        },
        { timeoutMs: 100 },
      ),
    );
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'timed_out', effect: 'unknown' });
    expect(Shelf.rowsOf(shelf)).toEqual(['first']);
    expect(await refused).toBeInstanceOf(TransactionClosedError);
    expect(Shelf.rowsOf(shelf)).toEqual(['first']);
  });

  test('HAND-24 a handle of a successful call: operations that had begun are finished before its outcome is returned', async () => {
    const { desk, shelf } = await shop(
      tool('act', ({ resources }) => {
        void resources.get(Shelf).put('second', 5);
      }),
    );
    expect((await desk.call('act')).kind).toBe('succeeded');
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'second']);
  });

  test('an operation that fails and is not awaited does not end the process', async () => {
    class Broken extends Shelf {
      override async put(): Promise<this> {
        await pass();
        throw new Error('broken');
      }
    }
    const act = tool('act', ({ resources }) => {
      void resources.get(Broken).put();
    });
    const desk = await deskOf([act], { resources: [bind(Broken, { value: new Broken() })] });
    expect((await desk.call('act')).kind).toBe('succeeded');
    await pass(3);
  });
});

describe('a call within a call', () => {
  const failing = tool('inner', async (context) => {
    await context.resources.get(Shelf).put('inner');
    throw new Error('boom');
  });
  const good = tool('inner', async (context) => {
    await context.resources.get(Shelf).put('inner');
  });

  test('HAND-28 an inner call that fails keeps what the outer one wrote before', async () => {
    const { desk, shelf } = await shop(
      failing,
      tool('outer', async (context) => {
        await context.resources.get(Shelf).put('before');
        await nested(context, 'inner');
        await context.resources.get(Shelf).put('after');
      }),
    );
    expect((await desk.call('outer')).kind).toBe('succeeded');
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'before', 'after']);
    expect(shelf.log).toEqual(['snapshot', 'snapshot', 'restore']);
  });

  test('HAND-28 an inner call that succeeds is undone with the outer one, also when that has written nothing itself', async () => {
    const { desk, shelf } = await shop(
      good,
      tool('outer', async (context) => {
        await nested(context, 'inner');
        throw new Error('boom');
      }),
    );
    expect((await desk.call('outer')).kind).toBe('failed');
    expect(Shelf.rowsOf(shelf)).toEqual(['first']);
  });

  test('a call within a call restores no snapshot twice: the resource may keep what it was given', async () => {
    const { desk, shelf } = await shop(
      failing,
      tool('outer', async (context) => {
        await nested(context, 'inner');
        await context.resources.get(Shelf).put('after');
        throw new Error('boom');
      }),
    );
    await desk.call('outer');
    expect(Shelf.rowsOf(shelf)).toEqual(['first']);
    expect(shelf.log).toEqual(['snapshot', 'snapshot', 'restore', 'restore']);
  });

  test('E910 an inner call writes while the outer one does not: it is refused until the outcome', async () => {
    let refused: unknown;
    const { desk, shelf } = await shop(
      tool('inner', async (context) => {
        await context.resources.get(Shelf).put('inner', 20);
      }),
      tool('outer', async (context) => {
        const calling = nested(context, 'inner');
        await pass(10);
        refused = thrownBy(() => context.resources.get(Shelf).put('outer'));
        await calling;
      }),
    );
    expect((await desk.call('outer')).kind).toBe('succeeded');
    expect(refused).toMatchObject({ code: 'E910', message: expect.stringContaining('wait for its outcome') as string });
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'inner']);
  });

  test('an inner call that continues after the outer one leaves nothing', async () => {
    const { desk, shelf } = await shop(
      tool('inner', async (context) => {
        await context.resources.get(Shelf).put('inner', 5);
        await sleep(20);
      }),
      tool('outer', async (context) => {
        await context.resources.get(Shelf).put('outer');
        void nested(context, 'inner');
        await pass(10);
      }),
    );
    expect((await desk.call('outer')).kind).toBe('succeeded');
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'outer']);
    await sleep(40);
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'outer']);
  });
});

describe('a read-only tool', () => {
  const readOnly = { hints: { readOnly: true } };

  test('CONC-08 a read-only tool is refused the methods that are not among the reads, also when it catches that', async () => {
    let refused: unknown;
    const { desk, shelf } = await shop(
      tool(
        'look',
        async ({ resources }) => {
          refused = thrownBy(() => resources.get(Shelf).put('second'));
          return resources.get(Shelf).list();
        },
        readOnly,
      ),
    );
    expect(await desk.call('look')).toMatchObject({ kind: 'failed', error: { code: 'E607' } });
    expect(refused).toBeInstanceOf(ReadOnlyViolationError);
    expect((refused as Error).message).toContain('Shelf');
    expect([Shelf.rowsOf(shelf), shelf.log]).toEqual([['first'], []]);
  });

  test('CONC-08 changes of a read-only tool are undone where the resource does not say what reads', async () => {
    class Silent extends Slate {
      override readonly reads = undefined;
    }
    const silent = new Silent();
    const look = tool('look', ({ resources }) => resources.get(Silent).put('second').list(), readOnly);
    const desk = await deskOf([look], { resources: [bind(Silent, { value: silent })] });
    expect(await desk.call('look')).toMatchObject({ kind: 'succeeded', result: { value: ['first', 'second'] } });
    expect(silent.list()).toEqual(['first']);
  });
});

describe('two calls at once', () => {
  const counting = async ({ resources }: ToolContext): Promise<void> => {
    const handle = resources.get(Shelf);
    await handle.put('seen');
    const { length } = await handle.list();
    await pass(5);
    await handle.put(`row ${String(length)}`);
  };

  test('two calls write one after the other, whatever the outcome of the first', async () => {
    const { desk, shelf } = await shop(
      tool('fail', async (context) => {
        await counting(context);
        throw new Error('boom');
      }),
      tool('count', counting),
    );
    const kinds = (await Promise.all([desk.call('fail'), desk.call('count')])).map(({ kind }) => kind);
    expect(kinds).toEqual(['failed', 'succeeded']);
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'seen', 'row 2']);
  });

  test('a read waits for the call that writes, and sees what stays of it', async () => {
    const { desk } = await shop(
      tool('fail', async ({ resources }) => {
        await resources.get(Shelf).put('gone');
        await pass(10);
        throw new Error('boom');
      }),
      tool('look', async ({ resources }) => {
        await pass(5);
        return resources.get(Shelf).list();
      }),
    );
    const [, looked] = await Promise.all([desk.call('fail'), desk.call('look')]);
    expect(looked.result.value).toEqual(['first']);
  });

  test('two calls conflict where neither can wait: everything is synchronous', async () => {
    const refused: unknown[] = [];
    const swallowing = async ({ resources }: ToolContext): Promise<void> => {
      refused.push(thrownBy(() => resources.get(Slate).put('other')));
      await pass(5);
    };
    const { desk, slate } = await shop(
      tool('one', async ({ resources }) => {
        resources.get(Slate).put('one');
        await pass(2);
      }),
      tool('other', swallowing),
      tool('again', swallowing, { hints: { idempotent: true } }),
    );
    const outcomes = await Promise.all([desk.call('one'), desk.call('other'), desk.call('again')]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'conflicted', 'succeeded']);
    expect(refused[1]).toMatchObject({ code: 'E910', place: 'Slate' });
    expect(refused[0]).toBeInstanceOf(ResourceBusyError);
    // The idempotent one was run once more.
    expect([refused.length, slate.list()]).toEqual([3, ['first', 'one', 'other']]);
  });

  test('two calls that each hold what the other one needs: one conflicts, and leaves nothing', async () => {
    const both = (first: typeof Shelf, then: typeof Shelf, row: string) => async (context: ToolContext) => {
      await context.resources.get(first).put(row);
      await pass(5);
      await context.resources.get(then).put(row);
    };
    const { desk, shelf, second } = await shop(
      tool('one', both(Shelf, Second, 'one')),
      tool('other', both(Second, Shelf, 'other')),
    );
    const kinds = (await Promise.all([desk.call('one'), desk.call('other')])).map(({ kind }) => kind);
    // The first call that requests while it holds a resource ends; perhaps both do.
    expect(kinds).toContain('conflicted');
    const staying = ['one', 'other'].filter((_name, index) => kinds[index] === 'succeeded');
    expect(Shelf.rowsOf(shelf)).toEqual(['first', ...staying]);
    expect(Shelf.rowsOf(second)).toEqual(['first', ...staying]);
  });

  test('a call that waits for its turn may time out, and is then skipped', async () => {
    const { desk, shelf } = await shop(
      tool('slow', async ({ resources }) => {
        await resources.get(Shelf).put('slow');
        await sleep(60);
      }),
      tool('hasty', ({ resources }) => resources.get(Shelf).put('hasty'), { timeoutMs: 10 }),
      tool('last', ({ resources }) => resources.get(Shelf).put('last')),
    );
    const [slow, hasty, last] = await Promise.all([desk.call('slow'), desk.call('hasty'), desk.call('last')]);
    expect([slow, hasty, last].map((outcome) => outcome.kind)).toEqual(['succeeded', 'timed_out', 'succeeded']);
    expect(Shelf.rowsOf(shelf)).toEqual(['first', 'slow', 'last']);
    // Not for the hasty one: it neither writes nor has anything to put back.
    expect(shelf.log).toEqual(['snapshot', 'snapshot']);
  });
});

describe('a resource that is not put back', () => {
  test('E911 a resource that is not put back makes the call fail with an unknown effect, and is logged as an error', async () => {
    const cause = new Error('disk full');
    class Stuck extends Slate {
      override restore(): void {
        throw cause;
      }
    }
    const act = tool('act', ({ resources }) => {
      resources.get(Stuck).put('second');
      throw new Error('boom');
    });
    const desk = await deskOf([act], { resources: [bind(Stuck, { value: new Stuck() })] });
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({
      kind: 'failed',
      effect: 'unknown',
      error: { code: 'E911', place: 'Stuck', cause },
    });
    expect(outcome.text).toMatch(/boom[^]*could not be undone[^]*Check the state/);
    expect(desk.events).toMatchObject([{ kind: 'failed', effect: 'unknown' }]);
    expect(errorsOf(desk).join()).toMatch(/act.*disk full/);
  });

  test('E911 an operation that does not come to an end is waited for five seconds', async () => {
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance', 'Date'] });
    try {
      class Endless extends Slate {
        hang(): Promise<void> {
          return new Promise(() => undefined);
        }
      }
      const endless = new Endless();
      const act = tool('act', ({ resources }) => {
        void resources.get(Endless).put('second').hang();
        throw new Error('boom');
      });
      const go = tool('go', ({ resources }) => void resources.get(Endless).hang());
      const desk = await deskOf([act, go], { resources: [bind(Endless, { value: endless })] });
      const failing = desk.call('act');
      await jest.advanceTimersByTimeAsync(5_000);
      expect(await failing).toMatchObject({ kind: 'failed', effect: 'unknown', error: { code: 'E911' } });
      expect(endless.list()).toEqual(['first']);
      // A failure of what a successful call left running is only logged: its outcome is known.
      const going = desk.call('go');
      await jest.advanceTimersByTimeAsync(5_000);
      expect((await going).kind).toBe('succeeded');
      const late = (name: string): string =>
        expect.stringMatching(`${name}.*an operation was still running 5000 ms`) as string;
      expect(errorsOf(desk)).toEqual([late('act'), late('go')]);
    } finally {
      jest.useRealTimers();
    }
  });
});

describe('together with overlays', () => {
  test('HAND-24 a commit that fails first puts back what was changed in place', async () => {
    const { desk, shelf } = await shop(
      tool('act', async (context) => {
        writeBoth(context, 'second');
        await context.resources.get(Shelf).put('second');
      }),
    );
    desk.ledger.commit = () => {
      throw new Error('no disk');
    };
    expect(await desk.call('act')).toMatchObject({ kind: 'failed' });
    expect(Shelf.rowsOf(shelf)).toEqual(['first']);
    expect(desk.session.slice(Note).all()).toHaveLength(1);
  });

  test('HAND-24 a conflict elsewhere puts it back, and the second attempt writes it once', async () => {
    let attempts = 0;
    const { desk, shelf } = await shop(
      tool(
        'act',
        async (context) => {
          context.resources.get(Ledger).write('second');
          await context.resources.get(Shelf).put('second');
          if (++attempts === 1) desk.ledger.commit(desk.ledger.begin());
        },
        { hints: { idempotent: true } },
      ),
    );
    expect((await desk.call('act')).kind).toBe('succeeded');
    expect([attempts, Shelf.rowsOf(shelf), shelf.log]).toEqual([
      2,
      ['first', 'second'],
      ['snapshot', 'restore', 'snapshot'],
    ]);
  });

  test('HAND-24 a toolCall resource that works on the handle is put back with it', async () => {
    class Clerk {
      constructor(readonly shelf: Shelf) {}
    }
    const shelf = new Shelf();
    const act = tool('act', async ({ resources }) => {
      expect(resources.get(Clerk).shelf).toBe(resources.get(Shelf));
      await resources.get(Clerk).shelf.put('second');
      throw new Error('boom');
    });
    const resources = [
      bind(Shelf, { value: shelf }),
      bind(Clerk, { scope: 'toolCall', provide: (scope) => new Clerk(scope.get(Shelf)) }),
    ];
    const desk = await deskOf([act], { resources });
    await desk.call('act');
    expect(Shelf.rowsOf(shelf)).toEqual(['first']);
  });

  test('CONT-03 a singleton cannot hold it: it would write past the transactions', async () => {
    class Cache {
      constructor(readonly shelf: Shelf) {}
    }
    const act = tool('act', ({ resources }) => resources.get(Cache).shelf.label);
    const resources = [
      bind(Shelf, { value: new Shelf() }),
      bind(Cache, { provide: (scope) => new Cache(scope.get(Shelf)) }),
    ];
    const desk = await deskOf([act], { resources });
    expect(await desk.call('act')).toMatchObject({ kind: 'failed', error: { code: 'E904', place: 'Cache' } });
  });

  test('a resource with overlays is no handle, although it has snapshots as well', async () => {
    class Both implements Snapshotable<number> {
      constructor(readonly base?: Both) {}
      begin = (): Both => new Both(this);
      commit(): void {}
      snapshot = (): number => 1;
      restore(): void {}
    }
    const both = new Both();
    const act = tool('act', ({ resources }) => resources.get(Both).base === both);
    const desk = await deskOf([act], { resources: [bind(Both, { value: both })] });
    expect((await desk.call('act')).result.value).toBe(true);
  });
});
