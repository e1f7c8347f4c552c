import { createApplication, definePrompt, Section } from 'toolwright';
import { refusalOf } from '../refusalOf.js';

describe('sectionTitle', () => {
  test.each(['', ' ', '\n\t'])('a section refuses the title %j', async (title) => {
    @Section({ title })
    class RefundsSection {}
    @Section({ title: 'Orders', children: [RefundsSection] })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E311', place: 'RefundsSection', sectionPath: 'orders.refunds' });
    expect(refusal.findings).toMatchObject([{ className: 'RefundsSection', problem: 'the title is empty' }]);
  });

  test('a title that JavaScript left out is a fault, not a crash', async () => {
    @Section({ key: 'orders' } as never)
    class OrdersSection {}
    expect(await refusalOf(OrdersSection)).toMatchObject({ code: 'E311', sectionPath: 'orders' });
  });

  test('a title of one letter is accepted, and trimmed', async () => {
    @Section({ key: 'a', title: '  X \n' })
    class OrdersSection {}
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection] });
    const app = await createApplication({ prompts: [desk] });
    expect(app.prompt(desk).section('a')?.title).toBe('X');
  });
});
