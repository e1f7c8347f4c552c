import { defineTool } from 'toolwright';
import { Toolkit } from '@toolwright/programs';
import { engineOfFile, PATIENCE_MS } from './kit';

describe('the value of a program', () => {
  const sandbox = engineOfFile();
  const tools = [defineTool({ name: 'get', description: 'Gets.', handler: () => 7 })];

  test(
    'a returned value holds at most 20,000 values, and a larger one fails with what to do',
    async () => {
      const kit = await Toolkit.from(tools, { sandbox, check: 'syntax' });
      const returning = (count: number) => kit.execute(`return Array.from({ length: ${String(count)} }, () => 1);`);
      expect((await returning(19_999)).returnValue).toHaveLength(19_999);
      const { status, error } = await returning(20_002);
      expect({ status, error }).toMatchObject({
        status: 'failed',
        error: { kind: 'limit', message: 'The value of the program holds more than 20000 values.' },
      });
      expect(error?.hint).toContain('Return only what is needed');
      await kit.close();
    },
    PATIENCE_MS,
  );
});
