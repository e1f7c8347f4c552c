import 'reflect-metadata';
import * as here from 'toolwright';
import * as ownLoop from 'toolwright/own-loop';
import { ScriptedModel } from 'toolwright/testing';

/** Another copy of the package, as a process has it that loads the ESM and the CJS build. */
function anotherCopy(): typeof here {
  let copy: typeof here | undefined;
  jest.isolateModules(() => {
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    copy = require('toolwright') as typeof here;
  });
  return copy!;
}

describe('two copies of the package', () => {
  test('two copies of the package have different classes', () => {
    const there = anotherCopy();
    expect(there.ToolResult).not.toBe(here.ToolResult);
  });

  test("know each other's results", () => {
    const there = anotherCopy();
    expect(there.ToolResult.ok('x') instanceof here.ToolResult).toBe(true);
    expect(here.ToolResult.error('x') instanceof there.ToolResult).toBe(true);
    expect(there.ToolResult instanceof here.ToolResult).toBe(false);
  });

  test("know each other's errors, each by its class", () => {
    const there = anotherCopy();
    const request = { sectionKeys: ['a'], reason: 'R', requestedOverrides: { a: 'full' } } as const;
    const signal = new there.VisibilityExpansionRequired(request);
    expect(signal instanceof here.VisibilityExpansionRequired).toBe(true);
    expect(signal instanceof here.PromptError).toBe(true);
    expect(signal instanceof here.ToolwrightError).toBe(true);
    expect(signal instanceof here.ToolRefusal).toBe(false);
    expect(new here.ToolRefusal('x') instanceof there.ToolRefusal).toBe(true);
    expect(new here.DeadlineExceededError() instanceof there.DeadlineExceededError).toBe(true);
  });

  test('two copies of the package read what the other one decorated, its ToolContext included', async () => {
    const there = anotherCopy();
    const { Param, Section, Tool, ToolContext } = there;
    class GetOrderParams {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      getOrder(params: GetOrderParams, context: unknown): unknown {
        return there.ToolResult.ok(
          { orderId: params.orderId, name: (context as here.ToolContext).call.name },
          'Found.',
        );
      }
    }
    const descriptor = Object.getOwnPropertyDescriptor(OrdersSection.prototype, 'getOrder')!;
    Reflect.defineMetadata('design:paramtypes', [GetOrderParams, ToolContext], OrdersSection.prototype, 'getOrder');
    Tool('Fetch one order.')(
      OrdersSection.prototype,
      'getOrder',
      descriptor as TypedPropertyDescriptor<(params: GetOrderParams) => unknown>,
    );
    const desk = there.definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection] });

    const app = await here.createApplication({ prompts: [desk] });
    const outcome = await app.invoke(await app.prompt(desk).render(), 'get_order', { orderId: '#W1' });
    expect(outcome.result).toMatchObject({ message: 'Found.', value: { orderId: '#W1', name: 'get_order' } });
  });

  test('a refusal of one copy is a refusal in the other', async () => {
    const there = anotherCopy();
    const tool = here.defineTool({
      name: 'cancel',
      description: 'Cancels.',
      handler: () => {
        throw new there.ToolRefusal('Only pending orders can be cancelled.');
      },
    });
    const section = here.defineSection({ key: 'orders', title: 'Orders', tools: [tool] });
    const desk = here.definePrompt({ ns: 'support', key: 'desk', sections: [section] });
    const app = await here.createApplication({ prompts: [desk] });
    const outcome = await app.invoke(await app.prompt(desk).render(), 'cancel', {});
    expect([outcome.kind, outcome.text]).toEqual(['failed', 'Only pending orders can be cancelled.']);
  });

  test('a prompt of one copy is rehearsed by the other one, and runs within a call of that', async () => {
    let there: typeof ownLoop | undefined;
    jest.isolateModules(() => {
      there = jest.requireActual<typeof ownLoop>('toolwright/own-loop');
    });
    expect(there!.rehearseRun).not.toBe(ownLoop.rehearseRun);
    const text = here.defineSection({ key: 'text', title: 'Text', template: 'Be brief.' });
    const inner = here.definePrompt({ ns: 'support', key: 'inner', sections: [text] });
    const ask = here.defineTool({
      name: 'ask',
      description: 'Asks.',
      hints: { openWorld: false },
      handler: async (_params: unknown, { run }) => (await run!.evaluate(app.prompt(inner))).text,
    });
    const section = here.defineSection({ key: 'orders', title: 'Orders', tools: [ask] });
    const desk = here.definePrompt({ ns: 'support', key: 'desk', sections: [section] });
    const app = await here.createApplication({ prompts: [desk, inner] });
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'ask', arguments: {} }] },
      { text: 'It is late.' },
      { text: 'They say that it is late.' },
    ]);
    const { response } = await there!.rehearseRun(app, app.prompt(desk), { adapter });
    expect(response.transcript.filter(({ role }) => role !== 'system').map(({ content }) => content)).toEqual([
      null,
      'It is late.',
      'They say that it is late.',
    ]);
  });
});
