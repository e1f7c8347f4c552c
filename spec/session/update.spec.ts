import { createApplication, definePrompt, defineSection, defineTool, Reducer, Session, SliceOps } from 'toolwright';
import { silent } from '../support/silent';

class Line {
  constructor(
    readonly sku: string,
    readonly pieces = 1,
  ) {}
  get isMany(): boolean {
    return this.pieces > 5;
  }
}
class Cart {
  readonly lines: readonly Line[] = [new Line('tea'), new Line('cake')];
  readonly address = { city: 'Graz', zip: '8010' };
  readonly total: number = 0;
}
class Added {
  constructor(readonly sku: string) {}
}
class Basket {
  readonly skus: readonly string[] = [];
  @Reducer(() => Added)
  add({ sku }: Added) {
    const basket: Basket = Object.assign(new Basket(), { skus: [...this.skus, sku] });
    return SliceOps.replace(basket);
  }
}

const open = (): Session => {
  const session = new Session({ slices: [Cart, Line] });
  session.slice(Cart).seed(new Cart());
  return session;
};

describe('slice.update', () => {
  test('slice.update changes the latest value in place of a draft: instances keep their class, and what is not changed is shared', () => {
    const session = open();
    const before = session.slice(Cart).latest()!;
    const count = session.slice(Cart).update((cart) => {
      cart.lines[0]!.pieces = 9;
      cart.lines.push(new Line('pie'));
      cart.total = 5;
    });
    const after = session.slice(Cart).latest()!;
    expect(count).toBe(1);
    expect(after).toBeInstanceOf(Cart);
    expect(after.lines.map(({ sku, pieces, isMany }) => [sku, pieces, isMany])).toEqual([
      ['tea', 9, true],
      ['cake', 1, false],
      ['pie', 1, false],
    ]);
    expect(after.lines[0]).toBeInstanceOf(Line);
    expect(after.address).toBe(before.address);
    expect(after.lines[1]).toBe(before.lines[1]);
    expect(before).toEqual(new Cart());
    expect(() => Object.assign(after.lines[0]!, { pieces: 1 })).toThrow(TypeError);
  });

  test('slice.update changes each value that matches, and says how many are different now', () => {
    const session = open();
    for (const sku of ['a', 'b', 'c']) session.dispatch(new Line(sku));
    const [, second] = session.slice(Line).all();
    const raise = (line: { pieces: number }): void => void (line.pieces += 1);
    expect(session.slice(Line).update(raise, ({ sku }) => sku !== 'b')).toBe(2);
    expect(
      session
        .slice(Line)
        .all()
        .map(({ pieces }) => pieces),
    ).toEqual([2, 1, 2]);
    expect(session.slice(Line).all()[1]).toBe(second);
    expect(session.slice(Line).update(raise, ({ sku }) => sku === 'none')).toBe(0);
    expect(session.slice(Line).update(() => undefined)).toBe(0);
    expect(session.slice(Line).update((line) => (line.pieces = 2))).toBe(0);
  });

  test('slice.update begins with the initial state of a class with reducers', () => {
    const session = new Session({ slices: [{ type: Basket, initial: () => new Basket() }] });
    session.slice(Basket).update((basket) => basket.skus.push('tea'));
    session.dispatch(new Added('cake'));
    expect(session.slice(Basket).latest()).toEqual(Object.assign(new Basket(), { skus: ['tea', 'cake'] }));
  });

  test('slice.update refuses what would be lost: no value, a promise, a value that is no object; nothing is changed', () => {
    const session = open();
    const refusal = (problem: string) =>
      expect.objectContaining({ code: 'E802', message: expect.stringContaining(problem) as string }) as Error;
    expect(() => session.slice(Line).update(() => undefined)).toThrow(refusal('Line: the slice has no value'));
    const cart = session.slice(Cart).latest();
    const late = async (draft: { total: number }): Promise<void> => {
      draft.total = 1;
      await Promise.resolve();
    };
    expect(() => session.slice(Cart).update(late)).toThrow(refusal('Cart: the change of an update returned a promise'));
    const fails = (draft: { total: number }): never => {
      draft.total = 1;
      throw new RangeError('enough');
    };
    expect(() => session.slice(Cart).update(fails)).toThrow(new RangeError('enough'));
    expect(session.slice(Cart).latest()).toBe(cart);
    const texts = session.slice<unknown>(Added);
    texts.seed('text');
    expect(() => texts.update(() => undefined)).toThrow(refusal('Added: only objects'));
  });

  test('slice.update refuses state that could not be rolled back, as seed does', () => {
    const session = open();
    const date = (cart: object): void => void Object.assign(cart, { at: new Date(0) });
    expect(() => session.slice(Cart).update(date)).toThrow(expect.objectContaining({ code: 'E801' }) as Error);
  });

  test('slice.update in a call is rolled back with it, and two calls that meet do not lose a change', async () => {
    const raise = defineTool({
      ...{ name: 'raise', description: 'Raise.', hints: { openWorld: false } },
      handler: async (_params, { session }) => {
        session.slice(Cart).update((cart) => void (cart.total += 1));
        await new Promise((resolve) => setImmediate(resolve));
        return 'done';
      },
    });
    const fail = defineTool({
      ...{ name: 'fail', description: 'Fail.', hints: { openWorld: false } },
      handler: (_params, { session }) => {
        session.slice(Cart).update((cart) => void (cart.total = 99));
        throw new Error('no');
      },
    });
    const section = defineSection({ key: 's', title: 'S', tools: [raise, fail] });
    const desk = definePrompt({ ns: 'a', key: 'b', sections: [section] });
    const app = await createApplication({ prompts: [desk], logger: silent });
    const session = open();
    const rendered = await app.prompt(desk).render({ session });
    const calls = ['raise', 'fail', 'raise', 'raise'].map((name, at) => ({ id: String(at), name, arguments: {} }));
    const separate = await Promise.all(calls.map((call) => app.callTool(rendered, call, { session })));
    expect(separate[1]?.kind).toBe('failed');
    const raised = separate.filter(({ kind }) => kind === 'succeeded').length;
    expect(raised).toBeGreaterThan(0);
    expect(session.slice(Cart).latest()?.total).toBe(raised);
  });
});
