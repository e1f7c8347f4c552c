import 'reflect-metadata';
import { type Constructor, ContainerError, createApplication, definePrompt, Section, Tool } from 'toolwright';
import type { ContainerAdapter } from 'toolwright/adapters';

/** A container under test. */
export interface ContainerKit {
  readonly adapter: ContainerAdapter;
  /** The decorator by which a class becomes a service of it. */
  readonly service: () => (type: new (...args: never[]) => object) => void;
}

/** The result of getting a class: an error, or the sentence that it was built. */
async function failureOf(adapter: ContainerAdapter, type: Constructor): Promise<ContainerError> {
  const outcome: unknown = await Promise.resolve()
    .then(() => adapter.get(type))
    .then(
      (built) => new Error(`it was built: ${JSON.stringify(built)}`),
      (error: unknown) => error,
    );
  if (!(outcome instanceof ContainerError)) throw outcome;
  expect(outcome.remedy).toMatch(/\S\.$/);
  expect(outcome.message).toContain(`docs/errors.md#${outcome.code.toLowerCase()}`);
  return outcome;
}

/** Says that a constructor takes these classes; for classes that are declared later than it. */
function parametersAre(type: Constructor, ...parameters: readonly unknown[]): void {
  Reflect.defineMetadata('design:paramtypes', parameters, type);
}

interface Storage {
  readonly rows: number;
}

/** The contract of every container adapter (docs/decisions/0004). `open` returns a new container each time. */
export function containerContract(name: string, open: () => ContainerKit): void {
  describe(`${name}: building`, () => {
    test('a class gets its dependencies, at any depth', async () => {
      const { adapter, service } = open();
      @service()
      class Repository {
        readonly rows = 3;
      }
      @service()
      class Orders {
        constructor(readonly repository: Repository) {}
      }
      @service()
      class Desk {
        constructor(
          readonly orders: Orders,
          readonly repository: Repository,
        ) {}
      }
      const desk = await adapter.get(Desk);
      expect(desk).toBeInstanceOf(Desk);
      expect(desk.orders).toBeInstanceOf(Orders);
      expect(desk.orders.repository.rows).toBe(3);
    });

    test('each class is built once, however often it is asked for or needed', async () => {
      const { adapter, service } = open();
      let built = 0;
      @service()
      class Repository {
        readonly number = ++built;
      }
      @service()
      class Left {
        constructor(readonly repository: Repository) {}
      }
      @service()
      class Right {
        constructor(readonly repository: Repository) {}
      }
      @service()
      class Desk {
        constructor(
          readonly left: Left,
          readonly right: Right,
        ) {}
      }
      const desk = await adapter.get(Desk);
      expect(desk.left.repository).toBe(desk.right.repository);
      expect(await adapter.get(Desk)).toBe(desk);
      expect(await adapter.get(Left)).toBe(desk.left);
      expect(built).toBe(1);
    });

    test('inherited constructors count, through any number of classes', async () => {
      const { adapter, service } = open();
      @service()
      class Repository {
        readonly rows = 3;
      }
      @service()
      class Base {
        constructor(readonly repository: Repository) {}
      }
      @service()
      class Middle extends Base {}
      @service()
      class Last extends Middle {}
      @service()
      class Own extends Base {
        constructor() {
          super(new Repository());
        }
      }
      expect((await adapter.get(Middle)).repository).toBeInstanceOf(Repository);
      expect((await adapter.get(Last)).repository).toBeInstanceOf(Repository);
      const own = await adapter.get(Own);
      expect(own.repository).toBeInstanceOf(Repository);
      expect(own.repository).not.toBe(await adapter.get(Repository));
    });

    test('sections and class tools need no decorator but ours, and share their services', async () => {
      const { adapter, service } = open();
      @service()
      class Counter {
        count = 0;
      }
      @Tool({ name: 'count', description: 'Counts.' })
      class CountTool {
        constructor(readonly counter: Counter) {}
        handle(): number {
          return ++this.counter.count;
        }
      }
      @Section({ title: 'Counter', tools: [CountTool] })
      class CounterSection {
        constructor(readonly counter: Counter) {}
        @Tool('Reads.') read(): number {
          return this.counter.count;
        }
      }
      const desk = definePrompt({ ns: 'support', key: 'desk', sections: [CounterSection] });
      const app = await createApplication({ prompts: [desk], container: adapter });
      const rendered = await app.prompt(desk).render();
      await app.invoke(rendered, 'count', {});
      await app.invoke(rendered, 'count', {});
      expect((await app.invoke(rendered, 'read', {})).result.value).toBe(2);
    });
  });

  describe(`${name}: services that cannot be built`, () => {
    test('CONT-01 missing provider: E401 at creation, with the path to it', async () => {
      const { adapter, service } = open();
      @service()
      class UserRepo {
        constructor(readonly url: string) {}
      }
      @service()
      class Users {
        constructor(readonly repo: UserRepo) {}
      }
      @Section({ title: 'Desk' })
      class DeskSection {
        constructor(readonly users: Users) {}
      }
      const desk = definePrompt({ ns: 'support', key: 'desk', sections: [DeskSection] });
      const created = createApplication({ prompts: [desk], container: adapter });
      await expect(created).rejects.toMatchObject({
        name: 'ContainerError',
        code: 'E401',
        place: 'DeskSection',
        message: expect.stringContaining('DeskSection → Users → UserRepo') as unknown,
      });
      await expect(created).rejects.toThrow(/parameter 0 .*String/);
    });

    test.each([
      ['an interface', Object],
      ['a text', String],
      ['a function', Function],
      ['a list', Array],
      ['a date', Date],
      ['a class that a circular import left undefined', undefined],
    ])('CONT-01 no undefined injection: %s as parameter, of the class itself', async (_case, parameter) => {
      const { adapter, service } = open();
      @service()
      class Desk {
        constructor(readonly storage: Storage) {}
      }
      parametersAre(Desk, parameter);
      expect(await failureOf(adapter, Desk)).toMatchObject({ code: 'E401', place: 'Desk' });
    });

    test('CONT-01 no undefined injection: an interface in a service, or behind an inherited constructor', async () => {
      const { adapter, service } = open();
      @service()
      class Repository {
        constructor(readonly storage: Storage) {}
      }
      @service()
      class Archive extends Repository {}
      @service()
      class OldArchive extends Archive {}
      @service()
      class Orders {
        constructor(readonly repository: Repository) {}
      }
      @service()
      class Desk {
        constructor(readonly orders: Orders) {}
      }
      expect(await failureOf(adapter, Archive)).toMatchObject({ code: 'E401', place: 'Archive' });
      expect(await failureOf(adapter, OldArchive)).toMatchObject({ code: 'E401', place: 'OldArchive' });
      const failure = await failureOf(adapter, Desk);
      expect(failure).toMatchObject({ code: 'E401', place: 'Desk' });
      expect(failure.message).toContain('Desk → Orders → Repository');
    });

    test('CONT-01 a parameter that a circular import left undefined is said to be one', async () => {
      const { adapter, service } = open();
      @service()
      class Desk {
        constructor(readonly storage: Storage) {}
      }
      parametersAre(Desk, undefined);
      expect((await failureOf(adapter, Desk)).message).toMatch(/undefined|circular import/);
    });

    test('a circle is E402 and names just the circle', async () => {
      const { adapter, service } = open();
      @service()
      class First {
        constructor(readonly next: object) {}
      }
      @service()
      class Second {
        constructor(readonly next: First) {}
      }
      @service()
      class Desk {
        constructor(readonly second: Second) {}
      }
      parametersAre(First, Second);
      const failure = await failureOf(adapter, Desk);
      expect(failure).toMatchObject({ code: 'E402', place: 'Desk' });
      expect(failure.message).toContain(': Second → First → Second\n');
    });

    test('a class that needs itself is a circle', async () => {
      const { adapter, service } = open();
      @service()
      class Desk {
        constructor(readonly desk: object) {}
      }
      parametersAre(Desk, Desk);
      const failure = await failureOf(adapter, Desk);
      expect(failure.code).toBe('E402');
      expect(failure.message).toContain('Desk → Desk');
    });

    test('a constructor that throws is E401 with its cause and path; nothing half-built stays', async () => {
      const { adapter, service } = open();
      const state = { broken: true };
      @service()
      class Repository {
        constructor() {
          if (state.broken) throw new RangeError('no connection');
        }
      }
      @service()
      class Desk {
        constructor(readonly repository: Repository) {}
      }
      const failure = await failureOf(adapter, Desk);
      expect(failure).toMatchObject({ code: 'E401', place: 'Desk' });
      expect(failure.cause).toBeInstanceOf(RangeError);
      expect(failure.message).toMatch(/Repository.*no connection.*Desk → Repository/);
      state.broken = false;
      expect((await adapter.get(Desk)).repository).toBeInstanceOf(Repository);
    });
  });
}
