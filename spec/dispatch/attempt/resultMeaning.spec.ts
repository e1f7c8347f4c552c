import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Reducer,
  Session,
  SliceOps,
  ToolResult,
  type Application,
  type Constructor,
  type SliceOp,
  type ToolContext,
} from 'toolwright';
import * as events from 'toolwright/events';
import { silent } from '../../support/silent.js';

class Order {
  constructor(
    readonly id: string,
    readonly status: string,
  ) {}
}

/** The text that the model reads of a call of the tool `act`. */
async function readOf(handler: (params: unknown, context: ToolContext) => unknown): Promise<string> {
  return textOf(defineTool({ name: 'act', description: 'Acts.', handler }));
}

async function textOf(act: Constructor): Promise<string> {
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
  const app: Application = await createApplication({ prompts: [Desk], logger: silent });
  const { text } = await app.invoke(await app.prompt(Desk).render(), 'act', {});
  return text;
}

describe('CALL-12 readers of a result', () => {
  test.each<[string, unknown]>([
    ['an object', { id: '#W1' }],
    ['an instance', new Order('#W1', 'pending')],
    ['a text', 'shipped'],
    ['an empty text', ''],
    ['zero', 0],
    ['false', false],
    ['a list', [1, 2]],
    ['null', null],
    ['undefined', undefined],
  ])('%s: returned, or in ToolResult.ok, reads alike', async (_what, value) => {
    const plain = await readOf(() => value);
    expect(await readOf(() => ToolResult.ok(value))).toBe(plain);
    expect(plain).toBe(
      value === null || value === undefined ? 'OK' : await readOf(() => new ToolResult({ message: '', value })),
    );
  });

  test('a message of the handler still stands above the value', async () => {
    expect(await readOf(() => ToolResult.ok({ id: 1 }, 'Found.'))).toBe('Found.\n\n{"id":1}');
    expect(await readOf(() => ToolResult.ok({ id: 1 }, 'OK'))).toBe('OK\n\n{"id":1}');
  });

  test.each([
    ['a call that uses nothing reads its result twice: to check it and to write it', false, 2],
    ['a call that uses its session checks its result again after the commit', true, 3],
  ])('%s', async (_title, usesSession, reads) => {
    let count = 0;
    const value = {
      get reads(): number {
        return ++count;
      },
    };
    const text = await readOf((_params, context) => {
      if (usesSession) context.session.slice(Order).all();
      return value;
    });
    expect(text).toBe(`{"reads":${String(reads)}}`);
  });

  test('an error takes any value, whatever type the tool declares', async () => {
    const find = (id: string): ToolResult<string> =>
      id === '' ? ToolResult.error('No such order.', { value: { closest: ['#W1'] } }) : ToolResult.ok(id);
    const act = defineTool({ name: 'act', description: 'Acts.', result: String, handler: () => find('') });
    expect(await textOf(act)).toBe('No such order.\n\n{"closest":["#W1"]}');
  });

  const classes = Object.entries(events).filter(([name]) => /^[A-Z]/.test(name) && name !== 'InProcessEventBus');

  test.each(classes)('instanceof %s knows its events, also those of another copy of the package', (name, type) => {
    const made = new (type as unknown as new (fields: object) => object)({ id: 'e1' });
    let copy: typeof events | undefined;
    jest.isolateModules(() => {
      // eslint-disable-next-line @typescript-eslint/no-require-imports
      copy = require('toolwright/events') as typeof events;
    });
    const there = copy?.[name as keyof typeof events] as unknown as new () => object;
    expect(there).not.toBe(type);
    expect(made instanceof there).toBe(true);
    for (const other of [{ id: 'e1' }, null, type]) expect(other instanceof there).toBe(false);
    for (const [another, other] of classes as unknown as [string, new () => object][])
      expect({ another, known: made instanceof other }).toEqual({ another, known: another === name });
  });

  test('latest() of a slice with an initial state is that state before the first event', () => {
    class Add {
      constructor(readonly by: number) {}
    }
    class Count {
      constructor(readonly total: number) {}
      @Reducer(() => Add) add({ by }: Add): SliceOp<Count> {
        return SliceOps.replace(new Count(this.total + by));
      }
    }
    const session = new Session({ slices: [{ type: Count, initial: () => new Count(5) }] });
    expect(session.slice(Count).latest()).toEqual(new Count(5));
    session.dispatch(new Add(2));
    expect(session.slice(Count).latest()).toEqual(new Count(7));
  });
});
