import { setTimeout as sleep } from 'node:timers/promises';
import { bind, defineTool, ToolResult, type ToolContext, type ToolHints, type Transactional } from 'toolwright';
import { deskOf, Ledger, Note, UNTOUCHED, writeBoth } from '../desk';

/** Something outside the call changes what the handler has seen, while it waits. */
const waiting = (hints: ToolHints, act: (context: ToolContext) => unknown, after: (context: ToolContext) => unknown) =>
  defineTool({
    name: 'act',
    description: 'Acts.',
    hints,
    handler: async (_params: unknown, context: ToolContext) => {
      act(context);
      await sleep(10);
      return after(context);
    },
  });
const readNotes = (context: ToolContext): number => context.session.slice(Note).all().length;

describe('a change from outside', () => {
  test('a change from outside to a slice that was read: the call conflicts, is rolled back, and the model is asked to call again', async () => {
    const desk = await deskOf([
      waiting({}, readNotes, (context) => {
        writeBoth(context, 'second');
      }),
    ]);
    const running = desk.call('act');
    desk.session.dispatch(new Note('outside'));
    const outcome = await running;
    expect(outcome).toMatchObject({ kind: 'conflicted', result: { success: false, value: null } });
    expect(outcome.text).toMatch(/changed.*call it again/);
    expect(desk.state()).toEqual({ notes: ['first', 'outside'], lines: ['first'] });
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]).toMatchObject({ kind: 'conflicted', toolMessage: outcome.text });
  });

  test('CONC-02 a counter that both increment is never lost', async () => {
    class Count {
      constructor(readonly value: number) {}
    }
    const desk = await deskOf([
      waiting(
        {},
        () => undefined,
        async ({ session }) => {
          const next = (session.slice(Count).latest()?.value ?? 0) + 1;
          await sleep(5);
          session.slice(Count).seed(new Count(next));
        },
      ),
    ]);
    const outcomes = await Promise.all([desk.call('act'), desk.call('act')]);
    const succeeded = outcomes.filter(({ kind }) => kind === 'succeeded').length;
    expect(desk.session.slice(Count).latest()?.value).toBe(succeeded);
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['conflicted', 'succeeded']);
  });

  test('CONC-02 a change from outside to a slice that was only appended to: both appends are kept', async () => {
    const desk = await deskOf([
      waiting(
        {},
        ({ session }) => {
          session.dispatch(new Note('inside'));
        },
        () => 'done',
      ),
    ]);
    const running = desk.call('act');
    desk.session.dispatch(new Note('outside'));
    expect(await running).toMatchObject({ kind: 'succeeded' });
    expect(desk.state().notes).toEqual(['first', 'outside', 'inside']);
  });

  test('CONC-01 a call that fails beside one that commits takes nothing with it', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'fail',
        description: 'Fails.',
        handler: async (_params: unknown, context: ToolContext) => {
          writeBoth(context, 'bad');
          await sleep(20);
          throw new Error('boom');
        },
      }),
      defineTool({
        name: 'keep',
        description: 'Keeps.',
        handler: async (_params: unknown, context: ToolContext) => {
          await sleep(5);
          writeBoth(context, 'good');
        },
      }),
    ]);
    const [failed, kept] = await Promise.all([desk.call('fail'), desk.call('keep')]);
    expect(kept.kind).toBe('succeeded');
    expect(['failed', 'conflicted']).toContain(failed.kind);
    expect(desk.state()).toEqual({ notes: ['first', 'good'], lines: ['first', 'good'] });
  });

  test('a change from outside counts for a failed call, too: every slice that it touched', async () => {
    const desk = await deskOf([
      waiting(
        {},
        ({ session }) => {
          session.dispatch(new Note('inside'));
        },
        () => ToolResult.error('No seat is free.'),
      ),
    ]);
    const running = desk.call('act');
    desk.session.dispatch(new Note('outside'));
    expect(await running).toMatchObject({ kind: 'conflicted' });
    expect(desk.state().notes).toEqual(['first', 'outside']);
  });

  test('a change from outside to a resource that was used: rolled back, session included', async () => {
    const desk = await deskOf([
      waiting(
        {},
        (context) => {
          writeBoth(context, 'second');
        },
        () => 'done',
      ),
    ]);
    const running = desk.call('act');
    const overlay = desk.ledger.begin();
    overlay.write('outside');
    desk.ledger.commit(overlay);
    expect(await running).toMatchObject({ kind: 'conflicted' });
    expect(desk.state()).toEqual({ notes: ['first'], lines: ['first', 'outside'] });
  });

  test('a change from outside to a slice that the call did not touch is no conflict', async () => {
    class Other {
      readonly n = 1;
    }
    const desk = await deskOf([waiting({}, readNotes, () => 'done')]);
    const running = desk.call('act');
    desk.session.dispatch(new Other());
    expect(await running).toMatchObject({ kind: 'succeeded', text: 'done' });
  });

  test('a change from outside during the second attempt as well ends the call as conflicted', async () => {
    let attempts = 0;
    const desk = await deskOf([
      waiting(
        { idempotent: true },
        (context) => {
          readNotes(context);
          attempts++;
          setTimeout(() => {
            desk.session.dispatch(new Note(`outside ${attempts}`));
          }, 1);
        },
        () => 'done',
      ),
    ]);
    expect(await desk.call('act')).toMatchObject({ kind: 'conflicted' });
    expect(attempts).toBe(2);
    expect(desk.events).toHaveLength(1);
  });
});

describe('a replay that throws', () => {
  test('a replay that throws is a conflict, and resources keep nothing either', async () => {
    class Booked {
      readonly seat = '12A';
    }
    let runs = 0;
    const desk = await deskOf([
      waiting(
        {},
        ({ session, resources }) => {
          session.dispatch(new Booked());
          resources.get(Ledger).write('second');
        },
        () => 'done',
      ),
    ]);
    desk.session.slice(Note).register(Booked, (_view, { seat }) => {
      if (++runs === 2) throw new RangeError('no longer');
      return { kind: 'append', value: new Note(seat) };
    });
    const running = desk.call('act');
    desk.session.dispatch(new Note('outside'));
    expect(await running).toMatchObject({ kind: 'conflicted' });
    expect(desk.state()).toEqual({ notes: ['first', 'outside'], lines: ['first'] });
  });
});

describe('a commit that throws', () => {
  /** Counts what it took in, or refuses to take anything in. */
  class Shelf implements Transactional<Shelf> {
    taken = 0;
    constructor(readonly refuses: boolean) {}
    begin(): Shelf {
      return new Shelf(this.refuses);
    }
    commit(): void {
      if (this.refuses) throw new Error('disk full');
      this.taken++;
    }
  }
  class Archive extends Shelf {}
  const user = (...order: readonly (abstract new (refuses: boolean) => Shelf)[]) =>
    defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { session, resources }: ToolContext) => {
        session.dispatch(new Note('second'));
        for (const type of order) resources.get(type);
      },
    });

  test('a commit that throws before any other has committed: failed, rolled back', async () => {
    const [shelf, archive] = [new Shelf(true), new Archive(false)];
    const desk = await deskOf([user(Shelf, Archive)], {
      resources: [bind(Shelf, { value: shelf }), bind(Archive, { value: archive })],
    });
    const outcome = await desk.call('act');
    expect(outcome.kind).toBe('failed');
    expect(outcome).not.toHaveProperty('rolledBack');
    expect(outcome.text).toContain('disk full');
    expect(archive.taken).toBe(0);
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('a commit that throws after another has committed: failed, the effect is unknown, and it is logged as an error', async () => {
    const [shelf, archive] = [new Shelf(false), new Archive(true)];
    const desk = await deskOf([user(Shelf, Archive)], {
      resources: [bind(Shelf, { value: shelf }), bind(Archive, { value: archive })],
    });
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', effect: 'unknown', result: { success: false } });
    expect(outcome.text).toContain('disk full');
    expect(outcome.text).not.toContain('Nothing was changed');
    expect(shelf.taken).toBe(1);
    expect(desk.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]).toMatchObject({ kind: 'failed', effect: 'unknown' });
  });

  test('a commit that throws asks every resource for conflicts before the first one commits', async () => {
    const order: string[] = [];
    class Watched implements Transactional<Watched> {
      constructor(
        readonly name: string,
        readonly moved: boolean,
      ) {}
      begin(): this {
        return this;
      }
      commit(): void {
        order.push(`${this.name} commits`);
      }
      conflicts(): boolean {
        order.push(`${this.name} is asked`);
        return this.moved;
      }
    }
    class Second extends Watched {}
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { resources }: ToolContext) => {
        resources.get(Watched);
        resources.get(Second);
      },
    });
    const desk = await deskOf([tool], {
      resources: [bind(Watched, { value: new Watched('a', false) }), bind(Second, { value: new Second('b', true) })],
    });
    expect(await desk.call('act')).toMatchObject({ kind: 'conflicted' });
    expect(order).toEqual(['a is asked', 'b is asked']);
  });
});
