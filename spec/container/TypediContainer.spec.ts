import 'reflect-metadata';
import { Container, Inject, Service, Token } from 'typedi';
import { createApplication, definePrompt, fromTypedi, Section, Tool, type Constructor } from 'toolwright';
import { containerContract, separateContainersContract } from '../contracts/container.contract.js';

let opened = 0;
const service = () => Service() as (type: Constructor) => void;
const nextScope = () => Container.of(`spec ${String(++opened)}`);

afterEach(() => {
  Container.reset(undefined, { strategy: 'resetServices' });
  for (let id = 1; id <= opened; id++) Container.reset(`spec ${String(id)}`, { strategy: 'resetServices' });
});

containerContract('typedi, its global container', () => ({ adapter: fromTypedi(Container), service }));
containerContract('typedi, Container.of(id)', () => ({ adapter: fromTypedi(nextScope()), service }));
containerContract('typedi, Container.of(id) with @Inject', () => ({
  adapter: fromTypedi(nextScope(), Container),
  service,
}));
separateContainersContract('typedi, Container.of(id)', () => ({ adapter: fromTypedi(nextScope()), service }));

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
    for (const host of [Container, nextScope()]) {
      expect(() => fromTypedi(host).get(DeskSection)).toThrow(
        expect.objectContaining({
          code: 'E401',
          place: 'DeskSection',
          message: expect.stringContaining('DeskSection → Users → UserRepo') as unknown,
          remedy: expect.stringContaining('@Service()') as unknown,
        }),
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

  test('@Inject works in Container.of(id) with the second argument, and is asked for without it', () => {
    const host = nextScope();
    host.set('limit', 7);
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(@Inject('limit') readonly limit: number) {}
    }
    expect(fromTypedi(host, Container).get(DeskSection)).toMatchObject({ limit: 7 });
    expect(() => fromTypedi(nextScope()).get(DeskSection)).toThrow(/fromTypedi\(Container\.of\(id\), Container\)/);
  });

  test.each([
    ['the global container', () => fromTypedi(Container)],
    ['Container.of(id)', () => fromTypedi(nextScope(), Container)],
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
      expect.objectContaining({ code: 'E402', message: expect.stringContaining('First → Second → First') as unknown }),
    );
  });

  test('a circle through properties is none: typedi can build it', () => {
    @Service()
    class First {
      @Inject(() => Second) second!: object;
    }
    @Service()
    class Second {
      constructor(readonly first: First) {}
    }
    const first = fromTypedi(Container).get(First);
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

  test('a value set in one container is not seen in another', () => {
    @Service()
    class Settings {
      readonly mode: string = 'default';
    }
    @Section({ title: 'Desk' })
    class DeskSection {
      constructor(readonly settings: Settings) {}
    }
    const [left, right] = [nextScope(), nextScope()];
    left.set(Settings, { mode: 'left' });
    right.set(Settings, { mode: 'right' });
    const modes = [left, right, nextScope()].map((host) => (fromTypedi(host).get(DeskSection) as DeskSection).settings.mode);
    expect(modes).toEqual(['left', 'right', 'default']);
  });
});
