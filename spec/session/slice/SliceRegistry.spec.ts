import { Reducer, SliceOps, Session, SessionError, type Constructor, type SliceOp } from 'toolwright';

class Add {
  constructor(readonly text: string) {}
}
class Plan {
  constructor(readonly steps: readonly string[] = []) {}
  @Reducer(() => Add)
  add({ text }: Add): SliceOp<Plan> {
    return SliceOps.replace(new Plan([...this.steps, text]));
  }
}
const misfit = (place: string): Error => expect.objectContaining({ code: 'E804', place }) as Error;

describe('new Session({ slices })', () => {
  test('the option slices installs classes, with initial state and policy', () => {
    const session = new Session({ slices: [Add, { type: Plan, initial: () => new Plan(['first']) }] });
    session.dispatch(new Add('a'));
    expect(session.slice(Plan).latest()?.steps).toEqual(['first', 'a']);
    const log = new Session({ slices: [{ type: Add, policy: 'log' }] });
    expect(log.rules.policyOf(Add)).toBe('log');
  });

  test('the option slices freezes what enters the slices', () => {
    const session = new Session({ slices: [Plan] });
    const steps = ['a'];
    session.slice(Plan).seed(new Plan(steps));
    expect(Object.isFrozen(steps)).toBe(true);
  });

  test('new Session({ slices }) names them by their classes, or as one likes', () => {
    class Other {
      readonly n = 1;
    }
    const session = new Session({ slices: [Plan, { type: Other, name: 'acme.other' }] });
    session.slice(Plan).seed(new Plan());
    session.slice(Other).seed(new Other());
    expect(Object.keys(session.toJSON().slices)).toEqual(['Plan', 'acme.other']);
  });

  test('new Session({ slices }) refuses two classes of one name: E804', () => {
    const Twin = class Plan {};
    const make = (): Session => new Session({ slices: [Plan, Twin] });
    expect(make).toThrow(SessionError);
    expect(make).toThrow(misfit('Plan'));
    expect(make).toThrow(/"Plan"/);
    expect(() => new Session({ slices: [Plan, { type: Twin, name: 'Twin' }] })).not.toThrow();
    expect(() => new Session({ slices: [Plan, { type: Add, name: 'Plan' }] })).toThrow(misfit('Add'));
  });

  test('new Session({ slices }) refuses a class that is listed twice, under whatever names: E804', () => {
    expect(() => new Session({ slices: [Plan, Plan] })).toThrow(misfit('Plan'));
    expect(() => new Session({ slices: [Plan, { type: Plan, name: 'other' }] })).toThrow(misfit('Plan'));
  });

  test.each<[string, unknown, RegExp]>([
    ['undefined', undefined, /circular/],
    ['null', null, /got null/],
    ['an object without type', {}, /expected a class/],
    ['an arrow function', () => Plan, /expected a class/],
    ['a type that is none', { type: 'Plan' }, /expected a class/],
    ['an unknown policy', { type: Plan, policy: 'loud' }, /policy/],
    ['an empty name', { type: Plan, name: ' ' }, /name/],
    ['a name that is no text', { type: Plan, name: 5 }, /name/],
    ['a class without a name', class {}, /name/],
  ])('new Session({ slices }) refuses %s with E804 and its position', (_what, entry, message) => {
    const make = (): Session => new Session({ slices: [Add, entry as Constructor] });
    expect(make).toThrow(misfit('slices[1]'));
    expect(make).toThrow(message);
  });

  test('new Session({ slices }) refuses an invalid list: E804', () => {
    expect(() => new Session({ slices: Plan as unknown as [] })).toThrow(misfit('slices'));
  });

  test('new Session({ slices }) refuses wrong reducers as install does: E802', () => {
    class Odd {
      @Reducer(() => undefined as unknown as new () => Add)
      add(_event: Add): SliceOp<Odd> {
        return SliceOps.replace();
      }
    }
    expect(() => new Session({ slices: [Odd] })).toThrow(expect.objectContaining({ code: 'E802' }) as Error);
  });
});

describe('a class that is installed again', () => {
  test('a class that is installed again runs its reducers once, and keeps what is not declared again', () => {
    const session = new Session({ slices: [{ type: Plan, initial: () => new Plan(['first']) }] });
    session.install(Plan);
    session.dispatch(new Add('a'));
    expect(session.slice(Plan).all()).toEqual([new Plan(['first', 'a'])]);
    session.reset();
    session.install(Plan, { initial: () => new Plan(['second']) });
    session.dispatch(new Add('a'));
    expect(session.slice(Plan).all()).toEqual([new Plan(['second', 'a'])]);
  });

  test('a class that is installed again keeps reducers that were registered by hand, and those of other classes', () => {
    const session = new Session({ slices: [{ type: Plan, initial: () => new Plan() }] });
    session.slice(Add).register(Add, (_view, event) => ({ kind: 'append', value: event }));
    session.install(Plan);
    session.dispatch(new Add('a'));
    expect(session.slice(Add).all()).toHaveLength(1);
    expect(session.slice(Plan).latest()?.steps).toEqual(['a']);
  });

  test('a class that is installed again keeps its policy unless another one is given', () => {
    const session = new Session({ slices: [{ type: Add, policy: 'log' }] });
    session.install(Add);
    expect(session.rules.policyOf(Add)).toBe('log');
    session.install(Add, { policy: 'state' });
    expect(session.rules.policyOf(Add)).toBe('state');
  });
});
