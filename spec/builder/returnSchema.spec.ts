import { createApplication, definePrompt, defineSection, defineTool, Section, Tool, ToolResult } from 'toolwright';
import { invokeOn } from './invokeOn.js';
import { refusalOf } from './refusalOf.js';
import { toolsOf } from './toolsOf.js';

const schema = {
  type: 'object',
  properties: { id: { type: 'string' }, total: { type: 'number' } },
  required: ['id'],
} as const;

describe('returnSchema', () => {
  test('a result is checked against it: wrong ones fail with their paths, and are rolled back', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', returnSchema: schema }) good(): object {
        return { id: '#W1', total: 5, more: true };
      }
      @Tool({ description: 'Fetch one order.', returnSchema: schema }) bad(): object {
        return { total: 'five' };
      }
      @Tool({ description: 'Fetch one order.', returnSchema: schema }) none(): ToolResult {
        return ToolResult.ok(null, 'No order.');
      }
    }
    expect(await invokeOn(OrdersSection, 'good')).toMatchObject({
      kind: 'succeeded',
      text: '{"id":"#W1","total":5,"more":true}',
    });
    const bad = await invokeOn(OrdersSection, 'bad');
    expect(bad).toMatchObject({ kind: 'failed', result: { success: false, value: null } });
    expect(bad.text).toMatch(/id[\s\S]*total/);
    expect(await invokeOn(OrdersSection, 'none')).toMatchObject({ kind: 'succeeded', text: 'No order.' });
  });

  test("returnSchema is part of the tool, as a frozen copy; the author's object is not changed", async () => {
    const given = { type: 'array', items: { type: 'string' } };
    const tool = defineTool({ name: 'list', description: 'Lists.', returnSchema: given, handler: null });
    const [offered] = await toolsOf(defineSection({ key: 'desk', title: 'Desk', tools: [tool] }));
    expect(offered?.metadata.returnSchema).toEqual(given);
    expect(Object.isFrozen(offered?.metadata.returnSchema?.['items'])).toBe(true);
    expect(Object.isFrozen(given.items)).toBe(false);
    expect(offered).toMatchObject({ resultContainer: 'array', resultType: { kind: 'array' } });
  });

  test('there is no return schema without the option, whatever the result', async () => {
    const tool = defineTool({ name: 'list', description: 'Lists.', result: [String], handler: null });
    const [offered] = await toolsOf(defineSection({ key: 'desk', title: 'Desk', tools: [tool] }));
    expect(offered?.metadata.returnSchema).toBeNull();
  });

  test('an example has to fit it, and may hold more than it names', async () => {
    const section = (output: unknown) =>
      defineSection({
        key: 'desk',
        title: 'Desk',
        tools: [
          defineTool({
            name: 'get',
            description: 'Fetch.',
            returnSchema: schema,
            examples: [{ description: 'One.', input: null, output }],
            handler: null,
          }),
        ],
      });
    expect(await toolsOf(section({ id: '#W1', more: 1 }))).toHaveLength(1);
    expect((await refusalOf(section({ id: 5 }))).findings[0]?.problem).toMatch(/example 1: its output .*id/);
    expect((await refusalOf(section(null))).findings[0]?.problem).toMatch(/must not be null/);
  });

  test('E112: result and returnSchema exclude each other', async () => {
    const options = { description: 'Fetch one order.', result: String, returnSchema: { type: 'string' } };
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool(options as never) getOrder(): string {
        return '#W1';
      }
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({ code: 'E112', place: 'OrdersSection.getOrder', placeholder: 'returnSchema' });
    expect(refusal.findings[0]).toMatchObject({
      className: 'OrdersSection',
      member: 'getOrder',
      toolName: 'get_order',
    });
  });

  test.each<[string, unknown]>([
    ['a text', 'object'],
    ['a list', [schema]],
    ['null', null],
    ['a schema of another library', { '~standard': { version: 1, vendor: 'x', validate: () => ({ value: 1 }) } }],
    ['what JSON cannot hold', { type: 'string', check: () => true }],
  ])('E312: a returnSchema that is %s is refused', async (_case, returnSchema) => {
    const tool = defineTool({ name: 'get', description: 'Fetch.', returnSchema: returnSchema as never, handler: null });
    const refusal = await refusalOf(defineSection({ key: 'desk', title: 'Desk', tools: [tool] }));
    expect(refusal).toMatchObject({ code: 'E312', place: 'get', placeholder: 'returnSchema' });
  });

  test('E312: a schema that holds itself', async () => {
    const returnSchema: Record<string, unknown> = { type: 'object' };
    returnSchema['not'] = returnSchema;
    const tool = defineTool({ name: 'get', description: 'Fetch.', returnSchema, handler: null });
    const desk = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 'd', title: 'D', tools: [tool] })],
    });
    await expect(createApplication({ prompts: [desk] })).rejects.toMatchObject({ code: 'E312' });
  });
});
