import fc from 'fast-check';
import { TransactionalTable } from 'toolwright/resources';
import { expectEqual } from '../../support/expectEqual.js';
import { Model, moves, perform, Running, type Move, type Table } from './tableModel.js';

/** Plays the moves; what commits without a conflict is done again on a model at that moment, and has to read the same. */
function play(
  given: readonly Move[],
  order: 'key' | 'insertion',
): { readonly table: Table; readonly model: Model; readonly kept: number } {
  const table: Table = new TransactionalTable(
    [
      ['b', { n: 2 }],
      ['a', { n: 1 }],
    ],
    { order },
  );
  const model = new Model(new Map(table), order);
  const open: Running[] = [];
  let kept = 0;
  const close = (ended: Running): void => {
    for (const child of [...ended.children]) close(child);
    ended.parent?.children.delete(ended);
    open.splice(open.indexOf(ended), 1);
  };
  for (const move of given) {
    // Sometimes the host, which has no transaction.
    const current = move.who === 0 ? undefined : open[move.who % open.length];
    if (move.move === 'begin') {
      const base = current?.table ?? table;
      const begun = new Running(base.begin(), current, base);
      current?.children.add(begun);
      open.push(begun);
    } else if (current === undefined) {
      // The host writes to the table itself, as a transaction of one step.
      if (move.move === 'op') expectEqual(perform(table, move.op), perform(model, move.op));
    } else if (move.move === 'op') {
      current.steps.push([move.op, perform(current.table, move.op)]);
    } else {
      const keep = move.move === 'commit' && !current.base.conflicts(current.table);
      close(current);
      if (keep) current.base.commit(current.table);
      if (current.parent !== undefined) current.parent.steps.push({ inner: current, kept: keep });
      else if (keep) {
        kept += 1;
        expectEqual(current.replay(model), undefined);
      }
    }
    expectEqual([...table], model.entries());
    expectEqual(table.size, model.size);
  }
  return { table, model, kept };
}

describe('a transactional table', () => {
  test.each(['key', 'insertion'] as const)(
    'in the order of %s, what commits equals the same calls one after the other',
    (order) => {
      let kept = 0;
      fc.assert(
        fc.property(moves, (given) => {
          kept += play(given, order).kept;
        }),
        { numRuns: 1_000 },
      );
      // The property says nothing about runs in which nothing is committed.
      expect(kept).toBeGreaterThan(1_000);
    },
  );

  test('a table ordered by insertion keeps the place of what is replaced, and puts what is added again last', () => {
    class Log extends TransactionalTable<string, number> {
      constructor(entries: Iterable<readonly [string, number]>) {
        super(entries, { order: 'insertion' });
      }
    }
    const log = new Log([
      ['z', 1],
      ['a', 2],
    ]);
    const overlay = log.begin();
    overlay.set('m', 3).set('z', 4);
    overlay.delete('a');
    overlay.set('a', 5);
    expect([...overlay.keys()]).toEqual(['z', 'm', 'a']);
    expect([...log.keys()]).toEqual(['z', 'a']);
    log.commit(overlay);
    expect(JSON.stringify(log)).toBe('[["z",4],["m",3],["a",5]]');
    expect(() => new TransactionalTable([], { order: 'time' as never })).toThrow(
      expect.objectContaining({ code: 'E413' }) as Error,
    );
  });

  test('a record that is in the end as it was is no change', () => {
    const table = new TransactionalTable<string, number>([
      ['a', 1],
      ['b', 2],
    ]);
    const overlay = table.begin();
    overlay.set('a', 5).set('a', 1).set('b', 3).set('c', 4);
    overlay.delete('c');
    expect(table.changes(overlay)).toEqual([{ what: 'b', before: 2, after: 3 }]);
  });
});
