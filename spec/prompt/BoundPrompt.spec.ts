import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  PromptError,
  PromptValidationError,
  type Application,
  type BoundPrompt,
} from 'toolwright';

class DeskParams {
  @Param('Tool to try first') tool!: string;
  @Param({ integer: true }) level = 1;
}
class OtherParams {
  @Param('Greeting') greeting = 'Hello';
}
class Stranger {
  @Param('Nothing') nothing = '';
}
const deskPrompt = async (): Promise<BoundPrompt> => {
  const desk = defineSection({ key: 'desk', title: 'Desk', params: DeskParams, template: '$tool at $level' });
  const other = defineSection({ key: 'other', title: 'Other', params: OtherParams, template: '$greeting' });
  const type = definePrompt({ ns: ' spec ', key: ' desk ', sections: [desk, other], heading: 'plain' });
  return (await createApplication({ prompts: [type] })).prompt(type);
};
const bodies = async (prompt: BoundPrompt): Promise<readonly string[]> =>
  (await prompt.render()).text.split('\n\n').filter((line) => !line.startsWith('#'));

describe('bind', () => {
  test('bind takes a class with values, which are parsed', async () => {
    const prompt = (await deskPrompt()).bind(DeskParams, { tool: 'get_order', level: 3 });
    expect(await bodies(prompt)).toEqual(['get_order at 3', 'Hello']);
  });

  test('bind fills in the defaults of the class', async () => {
    expect(await bodies((await deskPrompt()).bind(DeskParams, { tool: 'get_order' }))).toEqual([
      'get_order at 1',
      'Hello',
    ]);
  });

  test('bind takes instances of several classes at once', async () => {
    const desk = Object.assign(new DeskParams(), { tool: 'a' });
    const other = Object.assign(new OtherParams(), { greeting: 'Hi' });
    expect(await bodies((await deskPrompt()).bind(desk, other))).toEqual(['a at 1', 'Hi']);
  });

  test('bind returns another prompt, and does not change the first one', async () => {
    const first = (await deskPrompt()).bind(DeskParams, { tool: 'a' });
    const second = first.bind(DeskParams, { tool: 'b' });
    expect(await bodies(first)).toEqual(['a at 1', 'Hello']);
    expect(await bodies(second)).toEqual(['b at 1', 'Hello']);
    expect(Object.isFrozen(first)).toBe(true);
  });

  test('bind replaces an earlier bind of the class as a whole, and keeps the others', async () => {
    const prompt = (await deskPrompt())
      .bind(OtherParams, { greeting: 'Hi' })
      .bind(DeskParams, { tool: 'a', level: 9 })
      .bind(DeskParams, { tool: 'b' });
    expect(await bodies(prompt)).toEqual(['b at 1', 'Hi']);
  });

  test('bind without values changes nothing', async () => {
    const prompt = (await deskPrompt()).bind(DeskParams, { tool: 'a' });
    expect(await bodies(prompt.bind())).toEqual(['a at 1', 'Hello']);
  });

  test("bind uses the names of the properties, whatever the model's names are", async () => {
    class Named {
      @Param({ name: 'first_tool', description: 'x' }) firstTool!: string;
    }
    const section = defineSection({ key: 's', title: 'S', params: Named, template: '$firstTool' });
    const type = definePrompt({ ns: 'n', key: 'k', sections: [section], heading: 'plain' });
    const app = await createApplication({ prompts: [type], fieldNames: 'snake_case' });
    expect(await bodies(app.prompt(type).bind(Named, { firstTool: 'a' }))).toEqual(['a']);
  });
});

describe('bind refuses with PromptValidationError E310', () => {
  type Loose = (...input: readonly unknown[]) => BoundPrompt;
  const desk = (): DeskParams => Object.assign(new DeskParams(), { tool: 'a' });
  class SubParams extends DeskParams {}

  test.each<[string, readonly unknown[]]>([
    ['two instances of one class', [desk(), desk()]],
    ['an instance of a class that no section takes', [new Stranger()]],
    ['an instance of a subclass', [new SubParams()]],
    ['a plain object', [{ tool: 'a' }]],
    ['an object without prototype', [Object.create(null)]],
    ['a class without values', [DeskParams]],
    ['a class among instances', [desk(), OtherParams]],
    ['a class that no section takes, with values', [Stranger, { nothing: '' }]],
    ['values of a wrong type', [DeskParams, { tool: 5 }]],
    ['values with a key that is not known', [DeskParams, { tool: 'a', tol: 'b' }]],
    ['values that lack something', [DeskParams, {}]],
    ['values that are an instance of another class', [DeskParams, new OtherParams()]],
    ['values that are no object', [DeskParams, 'tool']],
    ['values that are null', [DeskParams, null]],
    ['values and one more', [DeskParams, { tool: 'a' }, { tool: 'b' }]],
    ['null', [null]],
    ['a number', [5]],
    ['a text', ['tool']],
  ])('bind refuses with E310 %s', async (_what, input) => {
    const prompt = await deskPrompt();
    const bind = (): unknown => (prompt.bind.bind(prompt) as Loose)(...input);
    expect(bind).toThrow(PromptValidationError);
    expect(bind).toThrow(expect.objectContaining({ code: 'E310', findings: [expect.anything()] }) as Error);
  });

  test('the message names what is wrong with the values', async () => {
    const prompt = await deskPrompt();
    const bind = (): unknown => prompt.bind(DeskParams, { tool: 'a', level: 'high' as never });
    expect(bind).toThrow(/DeskParams.*level expected a whole number/);
    expect(bind).toThrow(expect.objectContaining({ paramsType: 'DeskParams' }) as Error);
  });
});

describe('render', () => {
  const desk = (tool: string): DeskParams => Object.assign(new DeskParams(), { tool });

  test('render binds instances for this one rendering', async () => {
    const prompt = (await deskPrompt()).bind(DeskParams, { tool: 'a' });
    expect((await prompt.render(desk('b'))).text).toContain('b at 1');
    expect((await prompt.render(desk('c'), {})).text).toContain('c at 1');
    expect((await prompt.render()).text).toContain('a at 1');
  });

  test.each<[string, readonly unknown[]]>([
    ['two instances of one class', [desk('a'), desk('b')]],
    ['a class', [DeskParams]],
    ['an instance that no section takes', [new Stranger()]],
    ['a plain object before the options', [{ tool: 'a' }, {}]],
    ['null', [null]],
  ])('render refuses %s like bind', async (_what, input) => {
    const prompt = (await deskPrompt()).bind(DeskParams, { tool: 'a' });
    const render = prompt.render.bind(prompt) as (...all: readonly unknown[]) => Promise<unknown>;
    await expect(render(...input)).rejects.toBeInstanceOf(PromptValidationError);
  });
});

describe('a prompt', () => {
  test('a prompt says what it is called, and knows its sections by path', async () => {
    const child = defineSection({ key: 'child', title: 'Child' });
    const parent = defineSection({ key: 'parent', title: 'Parent', children: [child] });
    const type = definePrompt({ ns: ' spec ', key: ' desk ', sections: [parent] });
    const prompt = (await createApplication({ prompts: [type] })).prompt(type);
    expect([prompt.ns, prompt.key, prompt.name]).toEqual(['spec', 'desk', 'desk']);
    expect(prompt.sections.map(({ path, title }) => `${path} ${title}`)).toEqual([
      'parent Parent',
      'parent.child Child',
    ]);
    expect(prompt.section('parent.child')?.title).toBe('Child');
    expect(prompt.section('child')).toBeUndefined();
  });

  test('a prompt returns its enabled tools in order, without rendering any text', async () => {
    let rendered = 0;
    const tool = (name: string) => defineTool({ name, description: 'Acts.', handler: () => name });
    const off = defineSection({ key: 'off', title: 'Off', tools: [tool('hidden')], enabled: () => false });
    const child = defineSection({ key: 'child', title: 'Child', tools: [tool('c')] });
    const on = defineSection({
      key: 'on',
      title: 'On',
      tools: [tool('a'), tool('b')],
      children: [off, child],
      renderBody: () => `${++rendered}`,
    });
    const last = defineSection({ key: 'last', title: 'Last', tools: [tool('d')] });
    const type = definePrompt({ ns: 'n', key: 'k', sections: [on, last] });
    const prompt = (await createApplication({ prompts: [type] })).prompt(type);
    expect((await prompt.tools()).map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(rendered).toBe(0);
    expect((await prompt.render()).tools.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd']);
    expect(rendered).toBe(1);
  });

  test('a prompt that was not listed is unknown to the application: E403', async () => {
    const listed = definePrompt({ ns: 'n', key: 'k', sections: [] });
    const app: Application = await createApplication({ prompts: [listed] });
    const ask = (): unknown => app.prompt(definePrompt({ ns: 'n', key: 'other', sections: [] }));
    expect(ask).toThrow(PromptError);
    expect(ask).toThrow(expect.objectContaining({ code: 'E403', place: 'other' }) as Error);
  });
});
