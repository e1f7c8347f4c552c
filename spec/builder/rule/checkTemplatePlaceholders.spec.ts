import { createApplication, definePrompt, md, Param, Section } from 'toolwright';
import { refusalOf } from '../refusalOf.js';

describe('templatePlaceholders', () => {
  test('DECL-25 a template placeholder that is not in params is an error at creation, with path and placeholder', async () => {
    class DeskParams {
      @Param('Tool to try first') primaryTool = 'get_order';
    }
    @Section({ title: 'Refunds', template: 'Prefer ${primryTool}.' })
    class RefundsSection {}
    @Section({ title: 'Orders', params: DeskParams, children: [RefundsSection] })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({
      code: 'E304',
      place: 'RefundsSection',
      sectionPath: 'orders.refunds',
      paramsType: 'DeskParams',
      placeholder: 'primryTool',
    });
    expect(refusal.findings[0]?.problem).toContain('Did you mean "primaryTool"?');
  });

  test('DECL-25 template placeholder not in params: a disabled section is no excuse', async () => {
    @Section({ title: 'Orders', enabled: false, template: '${missing}' })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E304', sectionPath: 'orders', placeholder: 'missing' });
    expect(refusal.findings[0]?.problem).toContain('no params class');
  });

  test('the alphabetically first of several is mirrored; each is reported once', async () => {
    class DeskParams {
      @Param('Customer') customer = 'Ada';
    }
    // The compiler looks into literals only; a text from a file comes this way.
    const template = ['$zebra $customer ${apple} $zebra $mango'].join();
    @Section({ title: 'Orders', params: DeskParams, template })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.placeholder).toBe('apple');
    expect(refusal.findings.map(({ placeholder }) => placeholder)).toEqual(['apple', 'mango', 'zebra']);
  });

  test('the tag md is judged like a string', async () => {
    class DeskParams {
      @Param('Customer') customer = 'Ada';
    }
    const template = md`Serve ${'costumer'}.`;
    @Section({ title: 'Orders', params: DeskParams, template: template as never })
    class OrdersSection {}
    expect(await refusalOf(OrdersSection)).toMatchObject({ code: 'E304', placeholder: 'costumer' });
  });

  test.each([
    ['at the end', 'costs 5 $', '$'],
    ['before a digit', 'costs $5', '$5'],
    ['empty braces', 'a ${} b', '${} b'],
    ['a path', 'a ${order.id} b', '${order.id} '],
    ['a space in the braces', 'a ${ order } b', '${ order } b'],
    ['an open brace', 'a ${order', '${order'],
  ])('a stray dollar sign %s is a fault that shows where', async (_case, template, shown) => {
    @Section({ title: 'Orders', template })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({ code: 'E305', place: 'OrdersSection', sectionPath: 'orders' });
    expect(refusal.findings[0]?.problem).toContain(JSON.stringify(shown));
    expect(refusal.remedy).toContain('$$');
  });

  test('a stray dollar sign and an unknown placeholder are reported together', async () => {
    @Section({ title: 'Orders', template: 'costs 5 $ for ${customer}' })
    class OrdersSection {}
    expect((await refusalOf(OrdersSection)).findings.map(({ code }) => code)).toEqual(['E305', 'E304']);
  });

  test('own and inherited properties, and doubled dollar signs, are accepted in a template', async () => {
    class Base {
      @Param('Customer') customer = 'Ada';
    }
    class DeskParams extends Base {
      @Param({ description: 'Tool to try first', name: 'primary_tool' }) primaryTool = 'get_order';
    }
    @Section({ title: 'Orders', params: DeskParams, template: '$$5 for ${customer} by $primaryTool, $$primaryTool' })
    class OrdersSection {}
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection], heading: 'plain' });
    const app = await createApplication({ prompts: [desk], fieldNames: 'snake_case' });
    expect((await app.prompt(desk).render()).text).toBe('## Orders\n\n$5 for Ada by get_order, $primaryTool');
  });

  test('a child takes the placeholders from its parent, unless it has params of its own', async () => {
    class DeskParams {
      @Param('Customer') customer = 'Ada';
    }
    class RefundParams {
      @Param('Limit') limit = 5;
    }
    const template = ['$limit $customer'].join();
    @Section({ title: 'Refunds', params: RefundParams, template })
    class RefundsSection {}
    @Section({ title: 'Lines', template: '$customer' })
    class LinesSection {}
    @Section({ title: 'Orders', params: DeskParams, children: [LinesSection, RefundsSection] })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toMatchObject([
      { code: 'E304', sectionPath: 'orders.refunds', paramsType: 'RefundParams', placeholder: 'customer' },
    ]);
  });
});
