import fc from 'fast-check';
import { TransactionalTable } from 'toolwright/state';
import { expectEqual } from '../../support/expectEqual.js';
import { Model, moves, perform, Running, type Move, type Table } from './tableModel.js';

/** Plays the moves; what commits without a conflict is done again on a model at that moment, and has to read the same. */
function play(given: readonly Move[]): { readonly table: Table; readonly model: Model; readonly kept: number } {
  const table: Table = new TransactionalTable([
    ['a', { n: 1 }],
    ['b', { n: 2 }],
  ]);
  const model = new Model(new Map(table));
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
  test('what commits without a conflict equals the same calls one after the other, savepoints of any depth included', () => {
    let kept = 0;
    fc.assert(
      fc.property(moves, (given) => {
        kept += play(given).kept;
      }),
      { numRuns: 1_000 },
    );
    // The property says nothing about runs in which nothing is committed.
    expect(kept).toBeGreaterThan(1_000);
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
