import { Field, SliceOps, Reducer, Session, SessionError, type SliceOp } from 'toolwright';

class AddStep {
  constructor(readonly title: string) {}
}
class DropSteps {}

/** A session, and the errors that it logs. */
function logging(): { readonly session: Session; readonly logged: readonly unknown[] } {
  const logged: unknown[] = [];
  const error = (_message: string, fields?: Readonly<Record<string, unknown>>): void =>
    void logged.push(fields?.['error']);
  return { logged, session: new Session({ logger: { debug() {}, info() {}, warn() {}, error } }) };
}

describe('install', () => {
  test('install registers the @Reducer methods of a state class, which start from initial', () => {
    class Plan {
      constructor(readonly steps: readonly string[] = []) {}
      @Reducer(() => AddStep)
      addStep(event: AddStep): SliceOp<Plan> {
        return SliceOps.replace(new Plan([...this.steps, event.title]));
      }
      @Reducer(() => DropSteps)
      drop(): SliceOp<Plan> {
        return SliceOps.clear();
      }
    }
    const session = new Session();
    session.install(Plan, { initial: () => new Plan() });
    expect(session.slice(Plan).latest()).toEqual(new Plan());
    expect(session.slice(Plan).all()).toEqual([]);
    session.dispatch(new AddStep('look'));
    session.dispatch(new AddStep('act'));
    expect(session.slice(Plan).latest()).toBeInstanceOf(Plan);
    expect(session.slice(Plan).latest()?.steps).toEqual(['look', 'act']);
    expect(session.slice(Plan).all()).toHaveLength(1);
    expect(session.slice(AddStep).all()).toEqual([]);
    session.dispatch(new DropSteps());
    expect(session.slice(Plan).all()).toEqual([]);
  });

  test('HAND-21 state keeps its class and its methods', () => {
    class Plan {
      constructor(readonly steps: readonly string[] = []) {}
      count(): number {
        return this.steps.length;
      }
      @Reducer(() => AddStep)
      addStep({ title }: AddStep): SliceOp<Plan> {
        return SliceOps.append(new Plan([...this.steps, title]));
      }
    }
    const session = new Session();
    session.install(Plan, { initial: () => new Plan() });
    session.dispatch(new AddStep('a'));
    session.dispatch(new AddStep('b'));
    expect(
      session
        .slice(Plan)
        .all()
        .map((plan) => plan.count()),
    ).toEqual([1, 2]);
  });

  test('the same event may feed two state classes', () => {
    class Titles {
      constructor(readonly list: readonly string[] = []) {}
      @Reducer(() => AddStep)
      add({ title }: AddStep): SliceOp<Titles> {
        return SliceOps.replace(new Titles([...this.list, title]));
      }
    }
    class Total {
      constructor(readonly value = 0) {}
      @Reducer(() => AddStep)
      add(_event: AddStep): SliceOp<Total> {
        return SliceOps.replace(new Total(this.value + 1));
      }
    }
    const session = new Session();
    session.install(Titles, { initial: () => new Titles() });
    session.install(Total, { initial: () => new Total() });
    session.dispatch(new AddStep('a'));
    session.dispatch(new AddStep('b'));
    expect(session.slice(Titles).latest()?.list).toEqual(['a', 'b']);
    expect(session.slice(Total).latest()?.value).toBe(2);
  });

  test('a class whose constructor takes arguments needs an initial state or a seed, and the error says so', () => {
    class Plan {
      constructor(readonly steps: readonly string[]) {}
      @Reducer(() => AddStep)
      addStep({ title }: AddStep): SliceOp<Plan> {
        return SliceOps.replace(new Plan([...this.steps, title]));
      }
    }
    const { session, logged } = logging();
    session.install(Plan);
    session.dispatch(new AddStep('a'));
    expect(session.slice(Plan).all()).toEqual([]);
    expect(logged).toHaveLength(1);
    expect(logged[0]).toBeInstanceOf(SessionError);
    expect(logged[0]).toMatchObject({ code: 'E802', place: 'Plan.addStep' });
    session.slice(Plan).seed(new Plan([]));
    session.dispatch(new AddStep('a'));
    expect(session.slice(Plan).latest()?.steps).toEqual(['a']);
  });

  test('install refuses two reducers of one event in one class: E802 with the member', () => {
    class Plan {
      @Reducer(() => AddStep)
      first(_event: AddStep): SliceOp<Plan> {
        return SliceOps.clear();
      }
      @Reducer(() => AddStep)
      second(_event: AddStep): SliceOp<Plan> {
        return SliceOps.clear();
      }
    }
    const install = (): void => new Session().install(Plan);
    expect(install).toThrow(SessionError);
    expect(install).toThrow(expect.objectContaining({ code: 'E802', place: 'Plan.second' }) as Error);
  });

  test('install refuses a static reducer: E802', () => {
    class Plan {
      static add(_event: AddStep): SliceOp<Plan> {
        return SliceOps.clear();
      }
    }
    // The compiler refuses it as well, unless the error is suppressed.
    const decorate = Reducer(() => AddStep) as unknown as (target: object, member: string) => void;
    decorate(Plan, 'add');
    expect(() => new Session().install(Plan)).toThrow(
      expect.objectContaining({ code: 'E802', place: 'Plan.add' }) as Error,
    );
  });

  test('install refuses an event class that is undefined (a circular file): E802', () => {
    class Plan {
      @Reducer(() => undefined as unknown as new () => AddStep)
      add(_event: AddStep): SliceOp<Plan> {
        return SliceOps.clear();
      }
    }
    expect(() => new Session().install(Plan)).toThrow(expect.objectContaining({ code: 'E802' }) as Error);
  });

  test('install refuses an event that holds a Date by its @Field or its TypeScript type, unless the slice is a log: E801', () => {
    class Told {
      @Field({ type: Date }) at!: Date | string;
    }
    class Typed {
      @Field('When') at!: Date;
    }
    for (const type of [Told, Typed]) {
      class Plan {
        @Reducer(() => type)
        move(): SliceOp<Plan> {
          return SliceOps.clear();
        }
      }
      expect(() => new Session().install(Plan)).toThrow(
        expect.objectContaining({ code: 'E801', place: `${type.name}.at` }) as Error,
      );
      expect(() => new Session().install(Plan, { policy: 'log' })).not.toThrow();
    }
  });

  test('a log that cannot become state, since it declares a Date, stays a log without an initial state', () => {
    class Visit {
      @Field({ type: Date }) at = new Date(5);
    }
    const session = new Session({ slices: [{ type: Visit, policy: 'log' }] });
    expect(() => session.install(Visit, { policy: 'state', initial: () => new Visit() })).toThrow(
      expect.objectContaining({ code: 'E801', place: 'Visit.at' }) as Error,
    );
    expect(session.slice(Visit).latest()).toBeUndefined();
    session.dispatch(new Visit());
    expect(session.slice(Visit).all()).toEqual([new Visit()]);
  });

  test('a state without the reducer, such as a copy of its data, is E802, which is logged', () => {
    class Plan {
      constructor(readonly steps: readonly string[] = []) {}
      @Reducer(() => AddStep)
      addStep({ title }: AddStep): SliceOp<Plan> {
        return SliceOps.replace(new Plan([...this.steps, title]));
      }
    }
    const { session, logged } = logging();
    session.install(Plan);
    session.slice(Plan).seed(JSON.parse('{"steps":["a"]}') as Plan);
    session.dispatch(new AddStep('b'));
    expect(logged).toEqual([
      expect.objectContaining({
        code: 'E802',
        place: 'Plan.addStep',
        message: expect.stringContaining('the state has no method addStep: got an object') as unknown,
      }),
    ]);
    expect(session.slice(Plan).all()).toEqual([{ steps: ['a'] }]);
  });

  test('install keeps a reducer of the class that was registered by hand', () => {
    class Plan {
      constructor(readonly steps: readonly string[] = []) {}
    }
    const session = new Session();
    session.slice(Plan).register(AddStep, (_view, { title }) => SliceOps.append(new Plan([title])));
    session.install(Plan);
    session.dispatch(new AddStep('a'));
    expect(session.slice(Plan).all()).toEqual([new Plan(['a'])]);
    expect(session.slice(AddStep).all()).toEqual([]);
  });

  test('a class that is at fault leaves nothing behind', () => {
    class Plan {
      @Reducer(() => AddStep)
      first(_event: AddStep): SliceOp<Plan> {
        return SliceOps.clear();
      }
      @Reducer(() => AddStep)
      second(_event: AddStep): SliceOp<Plan> {
        return SliceOps.clear();
      }
    }
    const session = new Session();
    expect(() => session.install(Plan)).toThrow(SessionError);
    session.dispatch(new AddStep('a'));
    expect(session.slice(AddStep).all()).toHaveLength(1);
  });
});

describe('where state is recorded', () => {
  class Line {
    constructor(readonly text: string) {}
  }
  test('a slice that cannot be recorded is refused before it is written; it may be emptied, and a log may grow', () => {
    const session = new Session({ slices: [{ type: Line, policy: 'log' }] });
    session.dispatch(new AddStep('a'));
    session.rules.record((slice) => {
      throw new SessionError('has no name', { code: 'E805', place: slice.name });
    });
    expect(() => session.slice(AddStep).seed(new AddStep('b'))).toThrow('E805 AddStep: has no name');
    expect(session.slice(AddStep).all()).toEqual([new AddStep('a')]);
    session.slice(AddStep).clear();
    session.dispatch(new Line('a'));
    expect([session.slice(AddStep).all(), session.slice(Line).all()]).toEqual([[], [new Line('a')]]);
  });
});

describe('operations of a reducer on its slice', () => {
  class Num {
    constructor(readonly n: number) {}
  }
  class Do {}
  const after = (op: () => SliceOp<Num>): readonly number[] => {
    const session = new Session();
    session.slice(Num).seed([1, 2, 3].map((n) => new Num(n)));
    session.slice(Num).register(Do, () => op());
    session.dispatch(new Do());
    return session
      .slice(Num)
      .all()
      .map(({ n }) => n);
  };

  test.each<[string, () => SliceOp<Num>, readonly number[]]>([
    ['SliceOps.append adds one', () => SliceOps.append(new Num(4)), [1, 2, 3, 4]],
    ['SliceOps.extend adds several', () => SliceOps.extend(new Num(4), new Num(5)), [1, 2, 3, 4, 5]],
    ['SliceOps.extend may add none', () => SliceOps.extend(), [1, 2, 3]],
    ['SliceOps.replace puts new ones in place of all', () => SliceOps.replace(new Num(9), new Num(8)), [9, 8]],
    ['SliceOps.replace may leave none', () => SliceOps.replace(), []],
    ['SliceOps.clear removes all', () => SliceOps.clear(), []],
    ['SliceOps.clear removes some', () => SliceOps.clear(({ n }) => n % 2 === 1), [2]],
  ])('a reducer changes its slice: %s', (_what, op, expected) => {
    expect(after(op)).toEqual(expected);
  });
});
