import { createApplication, definePrompt, PlainContainer, Section, Tool, type Constructor } from 'toolwright';
import { containerContract } from '../contracts/container.contract.js';
import { separateContainersContract } from '../contracts/separateContainers.contract.js';

/** Any class decorator does: the compiler emits the types of the constructor for it. */
const emitted = () => (_type: Constructor) => undefined;
const open = () => ({ adapter: new PlainContainer(), service: emitted });

containerContract('PlainContainer', open);
separateContainersContract('PlainContainer', open);

describe('PlainContainer', () => {
  test('takes undecorated classes without parameters, and those that inherit such a constructor', () => {
    class Repository {
      readonly rows = 3;
    }
    class Archive extends Repository {}
    const container = new PlainContainer();
    expect(container.get(Archive).rows).toBe(3);
    expect(container.get(Archive)).toBe(container.get(Archive));
    expect(container.get(Repository)).not.toBe(container.get(Archive));
  });

  test('CONT-01 an undecorated class with parameters is refused: nothing tells their classes', () => {
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

  test('is what an application uses that names no container, anew for each', async () => {
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
