import {
  createApplication,
  definePrompt,
  defineSection,
  Param,
  PromptRenderError,
  type BoundPrompt,
  type Constructor,
} from 'toolwright';

class Greeting {
  @Param('Word') word!: string;
  @Param('Mark') mark = '!';
}
const promptOf = async (...sections: readonly Constructor[]): Promise<BoundPrompt> => {
  const type = definePrompt({ ns: 'n', key: 'k', sections, heading: 'plain' });
  return (await createApplication({ prompts: [type] })).prompt(type);
};
const greeter = (key: string, defaults?: Partial<Greeting>, children: readonly Constructor[] = []): Constructor =>
  defineSection({ key, title: key, params: Greeting, template: '${word}${mark}', defaults, children });
const bodies = async (prompt: BoundPrompt): Promise<readonly string[]> =>
  (await prompt.render()).text.split('\n\n').filter((line) => !line.startsWith('#'));

describe('the params of a section are', () => {
  test('bound params come before any default', async () => {
    const prompt = await promptOf(greeter('a', { word: 'own' }), greeter('b', { word: 'other' }));
    expect(await bodies(prompt.bind(Greeting, { word: 'bound' }))).toEqual(['bound!', 'bound!']);
  });

  test('the defaults of a section come before the defaults of others', async () => {
    const prompt = await promptOf(greeter('a', { word: 'first' }), greeter('b', { word: 'own' }));
    expect(await bodies(prompt)).toEqual(['first!', 'own!']);
  });

  test('without its own defaults, a section has the first ones that any section gave for the class', async () => {
    const prompt = await promptOf(greeter('a'), greeter('b', { word: 'first' }), greeter('c', { word: 'second' }));
    expect(await bodies(prompt)).toEqual(['first!', 'first!', 'second!']);
  });

  test('else what the class can be made of from nothing', async () => {
    class Easy {
      @Param('Word') word = 'easy';
      @Param({ optional: true, nullable: true, type: String }) more: string | null = null;
    }
    const easy = defineSection({ key: 'e', title: 'E', params: Easy, template: '${word}${more}' });
    expect(await bodies(await promptOf(easy))).toEqual(['easy']);
  });

  test('without params and defaults, a section has an error with path and class: E501', async () => {
    const prompt = await promptOf(defineSection({ key: 'p', title: 'P', children: [greeter('a')] }));
    const error: unknown = await prompt.render().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PromptRenderError);
    expect(error).toMatchObject({ code: 'E501', sectionPath: 'p.a', paramsType: 'Greeting' });
    expect((error as Error).message).toContain('word');
    await expect(prompt.tools()).rejects.toMatchObject({ code: 'E501' });
  });

  test('new for each section and rendering where they are made from nothing', async () => {
    const seen: object[] = [];
    class Easy {
      @Param('Word') word = 'easy';
    }
    const make = (key: string) =>
      defineSection({ key, title: key, params: Easy, renderBody: ({ params }) => `${seen.push(params)}` });
    const prompt = await promptOf(make('a'), make('b'));
    await prompt.render();
    await prompt.render();
    expect(new Set(seen).size).toBe(4);
    expect(seen.every((params) => params instanceof Easy)).toBe(true);
  });
});

describe('defaults', () => {
  test('defaults may be an instance, which is used as it is', async () => {
    class Loud extends Greeting {}
    const instance = Object.assign(new Greeting(), { word: 'kept', mark: '?' });
    expect(await bodies(await promptOf(greeter('a', instance)))).toEqual(['kept?']);
    await expect(promptOf(greeter('a', Object.assign(new Loud(), { word: 'x' })))).rejects.toMatchObject({
      code: 'E309',
    });
  });

  test('defaults as a plain object are completed by the class', async () => {
    expect(await bodies(await promptOf(greeter('a', { word: 'plain' })))).toEqual(['plain!']);
  });
});

describe('a child without params', () => {
  const plain = defineSection({ key: 'child', title: 'child', template: '$word again' });

  test('a child without params inherits the params of its parent, with their defaults', async () => {
    expect(await bodies(await promptOf(greeter('a', { word: 'hi' }, [plain])))).toEqual(['hi!', 'hi again']);
  });

  test('a child without params inherits from a grandparent, too', async () => {
    const middle = defineSection({ key: 'middle', title: 'middle', children: [plain] });
    const prompt = (await promptOf(greeter('a', undefined, [middle]))).bind(Greeting, { word: 'hi' });
    expect(await bodies(prompt)).toEqual(['hi!', 'hi again']);
  });

  test('a child without params at the root has none', async () => {
    const seen: unknown[] = [];
    const free = defineSection({ key: 'f', title: 'f', renderBody: ({ params }) => `${seen.push(params)}` });
    await (await promptOf(free)).render();
    expect(seen).toEqual([null]);
  });
});
