import { ToolResult } from 'toolwright';
import type { InterceptedInvocation, Interceptor } from 'toolwright/policies';
import { runIntercepted } from '../../../src/dispatch/attempt/runIntercepted';
import { InterceptorList } from '../../../src/dispatch/attempt/InterceptorList';

test('an interceptor that joins is inside of all others, and is the only one that leaves', async () => {
  const told: string[] = [];
  const layer = (name: string): Interceptor => ({
    aroundTool: async (_call, next) => {
      told.push(name);
      await next();
    },
  });
  const list = new InterceptorList([layer('given')]);
  const around = async (): Promise<readonly string[]> => {
    const core = async () => ToolResult.ok(null);
    await runIntercepted(list.of('aroundTool'), {} as InterceptedInvocation, core, 'act');
    return told.splice(0);
  };
  const leave = list.add(layer('joined'));
  list.add(layer('last'));
  expect(await around()).toEqual(['given', 'joined', 'last']);
  leave();
  expect(await around()).toEqual(['given', 'last']);
});
