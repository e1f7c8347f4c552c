import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Session,
  type ToolContext,
  type Transactional,
} from 'toolwright';
import { failAfter, failAtWrite, InjectedFailure } from 'toolwright/testing';

class Store implements Transactional<Store> {
  #lines: readonly string[];

  constructor(lines: readonly string[] = []) {
    this.#lines = lines;
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  write(line: string): void {
    this.#lines = [...this.#lines, line];
  }

  begin(): Store {
    return new Store(this.#lines);
  }

  commit(view: Store): void {
    this.#lines = view.#lines;
  }
}

const quiet = { debug() {}, info() {}, warn() {}, error() {} };

async function desk(store: Store, interceptors: readonly ReturnType<typeof failAfter>[] = []) {
  const write = defineTool({
    name: 'write',
    description: 'Writes twice.',
    handler: (_params: unknown, context: ToolContext) => {
      context.resources.get(Store).write('one');
      context.resources.get(Store).write('two');
    },
  });
  const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools: [write] })] });
  const app = await createApplication({
    prompts: [Desk],
    logger: quiet,
    interceptors,
    resources: [bind(Store, { value: store })],
  });
  const rendered = await app.prompt(Desk).render();
  const session = new Session();
  return () => app.invoke(rendered, 'write', {}, { session });
}

describe('failAfter', () => {
  test('failAfter fails every call of the tool after its handler has run; nothing is kept', async () => {
    const store = new Store();
    const call = await desk(store, [failAfter('write')]);
    expect(await call()).toMatchObject({ kind: 'failed', error: expect.any(InjectedFailure) as Error });
    expect(store.lines).toEqual([]);
  });

  test('failAfter can fail only one of the calls, with a custom error', async () => {
    const store = new Store();
    const error = new RangeError('mine');
    const call = await desk(store, [failAfter('write', { call: 2, error })]);
    expect((await call()).kind).toBe('succeeded');
    expect(await call()).toMatchObject({ kind: 'failed', error });
    expect((await call()).kind).toBe('succeeded');
    expect(store.lines).toHaveLength(4);
  });

  test('other tools are not affected; * means all', async () => {
    expect((await (await desk(new Store(), [failAfter('read')]))()).kind).toBe('succeeded');
    expect((await (await desk(new Store(), [failAfter('*')]))()).kind).toBe('failed');
  });
});

describe('failAtWrite', () => {
  test('failAtWrite fails the n-th write of a transaction; nothing is kept', async () => {
    const store = new Store();
    const call = await desk(failAtWrite(store, 2));
    expect(await call()).toMatchObject({ kind: 'failed', error: expect.any(InjectedFailure) as Error });
    expect(store.lines).toEqual([]);
  });

  test('with fewer writes than given, everything is kept if the test says so', async () => {
    const store = new Store();
    const call = await desk(failAtWrite(store, 3, { fewerWrites: 'kept' }));
    expect((await call()).kind).toBe('succeeded');
    expect((await call()).kind).toBe('succeeded');
    expect(store.lines).toEqual(['one', 'two', 'one', 'two']);
  });

  test('the methods that write can be configured', async () => {
    const store = new Store();
    expect((await (await desk(failAtWrite(store, 1, { methods: ['commit'] })))()).kind).toBe('failed');
    expect(store.lines).toEqual([]);
  });
});
