import { bind, createApplication, definePrompt, defineSection } from 'toolwright';
import { CircularDependencyError } from 'toolwright/adapters';
import {
  DuplicateBindingError,
  ProviderError,
  ResourceError,
  type ResourceScope,
  UnboundResourceError,
} from 'toolwright/resources';
import { registryOf } from './registryOf';

class Store {
  readonly name: string = 'store';
}
class Cache {
  constructor(readonly store: Store) {}
}

/** The thrown error; fails the test when there is none. */
const thrown = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
};

describe('bind', () => {
  test('a value is a singleton, and frozen', () => {
    const store = new Store();
    const binding = bind(Store, { value: store });
    expect(binding).toMatchObject({ type: Store, scope: 'singleton' });
    expect(Object.isFrozen(binding)).toBe(true);
    expect(registryOf([binding]).get(Store)).toBe(store);
  });

  test('a provider is a singleton unless it says otherwise', () => {
    expect(bind(Store, { provide: () => new Store() }).scope).toBe('singleton');
    expect(bind(Store, { provide: () => new Store(), scope: 'toolCall' }).scope).toBe('toolCall');
  });

  test('a value may be undefined or null on purpose', () => {
    abstract class Setting {}
    const registry = registryOf([bind<unknown>(Setting, { value: null })]);
    expect(registry.get(Setting)).toBeNull();
  });

  test('the key may be an abstract class', () => {
    abstract class Port {
      abstract read(): string;
    }
    class Memory extends Port {
      override read(): string {
        return 'x';
      }
    }
    const registry = registryOf([bind(Port, { value: new Memory() })]);
    expect(registry.get(Port).read()).toBe('x');
  });
});

describe('a singleton', () => {
  test('a singleton is created once, when it is first requested', () => {
    let made = 0;
    const registry = registryOf([
      bind(Store, {
        provide: () => {
          made++;
          return new Store();
        },
      }),
    ]);
    expect(made).toBe(0);
    expect(registry.get(Store)).toBe(registry.get(Store));
    expect(made).toBe(1);
  });

  test('a singleton gets what it needs from the scope', () => {
    const registry = registryOf([
      bind(Cache, { provide: (scope) => new Cache(scope.get(Store)) }),
      bind(Store, { provide: () => new Store() }),
    ]);
    expect(registry.get(Cache).store).toBe(registry.get(Store));
  });

  test('a singleton cannot hold what lives for one call', () => {
    const registry = registryOf([
      bind(Cache, { provide: (scope) => new Cache(scope.get(Store)) }),
      bind(Store, { provide: () => new Store(), scope: 'toolCall' }),
    ]);
    const error = thrown(() => registry.get(Cache));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ code: 'E904', message: expect.stringMatching(/Cache.*Store/) as string });
  });
});

describe('faults', () => {
  test('E901 a class that nothing binds is named, with the classes that are bound', () => {
    const registry = registryOf([bind(Store, { value: new Store() })]);
    const error = thrown(() => registry.get(Cache));
    expect(error).toBeInstanceOf(UnboundResourceError);
    expect(error).toMatchObject({ code: 'E901', place: 'Cache', message: expect.stringContaining('Store') as string });
    expect(thrown(() => registryOf([]).get(Store))).toMatchObject({
      message: expect.stringContaining('No resource') as string,
    });
  });

  test('E902 a circle is reported with its path', () => {
    class Left {}
    class Right {}
    const to = (other: abstract new () => object) => (scope: ResourceScope) => scope.get(other);
    const registry = registryOf([
      bind(Store, { provide: to(Left) as never }),
      bind(Left, { provide: to(Right) }),
      bind(Right, { provide: to(Left) }),
    ]);
    const error = thrown(() => registry.get(Store));
    expect(error).toBeInstanceOf(CircularDependencyError);
    expect(error).toMatchObject({ code: 'E902', path: ['Left', 'Right', 'Left'] });
    expect((error as Error).message).toContain('Left → Right → Left');
  });

  test('E902 a resource that needs itself is refused', () => {
    const registry = registryOf([bind(Store, { provide: (scope) => scope.get(Store) })]);
    expect(thrown(() => registry.get(Store))).toMatchObject({ path: ['Store', 'Store'] });
  });

  test('E903 one class twice in one list is refused', async () => {
    const twice = [bind(Store, { value: new Store() }), bind(Store, { value: new Store() })];
    expect(thrown(() => registryOf(twice))).toBeInstanceOf(DuplicateBindingError);
    const prompt = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S' })] });
    await expect(createApplication({ prompts: [prompt], resources: twice })).rejects.toMatchObject({
      code: 'E903',
      place: 'Store',
    });
  });

  test('E904 the cause of a provider that throws is kept, and wrapped once', () => {
    const cause = new Error('no disk');
    const registry = registryOf([
      bind(Cache, { provide: (scope) => new Cache(scope.get(Store)) }),
      bind(Store, {
        provide: () => {
          throw cause;
        },
      }),
    ]);
    const error = thrown(() => registry.get(Cache));
    expect(error).toBeInstanceOf(ProviderError);
    expect(error).toMatchObject({ code: 'E904', place: 'Store', cause });
    expect((error as Error).message).toContain('no disk');
  });

  test('E904 a provider that throws is asked again the next time', () => {
    let tries = 0;
    const registry = registryOf([
      bind(Store, {
        provide: () => {
          if (++tries === 1) throw new Error('not yet');
          return new Store();
        },
      }),
    ]);
    expect(() => registry.get(Store)).toThrow(ProviderError);
    expect(registry.get(Store)).toBeInstanceOf(Store);
  });

  test('E904 a provider that returns a promise is refused, also if the promise rejects', async () => {
    for (const promise of [Promise.resolve(new Store()), Promise.reject<Store>(new Error('late'))]) {
      const registry = registryOf([bind(Store, { provide: () => promise as unknown as Store })]);
      expect(thrown(() => registry.get(Store))).toMatchObject({
        code: 'E904',
        message: expect.stringContaining('promise') as string,
      });
    }
    await new Promise((resolve) => setImmediate(resolve));
  });

  test('every fault of a resource is a ResourceError', () => {
    const registry = registryOf([bind(Store, { provide: (scope) => scope.get(Store) })]);
    expect(thrown(() => registry.get(Store)) instanceof ResourceError).toBe(true);
    expect(thrown(() => registry.get(Cache)) instanceof ResourceError).toBe(true);
    expect(new Error('other') instanceof ResourceError).toBe(false);
  });
});
