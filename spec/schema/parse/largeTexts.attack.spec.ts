import { defineTool } from 'toolwright';
import { QuickJsSandbox, Toolkit } from '@toolwright/programs';
import { PATIENCE_MS } from '../../../packages/programs/spec/kit';
import { HELD_MS, leastPause } from '../../support/hostPause';
import { silent } from '../../support/silent';
import { measureAround } from '../../support/attacks/around';

measureAround();

const sandbox = new QuickJsSandbox({ workers: 1 });
afterAll(() => sandbox.close());

const text = 'x'.repeat(8_000_000);
const get = defineTool({ name: 'get', description: 'Gets.', handler: () => text });
const rows = defineTool({ name: 'rows', description: 'Lists.', handler: () => ({ rows: [{ text }] }) });

/** The time for parsing alone, in milliseconds. */
async function parsing(json: string): Promise<number> {
  let least = Infinity;
  for (let time = 0; time < 5; time++) least = Math.min(least, await leastPause(() => void JSON.parse(json), 1));
  return least;
}

describe('texts of eight megabytes', () => {
  test.each<[string, string]>([
    ['a text', `return 'x'.repeat(8_000_000);`],
    ['a text with quotes', `return '"x'.repeat(2_600_000);`],
    ['a text with backslashes', `return '\\\\'.repeat(3_900_000);`],
    ['a text that is not ASCII', `return 'ä'.repeat(3_900_000);`],
    ['an object that holds one', `return { a: { b: '"x'.repeat(2_600_000) } };`],
    ['many texts', `return Array.from({ length: 8_000 }, () => 'x'.repeat(990));`],
    ['the text of a tool', 'return await get();'],
    ['an object of a tool', 'return await rows();'],
    ['the length of the text of a tool', 'return (await get()).length;'],
  ])(
    'HOST-05r %s, which a program returns: nothing beyond parsing holds the host',
    async (_what, code) => {
      const kit = await Toolkit.from([get, rows], { sandbox, check: 'syntax', logger: silent, memoryMb: 256 });
      const run = async (): Promise<unknown> => {
        const result = await kit.execute(code);
        expect(result.error).toBeNull();
        expect(result.toModelText().length).toBeLessThan(70_000);
        return result.toolCalls[0]?.result ?? result.returnValue;
      };
      const most = HELD_MS + (await parsing(JSON.stringify(await run())));
      // Each takes as long as a hundred other attacks.
      let pause = Infinity;
      for (let time = 0; time < 6 && pause > most; time++) pause = Math.min(pause, await leastPause(run, 1));
      expect(pause).toBeLessThanOrEqual(most);
      await kit.close();
    },
    PATIENCE_MS,
  );
});
