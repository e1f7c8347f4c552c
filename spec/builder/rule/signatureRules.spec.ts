import { Ctx, defineSection, Param, Section, Tool, ToolContext } from 'toolwright';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

describe('constructorParameters', () => {
  test('DECL-11 @Param and @Ctx on a constructor, of a section and of a class tool: each parameter is named', async () => {
    class Repository {}
    @Tool({ name: 'ping', description: 'Answers.' })
    class PingTool {
      constructor(@Param('repository', 'Repository') readonly repository: Repository) {}
      handle() {}
    }
    @Section({ title: 'Orders', tools: [PingTool] })
    class OrdersSection {
      constructor(
        readonly repository: Repository,
        @Ctx() readonly context: Repository,
      ) {}
    }
    const { findings } = await refusalOf(OrdersSection);
    expect(findings).toMatchObject([
      { code: 'E207', place: 'OrdersSection', className: 'OrdersSection', member: 'constructor' },
      { code: 'E207', place: 'PingTool', className: 'PingTool', member: 'constructor' },
    ]);
    expect(findings[0]?.problem).toMatch(/@Ctx.*parameter 1/);
    expect(findings[1]?.problem).toMatch(/@Param.*parameter 0/);
    for (const { remedy } of findings) expect(remedy).toContain('container');
  });

  test('parameters of handlers are ignored by the check of constructors', async () => {
    class Repository {}
    @Section({ title: 'Orders' })
    class OrdersSection {
      constructor(readonly repository: Repository) {}
      @Tool('Fetch.') getOrder(@Param('id', 'Order id') id: string, @Ctx() context: ToolContext) {}
    }
    expect(await toolsOf(OrdersSection, defineSection({ key: 'x', title: 'X' }))).toHaveLength(1);
  });
});
