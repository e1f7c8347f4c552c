import {
  type Application,
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type RenderedPrompt,
  type ToolContext,
  ToolRefusal,
} from 'toolwright';
import { copied, TransactionalTable } from 'toolwright/resources';
import { silent } from '../../support/silent.js';

class Till {
  cents = 0;
  readonly receipts: string[] = [];
  pay(cents: number): void {
    this.cents += cents;
    this.receipts.push(`paid ${String(cents)}`);
  }
}

/** An application whose tool `act` does what the handler does. */
async function deskOf(
  handler: (context: ToolContext, till: Till) => unknown,
  readOnly = false,
): Promise<{ readonly till: Till; readonly app: Application; readonly rendered: RenderedPrompt }> {
  const till = new Till();
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    hints: { readOnly },
    handler: (_params: unknown, context: ToolContext) => handler(context, till),
  });
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
  const resources = [bind(Till, { value: copied(till) })];
  const app = await createApplication({ prompts: [Desk], logger: silent, resources });
  return { till, app, rendered: await app.prompt(Desk).render() };
}

describe('CALL-11 small values that are copied', () => {
  test('a failed call leaves no trace, a successful one all of its own', async () => {
    let fails = true;
    const { app, rendered, till } = await deskOf(({ resources }) => {
      resources.get(Till).pay(5);
      if (fails) throw new ToolRefusal('No.');
    });
    await app.invoke(rendered, 'act', {});
    expect(till).toEqual(new Till());
    fails = false;
    await app.invoke(rendered, 'act', {});
    expect(Object.assign({}, till)).toEqual({ cents: 5, receipts: ['paid 5'] });
    expect(till).toBeInstanceOf(Till);
    expect(JSON.stringify(till)).toBe('{"cents":5,"receipts":["paid 5"]}');
  });

  test.each([
    [true, 'conflicted'],
    [false, 'succeeded'],
  ])('a call that uses it (%s) while the host changes it: %s', async (isUsed, kind) => {
    const { app, rendered } = await deskOf(({ resources }, till) => {
      const seen = isUsed ? resources.get(Till).receipts.length : 0;
      till.receipts.push('of the host');
      return seen;
    });
    expect((await app.invoke(rendered, 'act', {})).kind).toBe(kind);
  });

  test('a read-only call that changes it is refused', async () => {
    const { app, rendered, till } = await deskOf(({ resources }) => resources.get(Till).pay(5), true);
    const { text } = await app.invoke(rendered, 'act', {});
    expect(text).toMatch(/E607 resource Till/);
    expect(till.cents).toBe(0);
  });

  test('savepoints of any depth: each sees the one around it, and conflicts with its changes alone', () => {
    const till = copied(new Till());
    const call = till.begin() as typeof till;
    call.pay(1);
    const inner = call.begin() as typeof till;
    inner.pay(2);
    expect([call.cents, inner.cents]).toEqual([1, 3]);
    expect(call.conflicts(inner)).toBe(false);
    call.commit(inner);
    expect([till.cents, call.cents, till.changed(call)]).toEqual([0, 3, true]);
    const second = call.begin() as typeof till;
    call.pay(4);
    expect(call.conflicts(second)).toBe(true);
    expect(till.conflicts(call)).toBe(false);
    till.commit(call);
    expect([till.cents, ...till.receipts]).toEqual([7, 'paid 1', 'paid 2', 'paid 4']);
  });

  test('a copy that a handler keeps changes nothing once its call has ended', () => {
    const till = copied(new Till());
    const call = till.begin();
    till.commit(call);
    call.receipts.push('late');
    expect(till.receipts).toEqual([]);
    expect(() => call.pay(1)).toThrow(TypeError);
    expect(() => till.commit(call)).toThrow(/^E916 Till: the overlay was begun elsewhere/);
  });

  class Secret {
    #code = 1;
    readonly read = (): number => this.#code;
  }

  test.each<[string, unknown]>([
    ['a map', new Map()],
    ['a list', []],
    ['a number', 5],
    ['null', null],
    ['a frozen object', Object.freeze({ n: 1 })],
    ['#private state', new Secret()],
    ['#private state within', { secret: new Secret() }],
    ['a table', new TransactionalTable<string, number>()],
    ['a value that is copied already', copied({ n: 1 })],
  ])('CALL-11 copied() refuses %s', (_what, value) => {
    expect(() => copied(value as object)).toThrow(/^E916 copied: .* cannot be copied/);
  });
});
