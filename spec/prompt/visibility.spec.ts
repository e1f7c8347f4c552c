import {
  type BoundPrompt,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type HookInput,
  md,
  Param,
  type PromptOptions,
  PromptRenderError,
  PromptValidationError,
  Section,
  type SectionOptions,
  SectionVisibility,
  Session,
} from 'toolwright';
import { ClearAllVisibilityOverrides, ClearVisibilityOverride, SetVisibilityOverride } from 'toolwright/conversations';
import { FileOutputChecker } from 'toolwright/policies';

class Brief {
  @Param('Whether to be brief') brief = true;
}
const tool = (name: string): Constructor =>
  defineTool({
    name,
    description: 'Does it.',
    handler: () => 'done',
    examples: [{ description: `How ${name} is used`, input: null, output: null }],
  });
const section = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  defineSection({ title: key.toUpperCase(), ...options, key });
const closed = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  section(key, { summary: 'Short.', visibility: 'summary', template: 'Long.', ...options });
const promptOf = async (
  sections: readonly Constructor[],
  options: Partial<PromptOptions> = {},
): Promise<BoundPrompt> => {
  const type = definePrompt({ heading: 'plain', ...options, ns: 'n', key: 'k', sections });
  return (await createApplication({ prompts: [type] })).prompt(type);
};
const thrownBy = (run: Promise<unknown>): Promise<unknown> =>
  run.then(
    () => undefined,
    (error: unknown) => error,
  );
const namesOf = (tools: readonly { readonly name: string }[]): readonly string[] => tools.map(({ name }) => name);

describe('a summarised section', () => {
  const desk = [
    section('a', { template: 'Open.', tools: [tool('ta')] }),
    closed('b', {
      tools: [tool('tb')],
      completion: [new FileOutputChecker({ files: ['x'] })],
      children: [
        section('c', { template: 'Inner.', tools: [tool('tc')] }),
        section('d', { enabled: false }),
        closed('e'),
      ],
    }),
  ];

  test('a summarised section shows heading, summary and the way to open it; tools, examples, checkers and subtree wait', async () => {
    const rendered = await (await promptOf(desk)).render();
    expect(rendered.text).toBe(
      [
        '## A',
        'Open.',
        'Examples:\n- How ta is used: `ta()`',
        '## B',
        'Short.',
        '---\n[This section is summarized. Call `open_sections` with key "b" to view full content including subsections: c, e.]',
      ].join('\n\n'),
    );
    expect(namesOf(rendered.tools)).toEqual(['ta', 'open_sections']);
    expect(rendered.completion).toEqual([]);
    expect(rendered.visibility).toEqual({ a: 'full', b: 'summary' });
    expect(rendered.sections.map(({ path, visibility }) => [path, visibility])).toEqual([
      ['a', 'full'],
      ['b', 'summary'],
    ]);
  });

  test('a summarised section is whole again with an override, and its child is summarised in turn', async () => {
    const prompt = await promptOf(desk);
    const rendered = await prompt.render({ visibilityOverrides: { b: SectionVisibility.FULL, 'no.such': 'summary' } });
    expect(namesOf(rendered.tools)).toEqual(['ta', 'tb', 'tc', 'open_sections']);
    expect(rendered.visibility).toEqual({ a: 'full', b: 'full', 'b.c': 'full', 'b.e': 'summary' });
    expect(rendered.completion).toHaveLength(1);
    const whole = await prompt.render({ visibilityOverrides: { b: 'full', 'b.e': 'full' } });
    expect(namesOf(whole.tools)).toEqual(['ta', 'tb', 'tc']);
  });

  test('tools() offers what rendering offers', async () => {
    const prompt = await promptOf(desk);
    expect(namesOf(await prompt.tools())).toEqual(['ta', 'open_sections']);
    expect(namesOf(await prompt.tools({ visibilityOverrides: { b: 'full', 'b.e': 'full' } }))).toEqual([
      'ta',
      'tb',
      'tc',
    ]);
  });

  test('a summarised section may have an empty summary, placeholders in it, and one with the tag md', async () => {
    const prompt = await promptOf([
      closed('a', { summary: '' }),
      defineSection({ key: 'b', title: 'B', params: Brief, summary: 'Brief: ${brief}.', visibility: 'summary' }),
      defineSection({
        key: 'c',
        title: 'C',
        params: Brief,
        summary: md`So ${'brief'}!`,
        template: '${brief}',
        visibility: 'summary',
      }),
    ]);
    const { text } = await prompt.render();
    expect(text).toContain('## A\n\n---\n[This');
    expect(text).toContain('Brief: true.\n\n---');
    expect(text).toContain('So true!\n\n---');
  });

  test('the tools that open belong to no section and are not to be overridden', async () => {
    const { tools, toolParamDescriptions, descriptor } = await (await promptOf(desk)).render();
    expect(tools.at(-1)).toMatchObject({ sectionPath: '', acceptsOverrides: false });
    expect(toolParamDescriptions['open_sections']).toMatchObject({
      section_keys: { description: expect.stringContaining('summaries') as string },
      reason: { description: expect.stringContaining('needed') as string },
    });
    expect(descriptor.tools.map(({ name }) => name)).not.toContain('open_sections');
  });
});

describe("disclosure: 'auto'", () => {
  test('a section without tools below it is read, another opened; both tools in this order', async () => {
    const sections = [
      closed('a', { children: [section('x', { enabled: false, tools: [tool('tx')] })] }),
      closed('b', { children: [section('y', { children: [section('z', { tools: [tool('tz')] })] })] }),
    ];
    const rendered = await (await promptOf(sections, { disclosure: 'auto' })).render();
    expect(rendered.text).toContain('`read_section` with key "a"');
    expect(rendered.text).toContain('`open_sections` with key "b" to view full content including subsections: y.');
    expect(namesOf(rendered.tools)).toEqual(['open_sections', 'read_section']);
    expect(namesOf((await (await promptOf(sections)).render()).tools)).toEqual(['open_sections']);
  });
});

describe('who says how much is shown', () => {
  test('the session is stronger than the rendering, and the rendering stronger than the declaration', async () => {
    const prompt = await promptOf([section('a', { summary: 'Short.', template: 'Long.' })]);
    const session = new Session();
    const shown = async (visibilityOverrides = {}): Promise<unknown> =>
      (await prompt.render({ session, visibilityOverrides })).visibility['a'];
    expect(await shown()).toBe('full');
    expect(await shown({ a: 'summary' })).toBe('summary');
    session.dispatch(new SetVisibilityOverride('a', 'full'));
    expect(await shown({ a: 'summary' })).toBe('full');
    session.dispatch(new ClearVisibilityOverride('a'));
    expect(await shown({ a: 'summary' })).toBe('summary');
    session.dispatch(new SetVisibilityOverride('a', 'summary'));
    session.dispatch(new ClearAllVisibilityOverrides());
    expect(await shown()).toBe('full');
  });

  test('a hook as option, method or field, at once or later; an override spares it', async () => {
    let asked = 0;
    @Section({ title: 'M', params: Brief, summary: 'Short.' })
    class MethodSection {
      async visibility({ params }: HookInput<Brief>): Promise<SectionVisibility> {
        asked++;
        return params.brief ? 'summary' : 'full';
      }
    }
    @Section({ title: 'F', summary: 'Short.' })
    class FieldSection {
      visibility: SectionVisibility = 'summary';
    }
    const prompt = await promptOf([
      MethodSection,
      FieldSection,
      defineSection({
        key: 'o',
        title: 'O',
        params: Brief,
        summary: 'S.',
        visibility: ({ params }) => (params.brief ? 'summary' : 'full'),
      }),
    ]);
    expect(Object.values((await prompt.render()).visibility)).toEqual(['summary', 'summary', 'summary']);
    const bound = prompt.bind(Brief, { brief: false });
    expect(Object.values((await bound.render()).visibility)).toEqual(['full', 'summary', 'full']);
    const before = asked;
    await prompt.render({ visibilityOverrides: { method: 'full' } });
    expect(asked).toBe(before);
  });

  test('a key like constructor is a key', async () => {
    const prompt = await promptOf([closed('constructor'), section('tostring', { template: 'x' })]);
    expect((await prompt.render()).visibility).toEqual({ constructor: 'summary', tostring: 'full' });
    expect(Object.getPrototypeOf((await prompt.render()).visibility)).toBeNull();
  });
});

describe('summaries that cannot be shown', () => {
  test('E510: a summary that is asked for and missing is refused', async () => {
    const prompt = await promptOf([
      section('a', {
        template: 'Long.',
        children: [section('b', { visibility: ({ session }) => (session.id === 'x' ? 'summary' : 'full') })],
      }),
    ]);
    for (const [options, path] of [
      [{ visibilityOverrides: { a: 'summary' } }, 'a'],
      [{ session: new Session({ id: 'x' }) }, 'a.b'],
    ] as const) {
      const error = await thrownBy(prompt.render(options));
      expect(error instanceof PromptValidationError).toBe(true);
      expect(error).toMatchObject({ code: 'E510', sectionPath: path });
    }
  });

  test('E511: an override that is not a visibility is refused', async () => {
    const prompt = await promptOf([closed('a')]);
    const error = await thrownBy(prompt.render({ visibilityOverrides: { a: 'hidden' as 'full' } }));
    expect(error instanceof PromptRenderError).toBe(true);
    expect(error).toMatchObject({ code: 'E511', sectionPath: 'a' });
  });

  test('E502: a hook that throws, or returns something else, is reported', async () => {
    const wrong = await promptOf([section('a', { visibility: () => 'hidden' as 'full' })]);
    expect(await thrownBy(wrong.render())).toMatchObject({ code: 'E502', sectionPath: 'a' });
    const throwing = await promptOf([section('a', { visibility: () => Promise.reject(new TypeError('no')) })]);
    expect(await thrownBy(throwing.render())).toMatchObject({ code: 'E502', sectionPath: 'a' });
  });
});
