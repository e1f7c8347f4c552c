import { setTimeout as sleep } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import { defineTool, PromptEvaluationError } from 'toolwright';
import type { Interceptor } from 'toolwright/policies';
import { deskOf, rejection } from './desk';

/** The process itself. In a process of its own, a rejection ends it although it is handled a moment later, which jest forgives. */
const host = runInThisContext('process') as NodeJS.Process;

describe('a call whose interceptor does not wait for it', () => {
  const leave = defineTool({
    name: 'leave',
    description: 'Leaves.',
    handler: () => {
      throw new PromptEvaluationError('Out.', { phase: 'tool' });
    },
  });
  const around = async (_subject: unknown, next: () => Promise<unknown>): Promise<void> => {
    void next();
    await sleep(10);
  };

  test.each<[where: string, interceptor: Interceptor]>([
    ['the call', { aroundCall: around }],
    ['its handler', { aroundTool: around }],
  ])(
    'a call whose interceptor does not wait for it rejects once it has ended, and not unhandled before (around %s)',
    async (_where, interceptor) => {
      const unhandled: unknown[] = [];
      const hear = (reason: unknown): void => void unhandled.push(reason);
      host.on('unhandledRejection', hear);
      try {
        const desk = await deskOf([leave], { interceptors: [interceptor] });
        expect(await rejection(desk.call('leave'))).toMatchObject({ message: 'Out.' });
        expect(unhandled).toEqual([]);
      } finally {
        host.off('unhandledRejection', hear);
      }
    },
  );
});
