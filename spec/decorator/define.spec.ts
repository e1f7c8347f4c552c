import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Prompt,
  PromptEvaluationError,
  type RenderedTool,
  Section,
  Tool,
  ToolContext,
  ToolResult,
} from 'toolwright';
import type { ContainerAdapter } from 'toolwright/adapters';
import { invokeOn } from '../builder/invokeOn.js';
import { toolsOf } from '../builder/toolsOf.js';

/** The parts of a tool that do not depend on how it was declared. */
function essence({ metadata }: RenderedTool): object {
  const { place, owner, member: _where, invoke, parse, parseExactly, ...rest } = metadata;
  expect([place, owner, invoke, parse, parseExactly].map((part) => typeof part)).toEqual([
    'string',
    'function',
    'function',
    'function',
    'function',
  ]);
  return { ...rest, params: rest.params?.type };
}

describe('define…', () => {
  test('a method, a class and defineTool become the same tool, and answer alike', async () => {
    class GetOrderParams {
      @Param('Order id') orderId!: string;
    }
    class Order {
      @Param('Order id') orderId!: string;
    }
    const options = {
      name: 'get_order',
      description: 'Fetch one order.',
      params: GetOrderParams,
      result: Order,
      hints: { readOnly: true },
      timeoutMs: 500,
      examples: [{ description: 'One order.', input: { orderId: '#W1' }, output: { orderId: '#W1' } }],
    } as const;
    const answer = ({ orderId }: GetOrderParams, { call }: ToolContext) =>
      ToolResult.ok({ orderId }, `By ${call.name}.`);

    @Section({ key: 'orders', title: 'Orders' })
    class ByMethod {
      @Tool(options) run(params: GetOrderParams, context: ToolContext): ToolResult<{ readonly orderId: string }> {
        return answer(params, context);
      }
    }
    @Tool(options)
    class GetOrderTool {
      handle(params: GetOrderParams, context: ToolContext): ToolResult<{ readonly orderId: string }> {
        return answer(params, context);
      }
    }
    @Section({ key: 'orders', title: 'Orders', tools: [GetOrderTool] })
    class ByClass {}
    const byDefinition = defineSection({
      key: 'orders',
      title: 'Orders',
      tools: [defineTool({ ...options, handler: answer })],
    });

    const sections: readonly Constructor[] = [ByMethod, ByClass, byDefinition];
    const [first, ...others] = await Promise.all(
      sections.map(async (section) => essence((await toolsOf(section))[0]!)),
    );
    for (const other of others) expect(other).toEqual(first);
    const outcomes = await Promise.all(sections.map((section) => invokeOn(section, 'get_order', { orderId: '#W1' })));
    for (const { kind, text } of outcomes)
      expect([kind, text]).toEqual(['succeeded', 'By get_order.\n\n{"orderId":"#W1"}']);
    const refused = await Promise.all(sections.map((section) => invokeOn(section, 'get_order', { orderId: 5 })));
    expect(new Set(refused.map(({ kind, text }) => `${kind} ${text}`)).size).toBe(1);
  });

  test('sections and prompts without decorators render the same', async () => {
    class DeskParams {
      @Param('Customer') customer = 'Ada';
    }
    const child = { key: 'lines', title: 'Lines', template: 'Lines of $customer.' } as const;
    const parent = { key: 'orders', title: 'Orders', params: DeskParams, defaults: { customer: 'Bob' } } as const;
    const prompt = { ns: 'support', key: 'desk', name: 'Desk' } as const;

    @Section(child)
    class LinesSection {}
    @Section({ ...parent, children: [LinesSection] })
    class OrdersSection {}
    @Prompt({ ...prompt, sections: [OrdersSection] })
    class SupportDesk {}
    const defined = definePrompt({
      ...prompt,
      key: 'defined',
      sections: [defineSection({ ...parent, children: [defineSection(child)] })],
    });
    const app = await createApplication({ prompts: [SupportDesk, defined] });
    const [byDecorator, byDefinition] = [app.prompt(SupportDesk), app.prompt(defined)];
    expect((await byDefinition.render()).text).toBe((await byDecorator.render()).text);
    expect((await byDefinition.render()).text).toContain('Lines of Bob.');
    expect([byDefinition.ns, byDefinition.key, byDefinition.name]).toEqual(['support', 'defined', 'Desk']);
  });

  test('a handler gets (params, context); without params, null', async () => {
    const calls: unknown[][] = [];
    const note = (...args: unknown[]): string => {
      calls.push(args);
      return 'noted';
    };
    class City {
      @Param('City') city!: string;
    }
    const section = defineSection({
      key: 'weather',
      title: 'Weather',
      tools: [
        defineTool({ name: 'with_params', description: 'Notes.', params: () => City, handler: note }),
        defineTool({ name: 'without', description: 'Notes.', handler: note }),
        defineTool({ name: 'with_null', description: 'Notes.', params: null, handler: note }),
      ],
    });
    await invokeOn(section, 'with_params', { city: 'Ulm' });
    await invokeOn(section, 'without');
    await invokeOn(section, 'with_null');
    expect(calls.map(([params]) => params)).toEqual([{ city: 'Ulm' }, null, null]);
    expect(calls[0]?.[0]).toBeInstanceOf(City);
    for (const [, context, ...more] of calls) {
      expect(context).toBeInstanceOf(ToolContext);
      expect(more).toEqual([]);
    }
  });

  test('a null handler only advertises: calling it ends the evaluation', async () => {
    const tool = defineTool({ name: 'later', description: 'Not here yet.', handler: null });
    const section = defineSection({ key: 'later', title: 'Later', tools: [tool] });
    const [advertised] = await toolsOf(section);
    expect(advertised?.handler).toBeNull();
    const call = invokeOn(section, 'later');
    await expect(call).rejects.toBeInstanceOf(PromptEvaluationError);
    await expect(call).rejects.toMatchObject({ phase: 'tool' });
  });

  test('no container is asked for defined classes', async () => {
    const asked: Constructor[] = [];
    const container: ContainerAdapter = {
      get: (type) => {
        asked.push(type);
        return new type();
      },
    };
    @Section({ title: 'Rules' })
    class RulesSection {}
    const ping = defineTool({ name: 'ping', description: 'Answers.', handler: () => 'pong' });
    const section = defineSection({ key: 'net', title: 'Network', tools: [ping], children: [RulesSection] });
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [section] });
    const app = await createApplication({ prompts: [desk], container });
    expect(asked).toEqual([RulesSection]);
    expect((await app.invoke(await app.prompt(desk).render(), 'ping', {})).text).toBe('pong');
  });

  test('each definition is a class of its own, named for messages', () => {
    const make = () => defineTool({ name: 'ping', description: 'Answers.', handler: null });
    expect(make()).not.toBe(make());
    expect([make().name, defineSection({ key: 'orders', title: 'Orders' }).name]).toEqual(['ping', 'orders']);
    expect(definePrompt({ ns: 'support', key: 'desk', sections: [] }).name).toBe('desk');
  });
});
