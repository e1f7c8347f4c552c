import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Section,
  type Application,
  type BoundPrompt,
  type ToolContext,
} from 'toolwright';
import { DuplicateBindingError, type ResourceBinding } from 'toolwright/resources';

class Tag {
  constructor(readonly text: string) {}
}
/** Holds a tag that it was provided with. */
class Holder {
  constructor(readonly tag: Tag) {}
}
const tag = (text: string): ResourceBinding => bind(Tag, { value: new Tag(text) });
const holder = (scope: 'singleton' | 'toolCall'): ResourceBinding =>
  bind(Holder, { scope, provide: (resources) => new Holder(resources.get(Tag)) });

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  handler: (_params: unknown, { resources }: ToolContext) => resources.get(Tag).text,
});
const held = defineTool({
  name: 'held',
  description: 'Looks at what is held.',
  handler: (_params: unknown, { resources }: ToolContext) => resources.get(Holder).tag.text,
});
interface Lists {
  readonly app?: readonly ResourceBinding[];
  readonly prompt?: readonly ResourceBinding[];
  readonly outer?: readonly ResourceBinding[];
  readonly inner?: readonly ResourceBinding[];
  readonly last?: readonly ResourceBinding[];
}
/** A prompt of three sections, `outer` over `inner`, then `last`. */
const definition = ({ prompt, outer, inner, last }: Lists, key = 'k') =>
  definePrompt({
    ns: 'n',
    key,
    resources: prompt,
    sections: [
      defineSection({
        key: 'outer',
        title: 'Outer',
        tools: [look, held],
        resources: outer,
        children: [defineSection({ key: 'inner', title: 'Inner', resources: inner })],
      }),
      defineSection({ key: 'last', title: 'Last', resources: last }),
    ],
  });
async function open(lists: Lists) {
  const type = definition(lists);
  const app = await createApplication({ prompts: [type], resources: lists.app });
  return { app, prompt: app.prompt(type) };
}
const ask = async (app: Application, prompt: BoundPrompt, tool = 'look'): Promise<unknown> =>
  (await app.invoke(await prompt.render(), tool, {})).result.value;

describe('bindings of several lists', () => {
  const all = ['app', 'prompt', 'outer', 'inner', 'last'] as const;

  test.each(all.map((_name, index) => all.slice(0, index + 1)))('the last of %s counts', async (...names) => {
    const lists = Object.fromEntries(names.map((name) => [name, [tag(name)]]));
    const { app, prompt } = await open(lists);
    expect(await ask(app, prompt)).toBe(names.at(-1));
    expect(prompt.resources.get(Tag).text).toBe(names.at(-1));
    expect(await ask(app, prompt.withResources([tag('with')]))).toBe('with');
    expect(await ask(app, prompt)).toBe(names.at(-1));
  });

  test('bindings of several lists count for the whole prompt, also those of a disabled section, and for no other prompt', async () => {
    const off = defineSection({ key: 'off', title: 'Off', enabled: false, resources: [tag('off')] });
    const one = definePrompt({
      ns: 'n',
      key: 'one',
      sections: [defineSection({ key: 's', title: 'S', tools: [look] }), off],
    });
    const other = definition({}, 'other');
    const app = await createApplication({ prompts: [one, other], resources: [tag('app')] });
    expect([await ask(app, app.prompt(one)), await ask(app, app.prompt(other))]).toEqual(['off', 'app']);
    expect(app.resources.get(Tag).text).toBe('app');
  });

  test.each([
    ['prompt', { prompt: [tag('a'), tag('b')] }, 'prompt n/k'],
    ['section', { inner: [tag('a'), tag('b')] }, 'section outer.inner'],
  ])('E903 one class twice in the list of a %s is refused, with its place', async (_name, lists, place) => {
    const error: unknown = await open(lists).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DuplicateBindingError);
    expect(error).toMatchObject({ code: 'E903', place: 'Tag', message: expect.stringContaining(place) as string });
  });

  test('E903 one class twice in withResources is refused', async () => {
    const { prompt } = await open({});
    expect(() => prompt.withResources([tag('a'), tag('b')])).toThrow(/withResources/);
  });

  test('invalid lists of bindings are found when the application is created', async () => {
    const wrong = { prompt: [{ type: Tag }] as never };
    await expect(open(wrong)).rejects.toMatchObject({
      name: 'PromptValidationError',
      message: expect.stringContaining('a list of bindings, made with bind()') as string,
    });
  });
});

describe('a singleton', () => {
  test('a singleton of the application is one for all prompts, and does not see what a prompt replaces', async () => {
    const { app, prompt } = await open({ app: [tag('app'), holder('singleton')], prompt: [tag('prompt')] });
    expect(await ask(app, prompt, 'held')).toBe('app');
    expect(prompt.resources.get(Holder)).toBe(app.resources.get(Holder));
  });

  test('a singleton of a prompt sees what the prompt replaces', async () => {
    const { app, prompt } = await open({ app: [tag('app')], prompt: [tag('prompt'), holder('singleton')] });
    expect(await ask(app, prompt, 'held')).toBe('prompt');
    expect(prompt.bind().resources.get(Holder)).toBe(prompt.resources.get(Holder));
  });

  test('a singleton of withResources is one for that prompt and what is bound to it', async () => {
    const { app, prompt } = await open({ app: [tag('app')] });
    const with1 = prompt.withResources([holder('singleton'), tag('one')]);
    const with2 = prompt.withResources([holder('singleton'), tag('two')]);
    expect([await ask(app, with1, 'held'), await ask(app, with2, 'held')]).toEqual(['one', 'two']);
    expect(with1.resources.get(Holder)).toBe(with1.resources.get(Holder));
    expect(with1.resources.get(Holder)).not.toBe(with2.resources.get(Holder));
    expect(await ask(app, with1.withResources([tag('over')]), 'held')).toBe('one');
  });
});

test('a resource that lives for one call sees the resources of its call', async () => {
  const { app, prompt } = await open({ app: [tag('app'), holder('toolCall')], prompt: [tag('prompt')] });
  expect(await ask(app, prompt, 'held')).toBe('prompt');
  expect(await ask(app, prompt.withResources([tag('with')]), 'held')).toBe('with');
});

test('closing an application closes what lies over a layer that has opened nothing, the latest layer first', async () => {
  const log: string[] = [];
  const noting = (name: string): ResourceBinding =>
    bind(Tag, { provide: () => new Tag(name), close: () => void log.push(name) });
  const { app, prompt } = await open({});
  const middle = prompt.withResources([]);
  for (const name of ['one', 'two']) middle.withResources([noting(name)]).resources.get(Tag);
  await app.close();
  expect(log).toEqual(['two', 'one']);
});

describe('E404, a constructor that asks for what lives for one call', () => {
  @Section({ title: 'Orders' })
  class OrdersSection {
    constructor(readonly held: Holder) {}
  }
  const creation = async (
    lists: Pick<Lists, 'app' | 'prompt' | 'inner'>,
    other: Pick<Lists, 'prompt'> = {},
  ): Promise<unknown> => {
    const inner = defineSection({ key: 'inner', title: 'Inner', resources: lists.inner });
    const one = definePrompt({ ns: 'n', key: 'k', resources: lists.prompt, sections: [OrdersSection, inner] });
    const two = definition(other, 'other');
    return createApplication({ prompts: [one, two], resources: lists.app }).then(
      () => 'created',
      (error: unknown) => (error as { code?: string }).code,
    );
  };

  test('CONT-03 a constructor that asks for what lives for one call is found in bindings of prompts and sections, too', async () => {
    expect(await creation({ prompt: [tag('p'), holder('toolCall')] })).toBe('E404');
    expect(await creation({ inner: [tag('s'), holder('toolCall')] })).toBe('E404');
  });

  test('E404 does not occur where a later list binds the class for longer, or another prompt does for shorter', async () => {
    expect(await creation({ app: [tag('a'), holder('toolCall')], prompt: [holder('singleton')] })).not.toBe('E404');
    expect(await creation({}, { prompt: [tag('p'), holder('toolCall')] })).not.toBe('E404');
  });
});
