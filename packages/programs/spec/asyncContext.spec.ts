import { AsyncLocalStorage } from 'node:async_hooks';
import { act, engineOfFile, kitOf, PATIENCE_MS } from './kit';

const sandbox = engineOfFile();

test(
  "a handler that a program calls finds the asynchronous context of the program's own request",
  async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const { kit } = await kitOf([act('look', () => seen.push(request.getStore()))], { sandbox });
    const run = (id: string) => request.run(id, () => kit.execute('await look({})'));
    // The engine is started within the first one, and serves the others.
    for (const id of ['one', 'two', 'three']) expect((await run(id)).status).toBe('completed');
    await Promise.all(['four', 'five'].map(run));
    expect(seen.slice(0, 3)).toEqual(['one', 'two', 'three']);
    expect(seen.slice(3).sort()).toEqual(['five', 'four']);
  },
  PATIENCE_MS,
);
