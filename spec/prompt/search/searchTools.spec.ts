import {
  type Application,
  Budget,
  type BoundPrompt,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type Logger,
  Param,
  type PromptOptions,
  PromptValidationError,
  type SectionOptions,
  Session,
  type ToolwrightError,
  VisibilityExpansionRequired,
} from 'toolwright';
import { AddFoundTools, ClearFoundTools, FoundTools } from 'toolwright/conversations';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { ScriptedModel } from 'toolwright/testing';
import { silent } from '../../support/silent';

class Subject {
  @Param('What it is about') subject!: string;
}

const tool = (name: string, description = `Does ${name}.`, options: object = {}): Constructor =>
  defineTool({ name, description, params: Subject, handler: () => `Did ${name}.`, ...options });
const searchable = (key: string, tools: readonly Constructor[], options: Partial<SectionOptions> = {}): Constructor =>
  defineSection({ title: key, searchable: true, ...options, key, tools });
const closed = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  defineSection({ title: key, visibility: 'summary', summary: '', ...options, key });

interface Desk {
  readonly app: Application;
  readonly prompt: BoundPrompt;
}

async function desk(
  sections: readonly Constructor[],
  options: Partial<PromptOptions> = {},
  logger: Logger = silent,
): Promise<Desk> {
  const type = definePrompt({ ns: 'n', key: 'k', search: true, ...options, sections });
  const app = await createApplication({ prompts: [type], logger });
  return { app, prompt: app.prompt(type) };
}

const call = (name: string, args: object) => ({ id: `c-${name}`, name, arguments: { ...args } });

/** Searches once, and returns the names of the found tools and opened sections, or the text of an answer that adds none. */
async function find({ app, prompt }: Desk, query: string, session = new Session(), limit = 5): Promise<unknown> {
  const rendered = await prompt.render({ session });
  try {
    return (await app.callTool(rendered, call('search_tools', { query, limit }), { session })).text;
  } catch (error) {
    if (!(error instanceof VisibilityExpansionRequired)) throw error;
    return [...(error.requestedTools ?? []), ...Object.keys(error.requestedOverrides)];
  }
}

const toolsOf = async ({ prompt }: Desk, session = new Session()): Promise<readonly string[]> =>
  (await prompt.render({ session })).tools.map(({ name }) => name);

describe('a prompt with search', () => {
  const sections = [
    defineSection({ key: 'open', title: 'Open', tools: [tool('listed')] }),
    searchable('money', [tool('pay_invoice'), tool('refund_order')], {
      children: [defineSection({ key: 'travel', title: 'Travel', tools: [tool('book_flight')] })],
    }),
  ];

  test.each([5, null, 'pay_invoice', ['pay_invoice', 5]])('tools cannot be added by %j', (names) => {
    expect(() => new AddFoundTools(names as never)).toThrow(expect.objectContaining({ code: 'E413' }) as Error);
  });

  test('the tools of searchable sections and of those below are not listed until they are found', async () => {
    const all = await desk(sections);
    const session = new Session();
    expect(await toolsOf(all)).toEqual(['listed', 'search_tools']);
    session.dispatch(new AddFoundTools(['book_flight', 'pay_invoice', 'no_such_tool']));
    expect(await toolsOf(all, session)).toEqual(['listed', 'pay_invoice', 'book_flight', 'search_tools']);
    expect((await all.prompt.tools({ session })).map(({ name }) => name)).toEqual(await toolsOf(all, session));
    session.dispatch(new ClearFoundTools());
    expect(await toolsOf(all, session)).toEqual(['listed', 'search_tools']);
  });

  test('with search: false, and with fewer tokens than aboveTokens, the tools are listed and nothing searches', async () => {
    const listed = ['listed', 'pay_invoice', 'refund_order', 'book_flight'];
    expect(await toolsOf(await desk(sections, { search: false }))).toEqual(listed);
    expect(await toolsOf(await desk(sections, { search: { aboveTokens: 1_000 } }))).toEqual(listed);
    expect(await toolsOf(await desk(sections, { search: { aboveTokens: 20 } }))).toEqual(['listed', 'search_tools']);
  });

  test('a section may exclude itself with searchable: false', async () => {
    const child = defineSection({ key: 'child', title: 'Child', searchable: false, tools: [tool('inner')] });
    expect(await toolsOf(await desk([searchable('outer', [tool('outer')], { children: [child] })]))).toEqual([
      'inner',
      'search_tools',
    ]);
  });

  test('the text has no examples of tools that are to be found, and is the same when they are found', async () => {
    const examples = [{ description: 'One', input: Object.assign(new Subject(), { subject: 'x' }), output: null }];
    const all = await desk([searchable('money', [tool('pay_invoice', 'Pays.', { examples })])]);
    const session = new Session();
    const before = (await all.prompt.render({ session })).text;
    expect(before).not.toContain('Examples');
    const model = new ScriptedModel([
      { toolCalls: [{ name: 'search_tools', arguments: { query: 'pay' } }] },
      { text: '' },
    ]);
    const { transcript } = await all.app.evaluate(all.prompt, { adapter: model, session, messages: [] });
    expect((await all.prompt.render({ session })).text).toBe(before);
    expect(transcript.find(({ role }) => role === 'tool')?.content).toBe(
      'Tools that can be called now: pay_invoice.\n\nExamples:\n- One: `pay_invoice({"subject":"x"})`',
    );
  });

  test.each([
    [{ aboveTokens: -1 }, 'E312'],
    [{ aboveTokens: Number.NaN }, 'E312'],
    [{ embed: 'openai' }, 'E312'],
    [{ above: 5 }, 'E312'],
    ['on', 'E312'],
    [undefined, 'E419'],
  ])('the option search: %j of a prompt with a searchable section is refused: %s', async (search, code) => {
    const error: unknown = await desk(sections, { search: search as never }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PromptValidationError);
    expect((error as PromptValidationError).findings.map((finding) => finding.code)).toEqual([code]);
  });

  test('the name search_tools is reserved in a prompt with search, and free in any other', async () => {
    const own = [defineSection({ key: 'own', title: 'Own', tools: [tool('search_tools')] })];
    await expect(desk(own)).rejects.toMatchObject({ findings: [{ code: 'E104', toolName: 'search_tools' }] });
    expect(await toolsOf(await desk(own, { search: undefined }))).toEqual(['search_tools']);
  });
});

describe('search_tools', () => {
  test('it finds tools, the best first and at most as many as asked for', async () => {
    const all = await desk([
      searchable('money', [tool('a', 'Pays invoices later.'), tool('pay_invoice'), tool('pay_wage')]),
    ]);
    expect(await find(all, 'paying an invoice')).toEqual(['pay_invoice', 'a', 'pay_wage']);
    expect(await find(all, 'paying an invoice', new Session(), 1)).toEqual(['pay_invoice']);
  });

  test('it finds nothing that is disabled now, whatever it has indexed before', async () => {
    class Role {
      constructor(readonly name: string) {}
    }
    const isAdmin: SectionOptions['enabled'] = ({ session }) => session.slice(Role).latest()?.name === 'admin';
    const all = await desk([
      searchable('admin', [tool('delete_user')], { enabled: isAdmin }),
      closed('audit', { enabled: isAdmin, summary: 'Who deleted a user.' }),
      closed('outer', {
        children: [searchable('below', [tool('delete_user_below')], { enabled: isAdmin })],
      }),
    ]);
    const [guest, admin] = [new Session({ slices: [Role] }), new Session({ slices: [Role] })];
    admin.dispatch(new Role('admin'));
    expect(await find(all, 'delete user', admin)).toEqual(['delete_user']);
    expect(await find(all, 'delete user', guest)).toContain('Nothing that is available matches "delete user"');
    expect(await find(all, 'audits', admin)).toEqual(['audit']);
    expect(await find(all, 'audits', guest)).toContain('Nothing that is available matches');
  });

  test('a tool that was found and is disabled later is not offered any more', async () => {
    let isOn = true;
    const all = await desk([searchable('money', [tool('pay_invoice')], { enabled: () => isOn })]);
    const session = new Session();
    session.dispatch(new AddFoundTools(['pay_invoice']));
    expect(await toolsOf(all, session)).toEqual(['pay_invoice', 'search_tools']);
    isOn = false;
    expect(await toolsOf(all, session)).toEqual(['search_tools']);
    expect(await find(all, 'pay invoice', session)).toContain('Nothing that is available matches');
  });

  test('it opens a closed section if that is the best match, by its title, its summary or one of its tools', async () => {
    const all = await desk([
      closed('refunds', { title: 'Returns', summary: 'Money back.', tools: [tool('send_label')] }),
      searchable('other', [tool('water_plants')]),
    ]);
    for (const query of ['returns', 'money back', 'a label to send'])
      expect([query, await find(all, query)]).toEqual([query, ['refunds']]);
  });

  test('it names other closed sections that match, and opens the outermost first', async () => {
    const inner = closed('inner', { summary: 'Parcels abroad.', tools: [tool('track_parcel')] });
    const all = await desk([
      searchable('post', [tool('parcel')]),
      closed('outer', { children: [inner] }),
      closed('zoo', { summary: 'Where parcels for animals go.' }),
    ]);
    const session = new Session();
    expect(await find(all, 'parcel', session)).toEqual(['parcel']);
    session.dispatch(new AddFoundTools(['parcel']));
    const text = await find(all, 'parcel', session);
    expect(text).toContain('Can be called already: parcel.');
    expect(text).toMatch(/for open_sections: (outer, zoo|zoo, outer)\./);
    expect(await find(all, 'track', session)).toEqual(['outer']);
  });

  test('a searchable section within a closed one is opened, and offers the tool that was found alone', async () => {
    const all = await desk([closed('shop', { searchable: true, tools: [tool('pay_invoice'), tool('plant_tree')] })]);
    const session = new Session();
    const model = new ScriptedModel([
      { toolCalls: [{ name: 'search_tools', arguments: { query: 'invoice' } }] },
      { text: '' },
    ]);
    await all.app.evaluate(all.prompt, { adapter: model, session, messages: [] });
    expect(await toolsOf(all, session)).toEqual(['pay_invoice', 'search_tools']);
  });

  test('a query of a megabyte is cut, and one without words finds nothing', async () => {
    const all = await desk([searchable('money', [tool('pay_invoice')])]);
    expect(await find(all, `pay ${'x'.repeat(1_000_000)}`)).toEqual(['pay_invoice']);
    const model = new ScriptedModel([
      { toolCalls: [{ name: 'search_tools', arguments: JSON.stringify({ query: 'pay '.repeat(250_000) }) }] },
      { text: '' },
    ]);
    await all.app.evaluate(all.prompt, { adapter: model, messages: [] });
    expect(model.requests[1]?.messages.at(-1)?.content).toBe('Tools that can be called now: pay_invoice.');
    expect(await find(all, `${' '.repeat(2_000)} pay`)).toContain('Nothing that is available matches');
    expect(await find(all, 'the of')).toContain('Nothing that is available matches "the of"');
  });

  test('two tools of one name are refused, whether or not one of them is to be found', async () => {
    const twice = [
      defineSection({ key: 'open', title: 'Open', tools: [tool('pay')] }),
      searchable('money', [tool('pay')]),
    ];
    await expect(desk(twice)).rejects.toMatchObject({ findings: [{ code: 'E104', toolName: 'pay' }] });
    await expect(desk([searchable('a', [tool('pay')]), searchable('b', [tool('pay')])])).rejects.toMatchObject({
      findings: [{ code: 'E104' }],
    });
  });

  test('a description that holds every word of a query many times does not win over the tool with its name', async () => {
    const words =
      'pay an invoice, refund an order, book a flight, send a letter, cancel a subscription, find a customer. ';
    const names = ['pay_invoice', 'refund_order', 'book_flight', 'send_letter', 'cancel_subscription', 'find_customer'];
    const stuffed = tool('best_tool_ever', words.repeat(9));
    const all = await desk([searchable('money', [stuffed, ...names.map((name) => tool(name))])], { toolTexts: 'wide' });
    for (const name of names) {
      const query = name.replace('_', ' ');
      expect([query, await find(all, query, new Session(), 1)]).toEqual([query, [name]]);
      expect([name, await find(all, name, new Session(), 1)]).toEqual([name, [name]]);
    }
  });

  test('an override of a description changes what finds the tool', async () => {
    const type = definePrompt({ ns: 'n', key: 'k', search: true, sections: [searchable('money', [tool('act')])] });
    const app = await createApplication({ prompts: [type], logger: silent, overrides: new InMemoryOverridesStore() });
    const all = { app, prompt: app.prompt(type) };
    expect(await find(all, 'umbrella')).toContain('Nothing that is available');
    await all.prompt.overrides.write({ tools: { act: { description: 'Opens an umbrella.' } } });
    expect(await find(all, 'umbrella')).toEqual(['act']);
  });
});

describe('a run that searches', () => {
  const search = (query: string) => ({ name: 'search_tools', arguments: { query } });
  const sections = [
    searchable(
      'money',
      ['pay_invoice', 'book_flight', 'send_letter'].map((name) => tool(name)),
    ),
  ];
  const textsOf = (model: ScriptedModel): readonly string[] =>
    (model.requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message.content] : []));

  test('several searches of one turn are answered, and a call after them is not started', async () => {
    const { app, prompt } = await desk(sections);
    const model = new ScriptedModel([
      {
        toolCalls: [
          search('invoice'),
          search('flight'),
          { name: 'pay_invoice', arguments: { subject: 'x' } },
          search('letter'),
        ],
      },
      { text: '' },
    ]);
    await app.evaluate(prompt, { adapter: model, messages: [] });
    expect(textsOf(model)).toEqual([
      'Tools that can be called now: pay_invoice.',
      'Tools that can be called now: book_flight.',
      expect.stringContaining('pay_invoice was not started'),
      'Tools that can be called now: send_letter.',
    ]);
  });

  test('the budget limits how often a search adds tools, and how many tokens they take', async () => {
    const { app, prompt } = await desk(sections);
    const turns = [{ toolCalls: [search('invoice')] }, { toolCalls: [search('flight')] }, { text: '' }];
    const model = new ScriptedModel(turns);
    await app.evaluate(prompt, { adapter: model, messages: [], budget: new Budget({ maxExpansions: 1 }) });
    expect(textsOf(model)[1]).toMatch(/^Nothing was added: this run allows 1 openings .*, and has had 1\./);
    const poor = new ScriptedModel(turns.slice(1));
    await app.evaluate(prompt, { adapter: poor, messages: [], budget: new Budget({ maxInputTokens: 20 }) });
    expect(textsOf(poor)[0]).toMatch(/^Nothing was added: what was found takes about \d+ tokens, more than the 20 /);
  });

  test('a tool that no search has found is refused with the way to find it', async () => {
    const { app, prompt } = await desk(sections);
    const model = new ScriptedModel([
      { toolCalls: [{ name: 'pay_invoice', arguments: { subject: 'x' } }] },
      { text: '' },
    ]);
    await app.evaluate(prompt, { adapter: model, messages: [] });
    expect(textsOf(model)[0]).toContain('Call search_tools with its name first');
  });

  test('the tools that a search found are state of the session, and part of its JSON', async () => {
    const { app, prompt } = await desk(sections);
    const session = new Session();
    const model = new ScriptedModel([{ toolCalls: [search('invoice')] }, { text: 'Found.' }]);
    await app.evaluate(prompt, { adapter: model, session, messages: [] });
    expect(session.slice(FoundTools).latest()?.names).toEqual(['pay_invoice']);
    expect(
      Session.fromJSON(JSON.parse(JSON.stringify(session)))
        .slice(FoundTools)
        .latest()?.names,
    ).toEqual(['pay_invoice']);
  });
});

describe('a search by meaning', () => {
  const sections = [searchable('all', [tool('brolly', 'Opens it.'), tool('invoice'), tool('flight')])];
  const meanings = ['brolly', 'invoice', 'flight'];
  /** A vector with 1 for the tool that a text means. */
  const embed = (texts: readonly string[]): Promise<number[][]> =>
    Promise.resolve(
      texts.map((text) =>
        meanings.map((word) => Number(text.includes(word) || (word === 'brolly' && text.includes('rain')))),
      ),
    );
  const warnings: string[] = [];
  const logger: Logger = { ...silent, warn: (message) => void warnings.push(message) };
  beforeEach(() => {
    warnings.length = 0;
  });

  test('embed finds a tool by other words than its own, and counts beside the words', async () => {
    const all = await desk(sections, { search: { embed } }, logger);
    expect(await find(all, 'it rains', new Session(), 1)).toEqual(['brolly']);
    expect(await find(all, 'invoice', new Session(), 1)).toEqual(['invoice']);
    expect(warnings).toEqual([]);
  });

  test('a tool that is near the top of both rankings comes before one that leads a single ranking', async () => {
    const order = ['brolly', 'flight', 'invoice', 'umbrella'];
    /** The closer to the query, the earlier in the order. */
    const ordered: typeof embed = (texts) =>
      Promise.resolve(
        texts.map((text) => {
          const at = order.findIndex((name) => text.includes(name));
          return at < 0 || text === 'umbrella' ? [1, 0] : [Math.cos(at / 4), Math.sin(at / 4)];
        }),
      );
    const tools = [tool('umbrella'), tool('brolly', 'An umbrella for rain.'), tool('invoice'), tool('flight')];
    const all = await desk([searchable('all', tools)], { search: { embed: ordered } }, logger);
    expect(await find(all, 'umbrella', new Session(), 2)).toEqual(['brolly', 'umbrella']);
  });

  test.each<[string, (texts: readonly string[]) => unknown]>([
    ['rejects', () => Promise.reject(new Error('The provider is down.'))],
    [
      'throws',
      () => {
        throw new Error('The provider is down.');
      },
    ],
    ['returns too few vectors', () => Promise.resolve([[1]])],
    [
      'returns vectors of different lengths',
      (texts) => Promise.resolve(texts.map((_text, at) => new Array<number>(at + 1).fill(1))),
    ],
    ['returns something else', () => Promise.resolve('not a list')],
    ['returns NaN', (given) => Promise.resolve(given.map(() => [Number.NaN]))],
  ])('the words alone answer if embed %s, the log says so, and the next search tries again', async (_what, broken) => {
    let calls = 0;
    const failing = (texts: readonly string[]): unknown => {
      calls++;
      return calls === 1 ? broken(texts) : embed(texts);
    };
    const all = await desk(sections, { search: { embed: failing as typeof embed } }, logger);
    expect(await find(all, 'invoice')).toEqual(['invoice']);
    expect(warnings).toEqual([expect.stringContaining('The search answers by words alone, because embed failed')]);
    expect(await find(all, 'it rains', new Session(), 1)).toEqual(['brolly']);
    expect(warnings).toHaveLength(1);
  });

  describe('that is slow', () => {
    let asked: Promise<void>;
    let noteAsked = (): void => undefined;
    const never = (): Promise<never> => {
      noteAsked();
      return new Promise(() => undefined);
    };
    /** Lets the time of the embeddings pass once the search waits for them. */
    const afterTimeout = async <T>(searching: Promise<T>): Promise<T> => {
      await asked;
      await jest.advanceTimersByTimeAsync(5_000);
      return searching;
    };
    beforeEach(() => {
      asked = new Promise((resolve) => (noteAsked = resolve));
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'performance', 'queueMicrotask'] });
    });
    afterEach(() => {
      jest.useRealTimers();
    });

    test('vectors of the tools that never come are waited for once: later searches answer at once, and the log has one line', async () => {
      let calls = 0;
      const all = await desk(sections, { search: { embed: () => (calls++, never()) } }, logger);
      expect(await afterTimeout(find(all, 'invoice'))).toEqual(['invoice']);
      expect(await find(all, 'flight')).toEqual(['flight']);
      expect(await find(all, 'invoice')).toEqual(['invoice']);
      expect(warnings).toEqual([
        expect.stringContaining(
          'The search answers by words alone, because embed failed: The call took longer than 5000 ms.',
        ),
      ]);
      expect(calls).toBe(1);
    });

    test('vectors of the tools that come late are used from then on', async () => {
      let release = (): void => undefined;
      const waiting = new Promise<void>((resolve) => (release = resolve));
      const late: typeof embed = async (texts) => {
        noteAsked();
        await waiting;
        return embed(texts);
      };
      const all = await desk(sections, { search: { embed: late } }, logger);
      expect(await afterTimeout(find(all, 'it rains', new Session(), 1))).toContain('Nothing that is available');
      release();
      await jest.advanceTimersByTimeAsync(0);
      expect(await find(all, 'it rains', new Session(), 1)).toEqual(['brolly']);
      expect(warnings).toHaveLength(1);
    });

    test('a vector of the query that never comes ends the wait of this search alone', async () => {
      let isSlow = true;
      const slow: typeof embed = (texts) => (isSlow && texts.length === 1 ? never() : embed(texts));
      const all = await desk(sections, { search: { embed: slow } }, logger);
      expect(await afterTimeout(find(all, 'invoice'))).toEqual(['invoice']);
      isSlow = false;
      expect(await find(all, 'it rains', new Session(), 1)).toEqual(['brolly']);
      expect(warnings).toHaveLength(1);
    });
  });

  test('wrong vectors are reported with their code', async () => {
    const codes: unknown[] = [];
    const warn = (_text: string, { error }: { readonly error?: unknown } = {}): void =>
      void codes.push((error as ToolwrightError).code);
    const all = await desk(sections, { search: { embed: () => Promise.resolve([[1]]) } }, { ...logger, warn });
    await find(all, 'invoice');
    expect(codes).toEqual(['E420']);
  });
});
