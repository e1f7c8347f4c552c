import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Prompt,
  PromptRenderError,
  Section,
  Session,
  Tool,
  type BoundPrompt,
  type Constructor,
  type SectionOptions,
} from 'toolwright';

class Flag {
  constructor(readonly on: boolean) {}
}
class Level {
  @Param({ integer: true }) level = 1;
}
const promptOf = async (...sections: readonly Constructor[]): Promise<BoundPrompt> => {
  const type = definePrompt({ ns: 'n', key: 'k', sections });
  return (await createApplication({ prompts: [type] })).prompt(type);
};
const section = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  defineSection({ title: key.toUpperCase(), ...options, key });

describe('the text', () => {
  test('the text of a prompt is heading, blank line, body, with a blank line between sections and none at the end', async () => {
    const prompt = await promptOf(
      section('a', { template: '  One.\n  Two.  ', children: [section('b', { template: 'Inner.' })] }),
      section('c'),
      section('d', { template: 'Last.\n\n' }),
    );
    const rendered = await prompt.render();
    expect(rendered.text).toBe(
      ['## 1. A (a)', 'One.\nTwo.', '### 1.1. B (a.b)', 'Inner.', '## 2. C (c)', '## 3. D (d)', 'Last.'].join('\n\n'),
    );
    expect(String(rendered)).toBe(rendered.text);
  });

  test('the text of a prompt without sections is empty', async () => {
    expect((await (await promptOf()).render()).text).toBe('');
  });

  test('the text lists no tools, and rendering runs no handler', async () => {
    let runs = 0;
    const act = defineTool({ name: 'act', description: 'Acts here.', handler: () => ++runs });
    const rendered = await (await promptOf(section('a', { tools: [act], template: 'Body.' }))).render();
    expect(rendered.text).toBe('## 1. A (a)\n\nBody.');
    rendered.toolSchemas('openai', { strict: true });
    expect(rendered.fingerprint).toHaveLength(64);
    expect(rendered.toolParamDescriptions).toEqual({ act: {} });
    expect(runs).toBe(0);
  });

  test('the text of a prompt is the same each time', async () => {
    const prompt = await promptOf(section('a', { template: 'One.' }));
    expect((await prompt.render()).text).toBe((await prompt.render()).text);
  });
});

describe('a disabled section', () => {
  const tool = (name: string) => defineTool({ name, description: 'Acts.', handler: () => name });
  const tree = (enabled: SectionOptions['enabled']) =>
    promptOf(
      section('a'),
      section('b', { enabled, template: 'B.', tools: [tool('b')], children: [section('c', { tools: [tool('c')] })] }),
      section('d', { tools: [tool('d')] }),
    );

  test.each<[string, SectionOptions['enabled']]>([
    ['false', false],
    ['a hook', () => false],
    ['an asynchronous hook', async () => Promise.resolve(false)],
  ])(
    'a section that is disabled by %s loses its text, its tools and its subtree, and keeps its number',
    async (_how, enabled) => {
      const rendered = await (await tree(enabled)).render();
      expect(rendered.text).toBe('## 1. A (a)\n\n## 3. D (d)');
      expect(rendered.tools.map(({ name }) => name)).toEqual(['d']);
      expect(rendered.sections.map(({ path }) => path)).toEqual(['a', 'd']);
    },
  );

  test.each<[string, SectionOptions['enabled']]>([
    ['nothing said', undefined],
    ['true', true],
    ['a hook', () => true],
    ['an asynchronous hook', async () => Promise.resolve(true)],
  ])('a section that is enabled by %s is rendered', async (_how, enabled) => {
    const rendered = await (await tree(enabled)).render();
    expect(rendered.tools.map(({ name }) => name)).toEqual(['b', 'c', 'd']);
  });

  test('hooks of the children of a disabled section are not called', async () => {
    let asked = 0;
    const child = section('c', { enabled: () => ++asked > 0 });
    await (await promptOf(section('b', { enabled: () => false, children: [child] }))).render();
    expect(asked).toBe(0);
  });

  test('a disabled section needs its params all the same; its children do not', async () => {
    class Needed {
      @Param('Word') word!: string;
    }
    const needy = (enabled: boolean, children: readonly Constructor[] = []) =>
      defineSection({ key: 'n', title: 'N', params: Needed, enabled: () => enabled, children });
    await expect((await promptOf(needy(false))).render()).rejects.toMatchObject({ code: 'E501', sectionPath: 'n' });
    const parent = section('p', { enabled: () => false, children: [needy(true)] });
    expect((await (await promptOf(parent)).render()).text).toBe('');
  });
});

describe('hooks', () => {
  test('see the params and the session', async () => {
    const session = new Session();
    session.dispatch(new Flag(true));
    const aware = defineSection({
      key: 'a',
      title: 'A',
      params: Level,
      enabled: ({ params, session: port }) => params.level > 1 && port.slice(Flag).latest()?.on === true,
      renderBody: async ({ params, session: port }) =>
        Promise.resolve(`Level ${params.level}, ${port.slice(Flag).all().length} flag.`),
    });
    const prompt = (await promptOf(aware)).bind(Level, { level: 2 });
    expect((await prompt.render({ session })).text).toContain('Level 2, 1 flag.');
    expect((await prompt.render()).text).toBe('');
    expect(await prompt.tools({ session })).toEqual([]);
  });

  test('hooks may be methods of the class, which keep their this; options take precedence', async () => {
    @Section({ title: 'A', params: Level })
    class Aware {
      readonly #prefix: string = 'Level';
      enabled(): boolean {
        return this.#prefix.length === 5;
      }
      renderBody({ params }: { params: Level }): string {
        return `  ${this.#prefix} ${params.level}\n`;
      }
    }
    @Section({ title: 'B', enabled: () => false })
    class Off {
      enabled(): boolean {
        return true;
      }
    }
    @Prompt({ ns: 'n', key: 'k', sections: [Aware, Off] })
    class Root {}
    const app = await createApplication({ prompts: [Root] });
    expect((await app.prompt(Root).render()).text).toBe('## 1. A (aware)\n\nLevel 1');
  });

  test.each<[string, Partial<SectionOptions>]>([
    [
      'enabled throws',
      {
        enabled: () => {
          throw new RangeError('boom');
        },
      },
    ],
    ['enabled rejects', { enabled: () => Promise.reject(new RangeError('boom')) }],
    [
      'renderBody throws',
      {
        renderBody: () => {
          throw new RangeError('boom');
        },
      },
    ],
    ['renderBody rejects', { renderBody: () => Promise.reject(new RangeError('boom')) }],
  ])('a hook fails when %s: E502 with the path, and the cause', async (_what, options) => {
    const prompt = await promptOf(section('p', { children: [section('a', options)] }));
    const error: unknown = await prompt.render().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PromptRenderError);
    expect(error).toMatchObject({
      code: 'E502',
      sectionPath: 'p.a',
      message: expect.stringContaining('boom') as string,
    });
    expect((error as Error).cause).toBeInstanceOf(RangeError);
  });

  test.each<[string, Partial<SectionOptions>]>([
    ['enabled gives a text', { enabled: () => 'yes' as never }],
    ['enabled gives nothing', { enabled: () => undefined as never }],
    ['renderBody gives a number', { renderBody: () => 7 as never }],
    ['renderBody gives nothing', { renderBody: async () => Promise.resolve(undefined as never) }],
  ])('a hook fails when %s: E502', async (_what, options) => {
    const prompt = await promptOf(section('a', options));
    await expect(prompt.render()).rejects.toMatchObject({ code: 'E502', sectionPath: 'a' });
  });

  test('hooks that return a blank body leave only the heading', async () => {
    expect((await (await promptOf(section('a', { renderBody: () => ' \n ' }))).render()).text).toBe('## 1. A (a)');
  });
});

test('tools are in traversal order: methods, then listed classes, then those of the children', async () => {
  const tool = (name: string) => defineTool({ name, description: 'Acts.', handler: () => name });
  @Section({ title: 'Child' })
  class ChildSection {
    @Tool('Acts.') inChild(): string {
      return '';
    }
  }
  @Section({ title: 'Parent', tools: [tool('listed')], children: [ChildSection] })
  class ParentSection {
    @Tool('Acts.') first(): string {
      return '';
    }
    @Tool('Acts.') second(): string {
      return '';
    }
  }
  @Prompt({ ns: 'n', key: 'k', sections: [ParentSection] })
  class Root {}
  const rendered = await (await createApplication({ prompts: [Root] })).prompt(Root).render();
  expect(rendered.tools.map(({ name }) => name)).toEqual(['first', 'second', 'listed', 'in_child']);
  expect(rendered.tools.map(({ sectionPath }) => sectionPath)).toEqual(['parent', 'parent', 'parent', 'parent.child']);
});
