import {
  createApplication,
  definePrompt,
  Param,
  PromptRenderError,
  Section,
  Session,
  Tool,
  type Application,
  type BoundPrompt,
  type Constructor,
  type HookInput,
} from 'toolwright';

async function boot(...sections: readonly Constructor[]): Promise<{ app: Application; prompt: BoundPrompt }> {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections, heading: 'numbered' });
  const app = await createApplication({ prompts: [desk] });
  return { app, prompt: app.prompt(desk) };
}

describe('Section', () => {
  test('a section without a template only carries its heading and tools', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder() {}
    }
    const { prompt } = await boot(OrdersSection);
    const rendered = await prompt.render();
    expect(rendered.text).toBe('## 1 Orders');
    expect(rendered.tools.map(({ name }) => name)).toEqual(['get_order']);
  });

  test('a child without params takes its parents', async () => {
    class DeskParams {
      @Param('Customer') customer = 'Ada';
    }
    @Section({ title: 'Refunds', template: 'Refund $customer.' })
    class RefundsSection {}
    @Section({ title: 'Orders', params: DeskParams, children: [RefundsSection] })
    class OrdersSection {}
    const { prompt } = await boot(OrdersSection);
    expect((await prompt.render()).text).toBe('## 1 Orders\n\n### 1.1 Refunds\n\nRefund Ada.');
  });

  test('hooks may be methods: they see the params, the session and the services of their class', async () => {
    class DeskParams {
      @Param('Customer') customer = 'Ada';
    }
    @Section({ title: 'Orders', params: DeskParams })
    class OrdersSection {
      readonly greeting: string = 'Serve';
      enabled({ params }: HookInput<DeskParams>): boolean {
        return params.customer !== 'nobody' && this.greeting === 'Serve';
      }
      async renderBody({ params, session }: HookInput<DeskParams>): Promise<string> {
        return `  ${this.greeting} ${params.customer} in ${session.id}.  `;
      }
    }
    const { prompt } = await boot(OrdersSection);
    const session = new Session({ id: 's1' });
    expect((await prompt.render({ session })).text).toBe('## 1 Orders\n\nServe Ada in s1.');
    expect((await prompt.bind(DeskParams, { customer: 'nobody' }).render({ session })).text).toBe('');
  });

  test('an option goes before a method of the same name', async () => {
    @Section({ title: 'Orders', enabled: () => true, renderBody: () => 'by option' })
    class OrdersSection {
      enabled(): boolean {
        return false;
      }
      renderBody(): string {
        return 'by method';
      }
    }
    const { prompt } = await boot(OrdersSection);
    expect((await prompt.render()).text).toBe('## 1 Orders\n\nby option');
  });
});

describe('Section: enabled', () => {
  test.each([
    ['a constant', false],
    ['a hook', () => false],
    ['an asynchronous hook', async () => Promise.resolve(false)],
  ])('CONT-09 disabled parent with enabled children, by %s: no text, no tools, no call', async (_case, enabled) => {
    let asked = 0;
    @Section({
      title: 'Lines',
      template: 'Lines.',
      enabled: () => {
        asked++;
        return true;
      },
    })
    class LinesSection {
      @Tool('Fetch lines.') getLines(): string {
        return 'lines';
      }
    }
    @Section({ title: 'Orders', template: 'Orders.', enabled, children: [LinesSection] })
    class OrdersSection {
      @Tool('Fetch one order.') getOrder() {}
    }
    @Section({ title: 'Rules', template: 'Be kind.' })
    class RulesSection {}
    const { app, prompt } = await boot(OrdersSection, RulesSection);
    const rendered = await prompt.render();
    expect(rendered.text).toBe('## 2 Rules\n\nBe kind.');
    expect(rendered.tools).toEqual([]);
    expect(await prompt.tools()).toEqual([]);
    expect(asked).toBe(0);
    const outcome = await app.invoke(rendered, 'get_lines', {});
    expect(outcome).toMatchObject({ kind: 'unknown', result: { success: false, value: null } });
  });

  test('CONT-09 a disabled section with missing params still fails', async () => {
    class DeskParams {
      @Param('Customer') customer!: string;
    }
    @Section({ title: 'Orders', params: DeskParams, enabled: () => false })
    class OrdersSection {}
    const { prompt } = await boot(OrdersSection);
    await expect(prompt.render()).rejects.toMatchObject({
      code: 'E501',
      sectionPath: 'orders',
      paramsType: 'DeskParams',
    });
  });

  test.each([
    [
      'throws',
      (): boolean => {
        throw new RangeError('no session');
      },
    ],
    ['rejects', async (): Promise<boolean> => Promise.reject(new RangeError('no session'))],
  ])('CONT-10 isEnabled predicate %s: PromptRenderError with section and cause', async (_case, enabled) => {
    @Section({ title: 'Lines', enabled })
    class LinesSection {}
    @Section({ title: 'Orders', children: [LinesSection] })
    class OrdersSection {}
    const { prompt } = await boot(OrdersSection);
    for (const attempt of [prompt.render(), prompt.tools()]) {
      const error: unknown = await attempt.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(PromptRenderError);
      expect(error).toMatchObject({ code: 'E502', sectionPath: 'orders.lines', cause: new RangeError('no session') });
      expect((error as Error).message).toMatch(/enabled.*no session/);
    }
  });

  test('CONT-10 isEnabled predicate is async: its promise is awaited, in order', async () => {
    const order: string[] = [];
    const enabled = (name: string, result: boolean) => async () => {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(name);
      return result;
    };
    @Section({ title: 'First', enabled: enabled('first', true) })
    class FirstSection {}
    @Section({ title: 'Second', enabled: enabled('second', false) })
    class SecondSection {}
    @Section({ title: 'Third', enabled: enabled('third', true) })
    class ThirdSection {}
    const { prompt } = await boot(FirstSection, SecondSection, ThirdSection);
    expect((await prompt.render()).text).toBe('## 1 First\n\n## 3 Third');
    expect(order).toEqual(['first', 'second', 'third']);
  });

  test.each([[undefined], ['yes'], [1], [null]])('CONT-10 a predicate that returns %p is refused', async (value) => {
    @Section({ title: 'Orders', enabled: () => value as never })
    class OrdersSection {}
    const { prompt } = await boot(OrdersSection);
    await expect(prompt.render()).rejects.toMatchObject({ code: 'E502', sectionPath: 'orders' });
  });
});
