import 'reflect-metadata';
import type { Constructor } from 'toolwright';
import { inspectGraph, type InjectHandler, type TypediGraph } from '../../src/container/typediGraph.js';

const emitted = () => (_type: Constructor) => undefined;
const EMPTY = Symbol('EMPTY_VALUE');

/** A graph in which these classes are registered and not built yet. */
function graphOf(types: readonly Constructor[], handlers: readonly InjectHandler[] = []): TypediGraph {
  const services = types.map((type) => ({ id: type, type, factory: undefined, value: EMPTY }));
  return { handlers, hosts: [{ services: [] }, { services }] };
}

describe('inspectGraph', () => {
  test('inspectGraph says nothing about classes that can be built, shared ones included', () => {
    class Repository {}
    @emitted()
    class Left {
      constructor(readonly repository: Repository) {}
    }
    @emitted()
    class Desk {
      constructor(
        readonly left: Left,
        readonly repository: Repository,
      ) {}
    }
    expect(() => {
      inspectGraph(graphOf([Repository, Left, Desk]), Desk);
    }).not.toThrow();
  });

  test('inspectGraph looks only at what typedi would construct, not at values, factories and strangers', () => {
    @emitted()
    class Repository {
      constructor(readonly url: string) {}
    }
    @emitted()
    class Desk {
      constructor(readonly repository: Repository) {}
    }
    const desk = { id: Desk, type: Desk, factory: undefined, value: EMPTY };
    const inspect = (row: object | undefined) => () => {
      inspectGraph({ handlers: [], hosts: [{ services: row === undefined ? [desk] : [desk, row] }] }, Desk);
    };
    const row = { id: Repository, type: Repository, factory: undefined, value: EMPTY };
    expect(inspect(row)).toThrow(/parameter 0 of Repository is of type String.*Desk → Repository/);
    expect(inspect({ ...row, value: new Repository('x') })).not.toThrow();
    expect(inspect({ ...row, factory: () => new Repository('x') })).not.toThrow();
    expect(inspect({ ...row, type: null })).not.toThrow();
    expect(inspect(undefined)).not.toThrow();
  });

  test('the container that builds goes before the global one', () => {
    @emitted()
    class Desk {
      constructor(readonly url: string) {}
    }
    const global = { id: Desk, type: Desk, factory: undefined, value: EMPTY };
    const own = { ...global, value: new Desk('x') };
    const inspect = (hosts: TypediGraph['hosts']) => () => {
      inspectGraph({ handlers: [], hosts }, Desk);
    };
    expect(inspect([{ services: [own] }, { services: [global] }])).not.toThrow();
    expect(inspect([{ services: [] }, { services: [global] }])).toThrow(/E401 Desk: /);
    expect(inspect([{}, {}])).not.toThrow();
  });

  test('@Inject counts for the class and for its direct child, as in typedi', () => {
    @emitted()
    class Base {
      constructor(readonly url: string) {}
    }
    class Child extends Base {}
    class Grandchild extends Child {}
    const handler: InjectHandler = { object: Base, index: 0, value: () => 'x' };
    const inspect = (type: Constructor, handlers: readonly InjectHandler[]) => () => {
      inspectGraph(graphOf([Base, Child, Grandchild], handlers), type);
    };
    expect(inspect(Base, [handler])).not.toThrow();
    expect(inspect(Child, [handler])).not.toThrow();
    expect(inspect(Grandchild, [handler])).toThrow(/parameter 0 of Grandchild is of type String/);
    expect(inspect(Base, [{ ...handler, index: 1 }])).toThrow(/parameter 0 of Base/);
  });

  test('inspectGraph follows what @Inject asks for, and forgives a handler that does more', () => {
    @emitted()
    class Desk {
      constructor(readonly next: unknown) {}
    }
    const asks = (type: unknown): InjectHandler => ({
      object: Desk,
      index: 0,
      value: (container: { get: (id: unknown) => unknown }) => container.get(type),
    });
    const inspect = (handler: InjectHandler) => () => {
      inspectGraph(graphOf([Desk], [handler]), Desk);
    };
    expect(inspect(asks(Desk))).toThrow(expect.objectContaining({ code: 'E402' }) as Error);
    expect(inspect(asks('a token'))).not.toThrow();
    const throws = () => {
      throw new TypeError('not the real container');
    };
    expect(inspect({ object: Desk, index: 0, value: throws })).not.toThrow();
  });

  test('a constructor of which nothing is known would be handed the container itself', () => {
    class Desk {
      constructor(readonly url: string) {}
    }
    expect(() => {
      inspectGraph(graphOf([Desk]), Desk);
    }).toThrow(/the compiler emitted no classes for the constructor parameters of Desk/);
  });
});
