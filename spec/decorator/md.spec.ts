import { createApplication, definePrompt, md, Param, Section } from 'toolwright';

describe('md', () => {
  test('md keeps the text and the names of the placeholders, frozen', () => {
    const template = md`Prefer ${'primaryTool'}, then ${'secondTool'}.`;
    expect(template).toEqual({ strings: ['Prefer ', ', then ', '.'], names: ['primaryTool', 'secondTool'] });
    expect(Object.isFrozen(template)).toBe(true);
  });

  test('md renders what the same text as a string renders', async () => {
    class DeskParams {
      @Param('Tool to try first') primaryTool = 'get_order';
      @Param('Price') price = 5;
    }
    @Section({
      title: 'One',
      params: DeskParams,
      template: md`
        Prefer ${'primaryTool'} for $$${'price'}.
          Not: ${'primaryTool'}s.
      `,
    })
    class OneSection {}
    @Section({
      title: 'Two',
      params: DeskParams,
      template: `
        Prefer \${primaryTool} for $$\${price}.
          Not: \${primaryTool}s.
      `,
    })
    class TwoSection {}
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OneSection, TwoSection], heading: 'plain' });
    const app = await createApplication({ prompts: [desk] });
    const body = 'Prefer get_order for $5.\n  Not: get_orders.';
    expect((await app.prompt(desk).render()).text).toBe(`## One\n\n${body}\n\n## Two\n\n${body}`);
  });

  test('a template can be shared: nothing of one section stays in it', async () => {
    class Left {
      @Param('Name') name = 'Ada';
    }
    class Right {
      @Param('Name') name = 'Bob';
    }
    const template = md`Serve ${'name'}.`;
    @Section({ title: 'L', params: Left, template })
    class LeftSection {}
    @Section({ title: 'R', params: Right, template })
    class RightSection {}
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [LeftSection, RightSection], heading: 'plain' });
    const app = await createApplication({ prompts: [desk] });
    expect((await app.prompt(desk).render()).text).toBe('## L\n\nServe Ada.\n\n## R\n\nServe Bob.');
  });

  test('inserted values are never looked at again', async () => {
    class DeskParams {
      @Param('Name') name = '${secret} $secret $$';
      @Param('Secret') secret = 'hidden';
    }
    @Section({ title: 'One', params: DeskParams, template: md`${'name'} ${'secret'}` })
    class OneSection {}
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OneSection], heading: 'plain' });
    const app = await createApplication({ prompts: [desk] });
    expect((await app.prompt(desk).render()).text).toBe('## One\n\n${secret} $secret $$ hidden');
  });
});
