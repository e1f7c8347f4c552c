import { type Constructor, createApplication, definePrompt, Section, Tool } from 'toolwright';
import { PlainContainer } from 'toolwright/adapters';
import { containerContract } from '../../packages/contracts/spec/container.contract.js';
import { separateContainersContract } from '../../packages/contracts/spec/separateContainers.contract.js';
import { undecoratedSubclassesContract } from '../../packages/contracts/spec/undecoratedSubclasses.contract.js';

/** Any class decorator does: the compiler emits the types of the constructor for it. */
const emitted = () => (_type: Constructor) => undefined;
const open = () => ({ adapter: new PlainContainer(), service: emitted });

containerContract('PlainContainer', open);
separateContainersContract('PlainContainer', open);
undecoratedSubclassesContract('PlainContainer', open);

describe('PlainContainer', () => {
  test('PlainContainer takes undecorated classes without parameters, and those that inherit such a constructor', () => {
    class Repository {
      readonly rows = 3;
    }
    class Archive extends Repository {}
    const container = new PlainContainer();
    expect(container.get(Archive).rows).toBe(3);
    expect(container.get(Archive)).toBe(container.get(Archive));
    expect(container.get(Repository)).not.toBe(container.get(Archive));
  });

  test("an undecorated subclass with a constructor of its own is not given its base's dependencies", () => {
    class Repository {}
    @emitted()
    class Orders {
      constructor(readonly repository: Repository | string) {}
    }
    Reflect.defineMetadata('design:paramtypes', [String], Orders);
    class Own extends Orders {
      constructor() {
        super(new Repository());
      }
    }
    class Below extends Own {
      readonly rows = 1;
    }
    class Implicit extends Orders {}
    class Fields extends Orders {
      readonly rows = 1;
    }
    const container = new PlainContainer();
    expect(container.get(Own).repository).toBeInstanceOf(Repository);
    expect(container.get(Below).repository).toBeInstanceOf(Repository);
    for (const type of [Implicit, Fields]) {
      expect(() => new PlainContainer().get(type)).toThrow(/E401 .*parameter 0 of .*String/);
    }
  });

  test('CONT-01 messages for the plain container name no other container', () => {
    class Repository {}
    @emitted()
    class Typed {
      constructor(readonly url: string) {}
    }
    class Untold {
      constructor(readonly repository: Repository) {}
    }
    for (const type of [Typed, Untold]) {
      const remedy = expect.stringContaining('decorator on the class') as unknown;
      expect(() => new PlainContainer().get<object>(type)).toThrow(
        expect.objectContaining({ code: 'E401', place: type.name, remedy }) as Error,
      );
      expect(() => new PlainContainer().get<object>(type)).not.toThrow(/@Inject|@Service|typedi/);
    }
  });

  test('CONT-01 an undecorated class with parameters is refused, since their classes are not emitted', () => {
    class Repository {}
    class Orders {
      constructor(readonly repository: Repository) {}
    }
    class Archive extends Orders {}
    @emitted()
    class Desk {
      constructor(readonly archive: Archive) {}
    }
    for (const [type, path] of [
      [Orders, 'Orders'],
      [Archive, 'Archive'],
      [Desk, 'Desk → Archive'],
    ] as const) {
      expect(() => new PlainContainer().get<object>(type)).toThrow(
        expect.objectContaining({
          code: 'E401',
          place: type.name,
          message: expect.stringContaining(path) as unknown,
        }) as Error,
      );
    }
  });

  test('an application without a container gets a new plain one', async () => {
    class Counter {
      count = 0;
    }
    @Section({ title: 'Counter' })
    class CounterSection {
      constructor(readonly counter: Counter) {}
      @Tool('Counts.') count(): number {
        return ++this.counter.count;
      }
    }
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [CounterSection] });
    for (const expected of [
      [1, 2],
      [1, 2],
    ]) {
      const app = await createApplication({ prompts: [desk] });
      const rendered = await app.prompt(desk).render();
      const counts = [await app.invoke(rendered, 'count', {}), await app.invoke(rendered, 'count', {})];
      expect(counts.map(({ result }) => result.value)).toEqual(expected);
    }
  });
});
