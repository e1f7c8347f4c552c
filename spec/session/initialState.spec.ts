import { Reducer, Session, SliceOps, type SliceOp } from 'toolwright';
import { silent } from '../support/silent';

class Add {
  constructor(readonly step: string) {}
}
const refusal = (code: string, place: string): Error => expect.objectContaining({ code, place }) as Error;

describe('the state that a slice begins with', () => {
  test('the state that a slice begins with is frozen at every depth', () => {
    class Plan {
      readonly steps: readonly string[] = [];
    }
    const session = new Session({ slices: [{ type: Plan, initial: () => new Plan() }] });
    const plan = session.slice(Plan).latest();
    expect(plan).toEqual(new Plan());
    expect([plan, plan?.steps].map((part) => Object.isFrozen(part))).toEqual([true, true]);
  });

  test('the state that a slice begins with is refused with E801 when it could not be rolled back; that of a log may hold anything', () => {
    class Seen {
      readonly pages = new Map([['home', 1]]);
    }
    const initial = (): Seen => new Seen();
    expect(() => new Session({ slices: [{ type: Seen, initial }] }).slice(Seen).latest()).toThrow(
      refusal('E801', 'Seen.pages'),
    );
    const log = new Session({ slices: [{ type: Seen, initial, policy: 'log' }] });
    expect(log.slice(Seen).latest()).toEqual(new Seen());
  });

  test('the state that a slice begins with is kept when the class is installed again without one', () => {
    class Plan {
      constructor(readonly title = 'untitled') {}
    }
    const session = new Session({ slices: [{ type: Plan, initial: () => new Plan('first') }] });
    session.install(Plan);
    expect(session.slice(Plan).latest()).toEqual(new Plan('first'));
  });

  test('the state that a slice begins with is a new instance where a class with reducers can be constructed without arguments', () => {
    class Count {
      constructor(readonly value = 0) {}
      @Reducer(() => Add)
      add(): SliceOp<Count> {
        return SliceOps.replace(new Count(this.value + 1));
      }
    }
    const session = new Session({ slices: [Count] });
    session.dispatch(new Add('a'));
    session.dispatch(new Add('b'));
    expect(session.slice(Count).all()).toEqual([new Count(2)]);
  });

  test('the state that a slice begins with is missing where the constructor throws without arguments: E804 for a declared slice, E802 for an event', () => {
    class Plan {
      readonly steps: readonly string[];
      constructor(...steps: readonly string[]) {
        if (steps.length === 0) throw new Error('a plan has steps');
        this.steps = steps;
      }
      @Reducer(() => Add)
      add({ step }: Add): SliceOp<Plan> {
        return SliceOps.replace(new Plan(...this.steps, step));
      }
    }
    expect(() => new Session({ slices: [Plan] })).toThrow(refusal('E804', 'Plan'));
    const errors: unknown[] = [];
    const logger = { ...silent, error: (_message: string, fields?: object) => void errors.push(fields) };
    const session = new Session({ logger });
    session.install(Plan);
    session.dispatch(new Add('a'));
    expect(errors).toEqual([{ error: refusal('E802', 'Plan.add') }]);
    session.slice(Plan).seed(new Plan('first'));
    session.dispatch(new Add('a'));
    expect(session.slice(Plan).latest()).toEqual(new Plan('first', 'a'));
  });

  test('the state that a slice begins with needs no instance of a class without reducers', () => {
    let made = 0;
    class Visit {
      constructor() {
        made++;
      }
    }
    const session = new Session({ slices: [Visit] });
    expect(session.slice(Visit).latest()).toBeUndefined();
    expect(made).toBe(0);
  });
});
