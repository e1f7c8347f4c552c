import { Param, Section, Tool } from 'toolwright';
import { findDescriptionProblem } from '../../../src/builder/rule/checkToolDescriptions.js';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

describe('toolDescription', () => {
  test.each([
    ['one character', 'x', 'x'],
    ['200 characters', 'x'.repeat(200), 'x'.repeat(200)],
    ['200 characters after trimming', `  ${'x'.repeat(200)}\n`, 'x'.repeat(200)],
    ['newlines and tabs inside', 'First line.\n\tSecond line.', 'First line.\n\tSecond line.'],
    ['every printable ASCII character', '!"#$%&()*+,-./09:;<=>?@AZ[]^_`az{|}~', '!"#$%&()*+,-./09:;<=>?@AZ[]^_`az{|}~'],
  ])('a tool description of %s is accepted, trimmed', async (_case, given, kept) => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool(given) getOrder() {}
    }
    expect((await toolsOf(OrdersSection))[0]?.description).toBe(kept);
  });

  test.each([
    ['nothing', '', 'the description is empty'],
    ['white space only', ' \n\t ', 'the description is empty'],
    ['201 characters', 'x'.repeat(201), '201 characters; at most 200'],
    ['201 characters before their letters', 'é'.repeat(201), '201 characters; at most 200'],
    ['a letter that is not ASCII', 'Größe of an order.', '"ö", which is not ASCII'],
    ['a typographic apostrophe', 'The order’s lines.', '"’", which is not ASCII'],
  ])('a tool description is refused: %s', async (_case, given, problem) => {
    class Receipt {
      @Param('Number') number!: string;
    }
    @Section({ key: 'desk-orders', title: 'Orders' })
    class OrdersSection {
      @Tool({ description: given, params: Receipt }) getOrder(receipt: Receipt) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({
      code: 'E102',
      place: 'OrdersSection.getOrder',
      sectionPath: 'desk-orders',
      toolName: 'get_order',
      paramsType: 'Receipt',
      placeholder: 'description',
    });
    expect(refusal.findings[0]).toMatchObject({ className: 'OrdersSection', member: 'getOrder' });
    expect(refusal.findings[0]?.problem).toContain(problem);
  });

  test('a description that JavaScript left out is a fault, not a crash', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ name: 'get_order' } as never) getOrder() {}
    }
    expect(await refusalOf(OrdersSection)).toMatchObject({ code: 'E102', place: 'OrdersSection.getOrder' });
  });

  test('a good description has no finding', () => {
    expect(findDescriptionProblem('Fetch one order.', 'portable')).toBeUndefined();
  });
});
