import { defineSection, defineTool, Section, Tool } from 'toolwright';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

/** A section with one tool of this name. */
function sectionWith(name: string): ReturnType<typeof defineSection> {
  const tool = defineTool({ name, description: 'Fetch one order.', handler: null });
  return defineSection({ key: 'orders', title: 'Orders', tools: [tool] });
}

describe('toolName', () => {
  test('DECL-01 derived camelCase name: the method name in snake_case', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Find one entity.') lookupEntity() {}
      @Tool('Fetch a page.') getURL() {}
      @Tool('Parse a page.') parseHTMLPage2() {}
      @Tool('Count.') count() {}
    }
    const names = (await toolsOf(OrdersSection)).map(({ name }) => name);
    expect(names).toEqual(['lookup_entity', 'get_url', 'parse_html_page2', 'count']);
  });

  test('DECL-01 derived camelCase name: an illegal derived name is refused, never repaired', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Price of an order.') größe() {}
      @Tool('Price of an order.') $price() {}
      @Tool('Price of an order.') [Symbol('price')]() {}
    }
    const { findings } = await refusalOf(OrdersSection);
    expect(findings).toMatchObject([
      { code: 'E101', className: 'OrdersSection', member: 'größe', toolName: 'größe', placeholder: 'größe' },
      { code: 'E101', className: 'OrdersSection', member: '$price', toolName: '$price' },
      { code: 'E101', className: 'OrdersSection', place: 'OrdersSection.Symbol(price)' },
    ]);
  });

  test('DECL-01 derived camelCase name: one that is too long asks for a name', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.')
      fetchTheWholeOrderWithAllOfItsLinesPaymentsRefundsAndNotesAtOnce() {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E101', sectionPath: 'orders' });
    expect(refusal.remedy).toContain('@Tool({ name })');
  });

  test.each(['a', '0', '-', '_', 'a-b_c-9', 'a'.repeat(64), 'constructor', '__proto__'])(
    'the tool name %j is accepted',
    async (name) => {
      expect((await toolsOf(sectionWith(name))).map((tool) => tool.name)).toEqual([name]);
    },
  );

  test('DECL-03 name 64 / 65 characters: the message holds the limit and the length', async () => {
    expect(await toolsOf(sectionWith('a'.repeat(64)))).toHaveLength(1);
    const refusal = await refusalOf(sectionWith('a'.repeat(65)));
    expect(refusal).toMatchObject({
      code: 'E101',
      place: 'a'.repeat(65),
      sectionPath: 'orders',
      toolName: 'a'.repeat(65),
      placeholder: 'a'.repeat(65),
    });
    expect(refusal.findings[0]?.problem).toContain('65 characters');
    expect(refusal.findings[0]?.problem).toContain('1 to 64');
  });

  test.each([
    ['d\u0435lete_file', 'U+0435'],
    ['\uff47\uff45\uff54', 'U+FF47 U+FF45 U+FF54'],
    ['\u212aelvin', 'U+212A'],
    ['get_\u{1f600}', 'U+1F600'],
    ['zero\u200bwidth', 'U+200B'],
  ])('DECL-05 homoglyph name %j: the message shows the code points', async (name, codePoints) => {
    const refusal = await refusalOf(sectionWith(name));
    expect(refusal).toMatchObject({ code: 'E101', toolName: name, placeholder: name });
    expect(refusal.findings[0]?.problem).toContain(codePoints);
  });

  test.each([
    ['get\n', 'U+000A'],
    ['get\u0000', 'U+0000'],
    ['get\r\n', 'U+000D U+000A'],
    ['\nget', 'U+000A'],
  ])('DECL-06 name with trailing newline or NUL %j', async (name, codePoints) => {
    const refusal = await refusalOf(sectionWith(name));
    expect(refusal).toMatchObject({ code: 'E101', toolName: name });
    expect(refusal.findings[0]?.problem).toContain(codePoints);
    expect(refusal.findings[0]?.problem).not.toMatch(/[\n\u0000]/);
  });

  test.each(['', ' ', 'Get', 'get order', ' get', 'get ', 'get.order', 'get/order', 'get$', 'get\tit'])(
    'the tool name %j is refused, and is not normalised',
    async (name) => {
      const refusal = await refusalOf(sectionWith(name));
      expect(refusal).toMatchObject({ code: 'E101', toolName: name, sectionPath: 'orders' });
      expect(refusal.placeholder).toBe(name.trim() === '' ? undefined : name.trim());
    },
  );

  test('the tools of disabled sections and of class tools are checked, too', async () => {
    @Tool({ name: 'Hand Over', description: 'Hand over to a person.' })
    class TransferTool {
      handle() {}
    }
    @Section({ title: 'Orders', enabled: false, tools: [TransferTool] })
    class OrdersSection {}
    expect(await refusalOf(OrdersSection)).toMatchObject({
      code: 'E101',
      place: 'TransferTool',
      sectionPath: 'orders',
      toolName: 'Hand Over',
    });
  });
});
