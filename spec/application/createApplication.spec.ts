import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Prompt,
  PromptValidationError,
  Section,
  Tool,
} from 'toolwright';
import { InProcessEventBus, ToolInvoked } from 'toolwright/events';

const ping = (handler: () => unknown = () => 'pong') => defineTool({ name: 'ping', description: 'Answers.', handler });

describe('createApplication', () => {
  test('createApplication needs nothing but prompts', async () => {
    const type = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 's', title: 'S', tools: [ping()] })],
    });
    const app = await createApplication({ prompts: [type] });
    const rendered = await app.prompt(type).render();
    expect(await app.invoke(rendered, 'ping', {})).toMatchObject({ kind: 'succeeded', text: 'pong' });
  });

  test('createApplication takes several prompts, which may share sections', async () => {
    const shared = defineSection({ key: 's', title: 'Shared', tools: [ping()] });
    const [first, second] = ['a', 'b'].map((key) => definePrompt({ ns: 'n', key, sections: [shared] }));
    const app = await createApplication({ prompts: [first!, second!] });
    expect(app.prompt(first!).key).toBe('a');
    expect((await app.prompt(second!).render()).tools).toHaveLength(1);
  });

  test('two applications of the same classes share nothing', async () => {
    class Params {
      @Param('Some id') orderId = 'x';
    }
    @Section({ title: 'S' })
    class Counter {
      count = 0;
      @Tool('Counts.')
      next(_params: Params): number {
        return ++this.count;
      }
    }
    @Prompt({ ns: 'n', key: 'k', sections: [Counter] })
    class Root {}
    const plain = await createApplication({ prompts: [Root] });
    const snake = await createApplication({ prompts: [Root], fieldNames: 'snake_case' });
    const [first, second] = [await plain.prompt(Root).render(), await snake.prompt(Root).render()];
    expect((await plain.invoke(first, 'next', {})).text).toBe('1');
    expect((await plain.invoke(first, 'next', {})).text).toBe('2');
    expect((await snake.invoke(second, 'next', {})).text).toBe('1');
    expect(Object.keys(first.tools[0]?.schema['properties'] as object)).toEqual(['orderId']);
    expect(Object.keys(second.tools[0]?.schema['properties'] as object)).toEqual(['order_id']);
  });

  test('createApplication coerces arguments only when an option says so', async () => {
    class Params {
      @Param({ integer: true }) n!: number;
    }
    const tool = defineTool({ name: 'act', description: 'Acts.', params: Params, handler: ({ n }) => n + 1 });
    const type = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
    });
    for (const [coerce, text] of [
      [true, '6'],
      [false, 'rejected'],
      [undefined, 'rejected'],
    ] as const) {
      const app = await createApplication({ prompts: [type], coerce });
      const outcome = await app.invoke(await app.prompt(type).render(), 'act', { n: '5' });
      expect(outcome.kind === 'succeeded' ? outcome.text : outcome.kind).toBe(text);
    }
  });

  test('createApplication publishes on the bus that it is given, and shows it', async () => {
    const eventBus = new InProcessEventBus();
    const names: string[] = [];
    eventBus.subscribe(ToolInvoked, ({ name }) => {
      names.push(name);
    });
    const type = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 's', title: 'S', tools: [ping()] })],
    });
    const app = await createApplication({ prompts: [type], eventBus });
    await app.invoke(await app.prompt(type).render(), 'ping', {});
    expect(app.eventBus).toBe(eventBus);
    expect(names).toEqual(['ping']);
  });

  test('createApplication throws one PromptValidationError with the faults of all prompts', async () => {
    const bad = (key: string) => definePrompt({ ns: ' ', key, sections: [defineSection({ key, title: ' ' })] });
    const error: unknown = await createApplication({ prompts: [bad('a'), bad('b')] }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(PromptValidationError);
    expect((error as PromptValidationError).findings.map(({ code }) => code).sort()).toEqual([
      'E306',
      'E306',
      'E311',
      'E311',
    ]);
  });

  test('createApplication refuses a class that carries no @Prompt: E301', async () => {
    class Bare {}
    await expect(createApplication({ prompts: [Bare] })).rejects.toMatchObject({ code: 'E301', place: 'Bare' });
  });
});

describe('the console', () => {
  test('warnings and errors are logged to the console unless a logger is passed', async () => {
    const spies = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
      jest.spyOn(console, level).mockImplementation(() => undefined),
    );
    try {
      const tool = defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, { logger }) => {
          logger.debug('quiet');
          logger.info('quiet');
          logger.error('loud');
          throw new Error('boom');
        },
      });
      const type = definePrompt({
        ns: 'n',
        key: 'k',
        sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
      });
      const app = await createApplication({ prompts: [type] });
      await app.invoke(await app.prompt(type).render(), 'act', {});
      const [debug, info, log, warn, error] = spies;
      expect([debug, info, log].map((spy) => spy?.mock.calls.length)).toEqual([0, 0, 0]);
      expect(error?.mock.calls).toEqual([[expect.stringContaining('loud')]]);
      expect(warn?.mock.calls).toEqual([[expect.stringContaining('boom')]]);
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
  });
});
