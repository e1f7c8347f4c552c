import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type Disclosure,
  Param,
  type RenderedPrompt,
  type RenderOptions,
  type SectionOptions,
  Session,
  type ToolContext,
  type ToolOutcome,
  VisibilityExpansionRequired,
} from 'toolwright';
import { SetVisibilityOverride } from 'toolwright/conversations';
import { SectionsRequested, ToolInvoked } from 'toolwright/events';

const tool = (name: string): Constructor =>
  defineTool({ name, description: 'Does it.', handler: (_params, { session }) => `done in ${session.id}` });
const section = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  defineSection({ title: key.toUpperCase(), ...options, key });
const closed = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  section(key, { summary: 'Short.', visibility: 'summary', template: `Long ${key}.`, ...options });

class Level {
  @Param({ integer: true }) level = 1;
}

async function desk(disclosure: Disclosure = 'open'): Promise<{
  readonly rendered: RenderedPrompt;
  readonly call: (name: string, args: object) => Promise<ToolOutcome>;
  readonly refused: (args: object) => Promise<string>;
  readonly events: object[];
  readonly session: Session;
}> {
  const sections = [
    section('a', { template: 'Open.', tools: [tool('ta')] }),
    closed('b', {
      tools: [tool('tb')],
      children: [closed('c', { tools: [tool('tc')] }), section('d', { params: Level, template: 'Level ${level}.' })],
    }),
    closed('e'),
    closed('off', { enabled: false }),
    closed('constructor'),
  ];
  const type = definePrompt({ ns: 'n', key: 'k', heading: 'plain', disclosure, sections });
  const app = await createApplication({ prompts: [type] });
  const session = new Session();
  const rendered = await app.prompt(type).render({ session });
  const events: object[] = [];
  const call = (name: string, args: object): Promise<ToolOutcome> =>
    app.invoke(rendered, name, args as never, { session, onEvent: (event) => events.push(event) });
  const refused = async (args: object): Promise<string> => {
    const outcome = await call('open_sections', { reason: 'r', ...args });
    expect(outcome.result).toMatchObject({ success: false, value: null });
    return outcome.text;
  };
  return { rendered, call, refused, events, session };
}

const requestOf = async (asking: Promise<unknown>): Promise<VisibilityExpansionRequired> => {
  const error: unknown = await asking.catch((thrown: unknown) => thrown);
  if (!(error instanceof VisibilityExpansionRequired)) throw error;
  return error;
};

describe('open_sections', () => {
  test('HAND-26 the request propagates unwrapped, after SectionsRequested and a ToolInvoked that reports it', async () => {
    const { call, events } = await desk();
    const request = await requestOf(call('open_sections', { section_keys: ['a', 'b', 'b'], reason: 'to see' }));
    expect(request.requestedOverrides).toEqual({ b: 'full' });
    expect(Object.getPrototypeOf(request.requestedOverrides)).toBeNull();
    expect(request.sectionKeys).toEqual(['a', 'b', 'b']);
    expect(request.message).toBe('Visibility expansion required for sections: a, b, b. Reason: to see');
    expect(events.map(({ constructor }) => constructor)).toEqual([SectionsRequested, ToolInvoked]);
    expect(events[0]).toMatchObject({
      prompt: 'n/k',
      name: 'open_sections',
      sectionKeys: ['a', 'b', 'b'],
      reason: 'to see',
      costs: [{ path: 'b' }],
    });
    expect(events[1]).toMatchObject({
      kind: 'expanded',
      result: null,
      toolMessage: '',
      error: request,
      expansion: {
        sections: ['b'],
        reason: 'to see',
        visibility: { a: 'full', b: 'summary', e: 'summary', constructor: 'summary' },
      },
    });
  });

  test('OPEN-01 unknown, none, only open ones, below a closed one: a failed result that names what can be opened', async () => {
    const { refused } = await desk();
    const choice = 'b, e, constructor';
    expect(await refused({ section_keys: ['b', 'eb', 'f'] })).toContain('section_keys[1]: There is no section "eb".');
    expect(await refused({ section_keys: [] })).toContain(choice);
    expect(await refused({ section_keys: ['a'] })).toContain('open already');
    expect(await refused({ section_keys: ['b.c'] })).toContain('open "b" first');
    expect(await refused({ section_keys: ['b', 'b.c'] })).toContain(choice);
    expect(await refused({ section_keys: ['E'] })).toContain('Did you mean "e"?');
  });

  test('OPEN-01 duplicates collapse, and the parent of an open child is opened', async () => {
    const { call } = await desk();
    const request = await requestOf(call('open_sections', { section_keys: ['b', 'b', 'constructor'], reason: '' }));
    expect(request.requestedOverrides).toEqual({ b: 'full', constructor: 'full' });
  });

  test('OPEN-02 hostile keys and reasons are refused, briefly', async () => {
    const { refused } = await desk();
    for (const key of ['b.__proto__', '__proto__', '..', '', 'toString', 'hasOwnProperty', ' b', 'b.'])
      expect(await refused({ section_keys: [key] })).toContain('There is no section');
    const many = await refused({ section_keys: Array.from({ length: 10_000 }, (_, index) => `k${String(index)}`) });
    expect(many.length).toBeLessThan(2_000);
    expect(await refused({ section_keys: ['b'], reason: 'r'.repeat(257) })).toContain('reason');
    expect((await refused({ section_keys: ['b'], reason: 'r'.repeat(1_000_000) })).length).toBeLessThan(2_000);
    expect((await refused({ section_keys: ['k'.repeat(1_000_000)] })).length).toBeLessThan(2_000);
    const { call } = await desk();
    const longest = await requestOf(call('open_sections', { section_keys: ['b'], reason: 'r'.repeat(256) }));
    expect(longest.reason).toHaveLength(256);
  });

  test('open_sections is offered while anything is summarised, for whatever reason, after the tools of the user', async () => {
    const sections = [section('a', { summary: 'Short.', tools: [tool('ta')] }), section('z', { tools: [tool('tz')] })];
    const type = definePrompt({ ns: 'n', key: 'k', sections });
    const prompt = (await createApplication({ prompts: [type] })).prompt(type);
    const offered = async (options: RenderOptions): Promise<readonly string[]> =>
      (await prompt.render(options)).tools.map(({ name }) => name);
    expect(await offered({})).toEqual(['ta', 'tz']);
    expect(await offered({ visibilityOverrides: { a: 'summary' } })).toEqual(['tz', 'open_sections']);
    const session = new Session();
    session.dispatch(new SetVisibilityOverride('a', 'summary'));
    expect(await offered({ session })).toEqual(['tz', 'open_sections']);
    session.dispatch(new SetVisibilityOverride('a', 'full'));
    expect(await offered({ session, visibilityOverrides: { a: 'summary' } })).toEqual(['ta', 'tz']);
  });

  test('open_sections is not offered for a summarised section that is disabled', async () => {
    const type = definePrompt({ ns: 'n', key: 'k', sections: [closed('off', { enabled: false })] });
    expect((await (await createApplication({ prompts: [type] })).prompt(type).render()).tools).toEqual([]);
  });

  test('OPEN-03 when everything is open, the tool is unknown', async () => {
    const type = definePrompt({ ns: 'n', key: 'k', sections: [closed('a')] });
    const app = await createApplication({ prompts: [type] });
    const rendered = await app.prompt(type).render({ visibilityOverrides: { a: 'full' } });
    expect(rendered.tools).toEqual([]);
    const outcome = await app.invoke(rendered, 'open_sections', { section_keys: ['a'], reason: 'r' });
    expect(outcome).toMatchObject({ kind: 'unknown', result: { success: false } });
  });

  test('OPEN-04 a disabled section cannot be opened', async () => {
    const { refused } = await desk();
    expect(await refused({ section_keys: ['off'] })).toContain('not available');
  });

  test('ARG-21 a tool of a summarised section is unknown, and does not run', async () => {
    const { call } = await desk();
    expect(await call('tb', {})).toMatchObject({ kind: 'unknown' });
    expect(await call('tc', {})).toMatchObject({ kind: 'unknown' });
    expect(await call('ta', {})).toMatchObject({ kind: 'succeeded' });
  });

  test('a handler that asks through open_sections asks once, in the name of its own call', async () => {
    const ask = defineTool({
      name: 'ask',
      description: 'Asks.',
      handler: async (_params: unknown, context: ToolContext) => {
        const args = { section_keys: ['b'], reason: 'r' };
        return (await context.callTool({ id: '1', name: 'open_sections', arguments: args })).kind;
      },
    });
    const type = definePrompt({ ns: 'n', key: 'k', sections: [section('a', { tools: [ask] }), closed('b')] });
    const app = await createApplication({ prompts: [type] });
    const events: object[] = [];
    const rendered = await app.prompt(type).render();
    await requestOf(app.invoke(rendered, 'ask', {}, { onEvent: (event) => events.push(event) }));
    expect(events.filter((event) => event instanceof SectionsRequested)).toMatchObject([{ name: 'ask' }]);
  });

  test('ARG-21 a hidden tool cannot be called through a handler either', async () => {
    const asking = defineTool({
      name: 'asking',
      description: 'Asks.',
      handler: async (_params: unknown, context: ToolContext) =>
        (await context.callTool({ id: '1', name: 'tb', arguments: {} })).kind,
    });
    const sections = [section('a', { tools: [asking] }), closed('b', { tools: [tool('tb')] })];
    const type = definePrompt({ ns: 'n', key: 'k', sections });
    const app = await createApplication({ prompts: [type] });
    const answerFor = async (visibility: 'full' | 'summary'): Promise<string> => {
      const rendered = await app.prompt(type).render({ visibilityOverrides: { b: visibility } });
      return (await app.invoke(rendered, 'asking', {})).text;
    };
    expect(await answerFor('summary')).toBe('unknown');
    expect(await answerFor('full')).toBe('succeeded');
  });
});

describe('read_section', () => {
  test('read_section returns a section in full with its number and its descendants, and changes nothing', async () => {
    const { call, rendered, session } = await desk('auto');
    const before = rendered.text;
    const whole = await call('read_section', { section_key: 'b' });
    expect(whole.text).toContain('## B\n\nLong b.\n\n### C\n\nShort.');
    expect(whole.text).toContain('### D\n\nLevel 1.');
    expect(whole.result.value).toEqual({ content: whole.text });
    expect((await call('read_section', { section_key: 'constructor' })).text).toContain('Long constructor.');
    expect((await rendered.prompt.tools({ session })).map(({ name }) => name)).toEqual(
      rendered.tools.map(({ name }) => name),
    );
    expect(rendered.text).toBe(before);
  });

  test.each(['a', 'zzz', 'b.c', 'off', '__proto__'])('read_section refuses the key %s', async (key) => {
    const { call } = await desk('auto');
    const outcome = await call('read_section', { section_key: key });
    expect(outcome).toMatchObject({ kind: 'failed', result: { success: false, value: null } });
    expect(outcome.text).toContain('b, e, constructor');
  });
});
