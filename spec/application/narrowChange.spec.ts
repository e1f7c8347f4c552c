import { bind, createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';
import { rehearse, type ChangedPart } from 'toolwright/own-loop';

interface Order {
  readonly id: string;
  readonly status: string;
  readonly items: readonly string[];
  readonly address: { readonly city: string; readonly zip: string };
}
const orderOf = (id: string, rest: Partial<Order> = {}): Order => ({
  ...{ id, status: 'pending', items: ['tea', 'cake'], address: { city: 'Graz', zip: '8010' } },
  ...rest,
});
class Orders extends TransactionalTable<string, Order> {}
class Line {
  constructor(
    readonly name: string,
    readonly pieces = 1,
  ) {}
}

/** What a call would change that works on a table and on the values of a slice. */
async function changedBy(onTable: (orders: Orders) => void, onLines: (lines: readonly Line[]) => readonly Line[]) {
  const edit = defineTool({
    ...{ name: 'edit', description: 'Edit.', hints: { openWorld: false } },
    handler: (_params, { resources, session }) => {
      onTable(resources.get(Orders));
      const lines = session.slice(Line).all();
      const after = onLines(lines);
      if (after !== lines) session.slice(Line).seed(after);
      return 'done';
    },
  });
  const desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 'c', title: 'C', tools: [edit] })] });
  const orders = new Orders(['#1', '#2'].map((id) => [id, orderOf(id)]));
  const app = await createApplication({ prompts: [desk], resources: [bind(Orders, { value: orders })] });
  const session = new Session({ slices: [Line] });
  for (const name of ['one', 'two', 'three']) session.dispatch(new Line(name));
  const rendered = await app.prompt(desk).render({ session });
  const { outcome, changed } = await rehearse(app, rendered, { id: '1', name: 'edit', arguments: {} }, { session });
  expect(outcome.text).toBe('done');
  return changed;
}
const nothing = (): void => undefined;
const same = (lines: readonly Line[]): readonly Line[] => lines;
const ofSession = (changes: ChangedPart['changes']): ChangedPart => ({ part: 'session', name: 'Line', changes });

describe('a rehearsal lists only what differs', () => {
  test('the changes of a record are the properties that change, at any depth, also those that come and go', async () => {
    const changed = await changedBy((orders) => {
      const { items: _items, ...order } = orderOf('#1', { status: 'sent', address: { city: 'Graz', zip: '8020' } });
      orders.set('#1', { ...order, note: 'fragile' } as unknown as Order);
    }, same);
    expect(changed).toEqual([
      {
        part: 'resource',
        name: 'Orders',
        changes: [
          {
            what: '#1',
            before: { status: 'pending', items: ['tea', 'cake'], address: { zip: '8010' } },
            after: { status: 'sent', address: { zip: '8020' }, note: 'fragile' },
          },
        ],
      },
    ]);
  });

  test('a change of a list in a record shows the whole list', async () => {
    const changed = await changedBy((orders) => orders.set('#2', orderOf('#2', { items: ['tea', 'pie'] })), same);
    expect(changed[0]?.changes).toEqual([
      { what: '#2', before: { items: ['tea', 'cake'] }, after: { items: ['tea', 'pie'] } },
    ]);
  });

  test('nothing of a record that is replaced by an equal one, nor of its resource', async () => {
    expect(await changedBy((orders) => orders.set('#1', orderOf('#1')), same)).toEqual([]);
  });

  test('nothing of values of a slice that only move, or are replaced by equal ones', async () => {
    const dropped = await changedBy(nothing, (lines) => lines.slice(1));
    expect(dropped).toEqual([ofSession([{ what: '0', before: { name: 'one', pieces: 1 }, after: undefined }])]);
    const inserted = await changedBy(nothing, ([first, ...rest]) => [first!, new Line('new'), ...rest]);
    expect(inserted).toEqual([ofSession([{ what: '1', before: undefined, after: { name: 'new', pieces: 1 } }])]);
    const copied = await changedBy(nothing, (lines) => lines.map(({ name, pieces }) => new Line(name, pieces)));
    expect(copied).toEqual([]);
    const changed = await changedBy(nothing, ([first, , last]) => [first!, new Line('two', 5), last!]);
    expect(changed).toEqual([ofSession([{ what: '1', before: { pieces: 1 }, after: { pieces: 5 } }])]);
  });
});
