import { Param, Section, Tool } from 'toolwright';
import { refusalOf } from '../refusalOf.js';

describe('toolFinding', () => {
  test('the fault of an inherited tool names the class that offers it', async () => {
    class Query {
      @Param('Text') text!: string;
    }
    class Base {
      @Tool({ name: 'Find', description: 'Finds.' }) find(params: Query) {}
    }
    @Section({ title: 'Archive' })
    class ArchiveSection extends Base {}
    const refusal = await refusalOf(ArchiveSection);
    expect(refusal.findings).toMatchObject([
      {
        code: 'E101',
        place: 'ArchiveSection.find',
        className: 'ArchiveSection',
        member: 'find',
        sectionPath: 'archive',
        toolName: 'Find',
        paramsType: 'Query',
        placeholder: 'Find',
      },
    ]);
  });

  test('the fault of a class tool has no member, and the path of the section that lists it', async () => {
    @Tool({ name: 'transfer', description: '' })
    class TransferTool {
      handle() {}
    }
    @Section({ title: 'Refunds', tools: [TransferTool] })
    class RefundsSection {}
    @Section({ title: 'Orders', children: [RefundsSection] })
    class OrdersSection {}
    const [found] = (await refusalOf(OrdersSection)).findings;
    expect(found).toMatchObject({ place: 'TransferTool', sectionPath: 'orders.refunds', toolName: 'transfer' });
    expect([found?.member, found?.paramsType]).toEqual([undefined, undefined]);
  });
});

describe('sectionFinding', () => {
  test('a finding of a section names the class, the path and the params, and no tool', async () => {
    class DeskParams {
      @Param('Customer') customer = 'Ada';
    }
    @Section({ key: 'orders', title: '', params: DeskParams })
    class OrdersSection {
      @Tool('Answers.') ping() {}
    }
    const [found] = (await refusalOf(OrdersSection)).findings;
    expect(found).toMatchObject({
      place: 'OrdersSection',
      className: 'OrdersSection',
      sectionPath: 'orders',
      paramsType: 'DeskParams',
    });
    expect([found?.member, found?.toolName, found?.placeholder]).toEqual([undefined, undefined, undefined]);
  });
});
