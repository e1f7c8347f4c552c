import 'reflect-metadata';
import fc from 'fast-check';
import { Container, Inject, Service, Token } from 'typedi';
import { type Constructor, createApplication, definePrompt, Section, Tool } from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import { containerContract } from '../../packages/contracts/spec/container.contract.js';
import { separateContainersContract } from '../../packages/contracts/spec/separateContainers.contract.js';
import { undecoratedSubclassesContract } from '../../packages/contracts/spec/undecoratedSubclasses.contract.js';

let opened = 0;
const service = () => Service() as (type: Constructor) => void;
const nextId = () => `spec ${String(++opened)}`;

afterEach(() => {
  Container.of().reset({ strategy: 'resetServices' });
});

containerContract('typedi, its global container', () => ({ adapter: fromTypedi(Container), service }));
containerContract('typedi, Container.of(id)', () => ({ adapter: fromTypedi(Container, { id: nextId() }), service }));
separateContainersContract('typedi, Container.of(id)', () => ({
  adapter: fromTypedi(Container, { id: nextId() }),
  service,
}));

undecoratedSubclassesContract('typedi, its global container', () => ({ adapter: fromTypedi(Container), service }));
undecoratedSubclassesContract('typedi, Container.of(id)', () => ({
  adapter: fromTypedi(Container, { id: nextId() }),
  service,
}));

interface Storage {
  readonly rows: number;
}

describe('fromTypedi', () => {
  test('CONT-01 missing provider: a class without @Service() is named with the path to it', () => {
    class UserRepo {}
    @Service()
    class Users {
      constructor(readonly repo: UserRepo) {}
    }
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(readonly users: Users) {}
    }
    for (const id of [undefined, nextId()]) {
      expect(() => fromTypedi(Container, { id }).get(DeskSection)).toThrow(
        expect.objectContaining({
          code: 'E401',
          place: 'DeskSection',
          message: expect.stringContaining('DeskSection → Users → UserRepo') as unknown,
          remedy: expect.stringContaining('@Service()') as unknown,
        }) as Error,
      );
    }
  });

  test('CONT-01 missing provider: behind an inherited constructor, too', () => {
    class UserRepo {}
    @Service()
    class Base {
      constructor(readonly repo: UserRepo) {}
    }
    @Service()
    class Users extends Base {}
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(readonly users: Users) {}
    }
    expect(() => fromTypedi(Container).get(DeskSection)).toThrow(/DeskSection → Users → UserRepo/);
  });

  test('@Inject names what the type of a parameter cannot', () => {
    const storageToken = new Token<Storage>('storage');
    Container.set(storageToken, { rows: 3 });
    Container.set('limit', 5);
    @Service()
    class Orders {
      constructor(
        @Inject(storageToken) readonly storage: Storage,
        @Inject('limit') readonly limit: number,
      ) {}
    }
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(
        readonly orders: Orders,
        @Inject('limit') readonly limit: number,
      ) {}
    }
    const desk = fromTypedi(Container).get(DeskSection) as DeskSection;
    expect(desk).toMatchObject({ limit: 5, orders: { limit: 5, storage: { rows: 3 } } });
  });

  test('@Inject works in Container.of(id), and finds what that container holds', () => {
    const id = nextId();
    Container.of(id).set('limit', 7);
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(@Inject('limit') readonly limit: number) {}
    }
    expect(fromTypedi(Container, { id }).get(DeskSection)).toMatchObject({ limit: 7 });
    expect(() => fromTypedi(Container, { id: nextId() }).get(DeskSection)).toThrow(/E401 DeskSection: /);
  });

  test('an instance of a container is refused, with the way to name it', () => {
    const instance = Container.of(nextId());
    expect(() => fromTypedi(instance as never)).toThrow(
      expect.objectContaining({ code: 'E401', remedy: expect.stringContaining('{ id }') as unknown }) as Error,
    );
  });

  test.each([
    ['the global container', () => fromTypedi(Container)],
    ['Container.of(id)', () => fromTypedi(Container, { id: nextId() })],
  ])('a circle through @Inject(() => X) is E402, in %s', (_case, adapter) => {
    @Service()
    class First {
      constructor(@Inject(() => Second) readonly second: object) {}
    }
    @Service()
    class Second {
      constructor(@Inject(() => First) readonly first: object) {}
    }
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(readonly first: First) {}
    }
    expect(() => adapter().get(DeskSection)).toThrow(
      expect.objectContaining({
        code: 'E402',
        message: expect.stringContaining('First → Second → First') as unknown,
      }) as Error,
    );
  });

  test('a circle through properties is allowed: typedi can build it', () => {
    @Service()
    class First {
      @Inject(() => Second) second!: object;
    }
    @Service()
    class Second {
      constructor(readonly first: First) {}
    }
    const first = fromTypedi(Container).get(First) as First;
    expect((first.second as Second).first).toBe(first);
  });

  test('values and factories that are registered are used, and their constructors not looked at', async () => {
    @Service()
    class Repository {
      constructor(readonly storage: Storage) {}
    }
    @Service({ factory: () => new Clock('Berlin') })
    class Clock {
      constructor(readonly zone: string) {}
    }
    const repository = new Repository({ rows: 9 });
    Container.set(Repository, repository);
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(
        readonly repository: Repository,
        readonly clock: Clock,
      ) {}
    }
    const desk = fromTypedi(Container).get(DeskSection) as DeskSection;
    expect(desk.repository).toBe(repository);
    expect(desk.clock.zone).toBe('Berlin');
  });

  test('a section that is registered with typedi already is taken as it is', async () => {
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(readonly name: string) {}
      @Tool('Names itself.') whoAmI(): string {
        return this.name;
      }
    }
    Container.set(DeskSection, new DeskSection('night desk'));
    const prompt = definePrompt({ ns: 'support', key: 'desk', sections: [DeskSection] });
    const app = await createApplication({ prompts: [prompt], container: fromTypedi(Container) });
    expect((await app.invoke(await app.prompt(prompt).render(), 'who_am_i', {})).text).toBe('night desk');
  });

  test('the adapter registers decorated classes only: a plain one is refused', () => {
    class Plain {}
    @Service()
    class Desk {
      constructor(readonly plain: Plain) {}
    }
    expect(() => fromTypedi(Container).get(Plain)).toThrow(/E401 Plain: /);
    expect(() => fromTypedi(Container).get(Desk)).toThrow(/Desk → Plain/);
    expect(Container.has(Plain)).toBe(false);
  });

  test('a subclass that supplies its base itself still gets its @Inject properties', () => {
    @Service()
    class Clock {
      readonly zone = 'Berlin';
    }
    @Section({ title: 'Base' })
    class BaseSection {
      constructor(readonly url: string) {}
    }
    class DeskSection extends BaseSection {
      @Inject(() => Clock) clock!: Clock;
      constructor() {
        super('https://desk.example');
      }
    }
    const desk = fromTypedi(Container).get(DeskSection) as DeskSection;
    expect(desk).toMatchObject({ url: 'https://desk.example', clock: { zone: 'Berlin' } });
  });

  test('CONT-01 a parameter that cannot be injected is reported with the message of typedi', () => {
    @Service()
    class Orders {
      constructor(readonly url: string) {}
    }
    expect(() => fromTypedi(Container).get(Orders)).toThrow(/fix: .*name the service with @Inject/);
  });

  test('a value set in one container is not seen in another', () => {
    @Service()
    class Settings {
      mode = 'default';
    }
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(readonly settings: Settings) {}
    }
    const [left, right] = [nextId(), nextId()];
    Container.of(left).set(Settings, Object.assign(new Settings(), { mode: 'left' }));
    Container.of(right).set(Settings, Object.assign(new Settings(), { mode: 'right' }));
    const modes = [left, right, nextId()].map(
      (id) => (fromTypedi(Container, { id }).get(DeskSection) as DeskSection).settings.mode,
    );
    expect(modes).toEqual(['left', 'right', 'default']);
  });

  test('CONT-11 registration order determinism: 100 shuffled orders produce the same bytes', async () => {
    class Clock {}
    class Repository {
      constructor(readonly clock: Clock) {}
    }
    class Orders {
      constructor(readonly repository: Repository) {}
    }
    class Mailbox {}
    Reflect.defineMetadata('design:paramtypes', [Clock], Repository);
    Reflect.defineMetadata('design:paramtypes', [Repository], Orders);
    @Section({ title: 'Mail', template: 'Write.' })
    class MailSection {
      constructor(readonly mailbox: Mailbox) {}
      @Tool('Sends.') send() {}
    }
    @Section({ title: 'Orders', template: 'Look up.', children: [MailSection] })
    class OrdersSection {
      constructor(readonly orders: Orders) {}
      @Tool('Fetch one order.') getOrder() {}
      @Tool('Fetch all orders.') listOrders() {}
    }
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection] });
    const services = [Clock, Repository, Orders, Mailbox, MailSection] as unknown as readonly (new () => object)[];
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...services], { minLength: services.length }), async (order) => {
        const id = nextId();
        for (const type of order) Container.of(id).set({ id: type, type: type });
        const app = await createApplication({ prompts: [desk], container: fromTypedi(Container, { id }) });
        const rendered = await app.prompt(desk).render();
        seen.add(JSON.stringify([rendered.text, rendered.toolSchemas('openai'), rendered.fingerprint]));
      }),
      { numRuns: 100 },
    );
    expect(seen.size).toBe(1);
  });
});
