import { setTimeout as sleep } from 'node:timers/promises';
import { defineTool, Param } from 'toolwright';
import { act, engineOfFile, kitOf, loginWith, PATIENCE_MS } from './kit';

jest.setTimeout(PATIENCE_MS);
const sandbox = engineOfFile();

describe('a call of a program', () => {
  test('the time of a program runs on once its approver has answered', async () => {
    const ask = act('ask', () => 'asked', { requiresApproval: true });
    const wait = act('wait', () => sleep(3_000, undefined, { ref: false }));
    const { kit } = await kitOf([ask, wait], { sandbox, timeoutMs: 500 });
    const result = await kit.execute('await ask();\nawait wait();', { approve: () => ({ kind: 'approved' }) });
    expect(result).toMatchObject({ status: 'timed_out', toolCalls: [{ status: 'ok' }, { status: 'cancelled' }] });
  });

  test.each([true, false])(
    'a call of a program is not repaired: a program knows the types (atomic: %p)',
    async (atomic) => {
      class Count {
        @Param({ description: 'Count', integer: true }) count!: number;
      }
      const seen: unknown[] = [];
      const add = defineTool({
        name: 'add',
        description: 'Adds.',
        params: Count,
        handler: ({ count }) => void seen.push(count),
      });
      const { kit } = await kitOf([add], { sandbox, atomic, desk: { repair: 'on' } });
      const result = await kit.execute('await add({ count: "2" });');
      expect(result).toMatchObject({ status: 'failed', error: { kind: 'type' } });
      expect(seen).toEqual([]);
    },
  );

  test('a call of a program gets the reason of its failure without the secrets of its arguments', async () => {
    const login = loginWith(({ key }) => {
      throw new Error(`no access with ${key}`);
    });
    const { kit } = await kitOf([login], { sandbox });
    const result = await kit.execute('return await login({ key: "s3cr3t-key" }).catch(({ message }) => message);');
    expect(result.returnValue).toBe('no access with [secret]');
    expect(result.toolCalls).toMatchObject([{ status: 'error', error: 'no access with [secret]' }]);
  });
});
