import { bind, ReadOnlyViolationError, type Transactional, TransactionClosedError } from 'toolwright';
import { CircularDependencyError } from 'toolwright/adapters';
import { ProviderError } from 'toolwright/resources';
import { TransactionResources } from '../../src/resource/TransactionResources';
import { registryOf } from './registryOf';

/** A counter with overlays; a commit adds what the overlay counted. */
class Counter implements Transactional<Counter> {
  own = 0;
  begun = 0;
  commits = 0;
  moved = false;
  constructor(readonly base?: Counter) {}
  get value(): number {
    return (this.base?.value ?? 0) + this.own;
  }
  begin(): Counter {
    this.begun++;
    return new Counter(this);
  }
  commit(overlay: Counter): void {
    this.own += overlay.own;
    this.commits++;
  }
  conflicts(): boolean {
    return this.moved;
  }
}
class Plain {
  n = 0;
}
class Repository {
  constructor(readonly counter: Counter) {}
}
const counters = () => {
  const counter = new Counter();
  const plain = new Plain();
  let repositories = 0;
  const registry = registryOf([
    bind(Counter, { value: counter }),
    bind(Plain, { value: plain }),
    bind(Repository, {
      scope: 'toolCall',
      provide: (scope) => {
        repositories++;
        return new Repository(scope.get(Counter));
      },
    }),
  ]);
  return { counter, plain, registry, made: () => repositories };
};

describe('the resources of a call', () => {
  test('a transactional one joins when it is first used, once', () => {
    const { counter, registry } = counters();
    const call = new TransactionResources(registry);
    expect(counter.begun).toBe(0);
    expect(call.get(Counter)).toBe(call.get(Counter));
    expect(call.get(Counter)).not.toBe(counter);
    expect(counter.begun).toBe(1);
  });

  test('a plain one is the thing itself', () => {
    const { plain, registry } = counters();
    expect(new TransactionResources(registry).get(Plain)).toBe(plain);
  });

  test('a resource of scope toolCall is made for each call, when it is first asked for', () => {
    const { registry, made } = counters();
    const [first, second] = [new TransactionResources(registry), new TransactionResources(registry)];
    expect(made()).toBe(0);
    expect(first.get(Repository)).toBe(first.get(Repository));
    expect(first.get(Repository)).not.toBe(second.get(Repository));
    expect(made()).toBe(2);
  });

  test('HAND-24 a resource of scope toolCall works on the overlay of its call', () => {
    const { counter, registry } = counters();
    const call = new TransactionResources(registry);
    const repository = call.get(Repository);
    expect(repository.counter).toBe(call.get(Counter));
    repository.counter.own = 5;
    expect(counter.value).toBe(0);
    expect(call.commit()).toBeUndefined();
    expect(counter.value).toBe(5);
  });

  test('HAND-24 without a commit nothing stays', () => {
    const { counter, registry } = counters();
    const call = new TransactionResources(registry);
    call.get(Counter).own = 5;
    call.close();
    expect(counter.value).toBe(0);
    expect(() => call.get(Counter)).toThrow(TransactionClosedError);
    expect(() => call.get(Plain)).toThrow(TransactionClosedError);
  });

  test('the resources of a call say whether something that they used has moved', () => {
    const { counter, registry } = counters();
    const [user, bystander] = [new TransactionResources(registry), new TransactionResources(registry)];
    user.get(Counter);
    expect(user.conflicts()).toBe(false);
    counter.moved = true;
    expect(user.conflicts()).toBe(true);
    expect(bystander.conflicts()).toBe(false);
  });

  test('a resource without conflicts never has any', () => {
    class Blind implements Transactional<Blind> {
      begin(): Blind {
        return new Blind();
      }
      commit(): void {}
    }
    const call = new TransactionResources(registryOf([bind(Blind, { value: new Blind() })]));
    call.get(Blind);
    expect(call.conflicts()).toBe(false);
    expect(call.commit()).toBeUndefined();
  });
});

describe('a savepoint', () => {
  test('HAND-28 a savepoint is an overlay of the overlay', () => {
    const { counter, registry } = counters();
    const outer = new TransactionResources(registry);
    outer.get(Counter).own = 1;
    const inner = new TransactionResources(registry, { parent: outer });
    inner.get(Counter).own = 10;
    expect(inner.get(Counter).value).toBe(11);
    expect(outer.get(Counter).value).toBe(1);
    expect(inner.commit()).toBeUndefined();
    expect(outer.get(Counter).value).toBe(11);
    expect(counter.value).toBe(0);
    expect(outer.commit()).toBeUndefined();
    expect(counter.value).toBe(11);
  });

  test('HAND-28 a savepoint that is dropped keeps what the outer call wrote', () => {
    const { counter, registry } = counters();
    const outer = new TransactionResources(registry);
    outer.get(Counter).own = 1;
    const inner = new TransactionResources(registry, { parent: outer });
    inner.get(Counter).own = 10;
    inner.close();
    expect(outer.commit()).toBeUndefined();
    expect(counter.value).toBe(1);
  });

  test('a savepoint makes the outer call join what the inner one used first', () => {
    const { counter, registry } = counters();
    const outer = new TransactionResources(registry);
    const inner = new TransactionResources(registry, { parent: outer });
    inner.get(Counter).own = 10;
    expect(inner.commit()).toBeUndefined();
    expect(counter.value).toBe(0);
    expect(outer.commit()).toBeUndefined();
    expect(counter.value).toBe(10);
  });

  test('a savepoint has instances of its own for the scope toolCall', () => {
    const { registry } = counters();
    const outer = new TransactionResources(registry);
    const inner = new TransactionResources(registry, { parent: outer });
    expect(inner.get(Repository)).not.toBe(outer.get(Repository));
    expect(inner.get(Repository).counter).toBe(inner.get(Counter));
  });
});

describe('a commit', () => {
  class Other extends Counter {}
  const two = (refusing: 'first' | 'second') => {
    const [first, second] = [new Counter(), new Other()];
    const failing = refusing === 'first' ? first : second;
    const error = new Error('disk full');
    failing.commit = () => {
      throw error;
    };
    const call = new TransactionResources(
      registryOf([bind(Counter, { value: first }), bind(Other, { value: second })]),
    );
    call.get(Counter);
    call.get(Other);
    return { first, second, call, error };
  };

  test('a commit that throws before another has committed rethrows', () => {
    const { second, call, error } = two('first');
    expect(() => call.commit()).toThrow(error);
    expect(second.commits).toBe(0);
  });

  test('a commit that throws after another has committed says so', () => {
    const { first, call, error } = two('second');
    expect(call.commit()).toEqual({ kind: 'half', error });
    expect(first.commits).toBe(1);
  });
});

test('a provider of a toolCall resource that throws is a ProviderError', () => {
  const registry = registryOf([
    bind(Plain, {
      scope: 'toolCall',
      provide: () => {
        throw new Error('no disk');
      },
    }),
  ]);
  expect(() => new TransactionResources(registry).get(Plain)).toThrow(ProviderError);
});

test('resources of one call that need each other are a circle, named from where it starts', () => {
  class Left {}
  class Right {}
  const registry = registryOf([
    bind(Plain, { scope: 'toolCall', provide: (scope) => Object.assign(new Plain(), scope.get(Left)) }),
    bind<object>(Left, { scope: 'toolCall', provide: (scope) => scope.get(Right) }),
    bind<object>(Right, { scope: 'toolCall', provide: (scope) => scope.get(Left) }),
  ]);
  const ask = (): unknown => new TransactionResources(registry).get(Plain);
  expect(ask).toThrow(CircularDependencyError);
  expect(ask).toThrow(/Left → Right → Left/);
});

describe('a read-only call', () => {
  class Watched implements Transactional<Watched> {
    written = false;
    begin(): Watched {
      return new Watched();
    }
    commit(): void {}
    changed(overlay: Watched): boolean {
      return overlay.written;
    }
  }

  test('CONC-08 a read-only call is notified of an overlay that holds writes', () => {
    const call = new TransactionResources(registryOf([bind(Watched, { value: new Watched() })]));
    call.get(Watched);
    expect(() => call.refuseChanges()).not.toThrow();
    call.get(Watched).written = true;
    expect(() => call.refuseChanges()).toThrow(ReadOnlyViolationError);
    expect(() => call.refuseChanges()).toThrow(/Watched/);
  });
});
