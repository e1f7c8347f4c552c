import { createApplication, definePrompt, Param, Section, type Constructor } from 'toolwright';
import { refusalOf } from '../refusalOf.js';

async function textOf(section: Constructor): Promise<string> {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections: [section], heading: 'plain' });
  const app = await createApplication({ prompts: [desk] });
  return (await app.prompt(desk).render()).text;
}

describe('sectionDefaults', () => {
  test('a plain object that parses is accepted, and the rest is filled from the class', async () => {
    class DeskParams {
      @Param('Who is served') customer!: string;
      @Param('Tool to try first') primaryTool = 'get_order';
    }
    @Section({
      title: 'Orders',
      params: DeskParams,
      defaults: { customer: 'Ada' },
      template: '$customer uses $primaryTool',
    })
    class OrdersSection {}
    expect(await textOf(OrdersSection)).toBe('## Orders\n\nAda uses get_order');
  });

  test('an instance of exactly the class is accepted as it is', async () => {
    class DeskParams {
      @Param('Who is served') customer = 'nobody';
    }
    const ada = new DeskParams();
    ada.customer = 'Ada';
    @Section({ title: 'Orders', params: () => DeskParams, defaults: ada, template: '${customer}' })
    class OrdersSection {}
    expect(await textOf(OrdersSection)).toBe('## Orders\n\nAda');
  });

  test.each([
    ['a wrong type', { customer: 5 }, 'customer'],
    ['an unknown key', { customer: 'Ada', costumer: 'Bob' }, 'costumer'],
    ['a missing value', {}, 'customer'],
  ])('the defaults of a section are refused: %s', async (_case, defaults, mentioned) => {
    class DeskParams {
      @Param('Who is served') customer!: string;
    }
    @Section({ key: 'orders', title: 'Orders', params: DeskParams, defaults: defaults as never })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({
      code: 'E309',
      place: 'OrdersSection',
      sectionPath: 'orders',
      paramsType: 'DeskParams',
    });
    expect(refusal.findings[0]?.problem).toContain(mentioned);
  });

  test('defaults of another class are refused, also of a subclass', async () => {
    class DeskParams {
      @Param('Who is served') customer = 'Ada';
    }
    class NightDeskParams extends DeskParams {}
    @Section({ title: 'Orders', params: DeskParams, defaults: new NightDeskParams() })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E309', paramsType: 'DeskParams' });
    expect(refusal.findings[0]?.problem).toContain('NightDeskParams');
  });

  test('defaults of a section without params are refused', async () => {
    @Section({ title: 'Orders', defaults: { customer: 'Ada' } })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E309', place: 'OrdersSection', paramsType: undefined });
    expect(refusal.findings[0]?.problem).toContain('no params class');
  });

  test('a child is judged by the params that it inherits', async () => {
    class DeskParams {
      @Param('Who is served') customer = 'Ada';
    }
    @Section({ title: 'Refunds', defaults: { customer: 7 } })
    class RefundsSection {}
    @Section({ title: 'Orders', params: DeskParams, children: [RefundsSection] })
    class OrdersSection {}
    expect(await refusalOf(OrdersSection)).toMatchObject({
      code: 'E309',
      sectionPath: 'orders.refunds',
      paramsType: 'DeskParams',
    });
  });

  test.each([null, 'Ada', 7, ['Ada']])(
    'defaults %j are refused with a code, whatever the compiler let through',
    async (defaults) => {
      class DeskParams {
        @Param('Who is served') customer = 'Ada';
      }
      @Section({ title: 'Orders', params: DeskParams, defaults: defaults as never })
      class OrdersSection {}
      expect(await refusalOf(OrdersSection)).toMatchObject({ code: 'E309', sectionPath: 'orders' });
    },
  );
});
