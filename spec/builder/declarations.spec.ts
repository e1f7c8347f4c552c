import { Exclude } from 'class-transformer';
import {
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  Param,
  Reducer,
  Section,
  Session,
  type SliceOp,
  SliceOps,
  Tool,
  ToolContext,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { AiSdkAdapter } from '@toolwright/ai-sdk';
import { AnthropicAdapter } from '@toolwright/anthropic';
import { OpenAIChatAdapter, OpenAIResponsesAdapter } from '@toolwright/openai';
import { dump, parse, schemaOf } from 'toolwright/schema';
import { refusalOf } from './refusalOf.js';
import { silent } from '../support/silent.js';
import { UntypedTool } from './UntypedTool.js';

const note = { name: 'note', description: 'Notes.', handler: () => null };
const desk = definePrompt({
  ns: 'n',
  key: 'k',
  sections: [defineSection({ key: 's', title: 'S', tools: [defineTool(note)] })],
});
const call = { id: '1', name: 'note', arguments: '{}' };

describe('DECL-30 a property that no decorator names', () => {
  class Forgetful {
    @Param('City') city!: string;
    limit = 5;
  }
  class Row {
    @Field('Name') name = '';
    note = '';
  }
  class Bare {
    id = 0;
  }
  class Nested {
    @Param('Place') place!: Forgetful;
  }

  test.each<[string, object, readonly string[]]>([
    ['of a params class', { params: Forgetful }, ['Forgetful.limit']],
    ['of a class within it', { params: Nested }, ['Forgetful.limit']],
    ['of a result class', { result: Row }, ['Row.note']],
    ['of the rows of a result', { result: [Row] }, ['Row.note']],
    ['of a class without any decorator', { result: Bare }, ['Bare.id']],
  ])('DECL-30 a property without a decorator %s is a finding', async (_what, options, places) => {
    const tool = defineTool({ name: 'go', description: 'T.', handler: () => null, ...options });
    const { findings } = await refusalOf(defineSection({ key: 's', title: 'S', tools: [tool] }));
    expect(findings.map(({ code, place }) => `${code} ${place}`)).toEqual(places.map((place) => `E221 ${place}`));
    expect(findings[0]?.remedy).toContain('@Param({ internal: true })');
  });

  test('a property without a decorator in the output of a prompt is a finding', async () => {
    const type = definePrompt({ ns: 'n', key: 'k', sections: [], output: Row });
    await expect(createApplication({ prompts: [type] })).rejects.toMatchObject({ code: 'E221', place: 'Row.note' });
  });

  test('a declared property without a value is found where the compiler emits fields', async () => {
    // What tsc and swc emit for `lines!: number` with useDefineForClassFields.
    class Emitted {
      @Param('City') city!: string;
      constructor() {
        Object.defineProperty(this, 'lines', { value: undefined, enumerable: true, writable: true });
      }
    }
    expect(() => parse(Emitted, { city: 'Ulm' })).toThrow(/E221 Emitted\.lines/);
  });

  test('DECL-30 a property that no decorator names may be kept off the wire: internal, #private, a function, a getter, or a property that @Exclude hides', async () => {
    class Careful {
      @Param('City') city!: string;
      @Param({ internal: true }) hits = 3;
      @Exclude() cached = 'x';
      #seen = 0;
      readonly look = (): number => this.#seen;
      get twice(): string {
        return this.city + this.city;
      }
    }
    const schema = schemaOf(Careful);
    expect(Object.keys(schema['properties'] as object)).toEqual(['city']);
    expect(parse(Careful, { city: 'Ulm' })).toMatchObject({ city: 'Ulm', hits: 3, twice: 'UlmUlm' });
    expect(() => parse(Careful, { city: 'Ulm', hits: 4 })).toThrow(/hits/);
    const { look: _look, ...written } = dump(parse(Careful, { city: 'Ulm' })) as Readonly<Record<string, unknown>>;
    expect(written).toEqual({ city: 'Ulm' });
  });

  test('a class that cannot be constructed without arguments is told apart', () => {
    class Point {
      @Field('X') x: number;
      constructor(given: { readonly x: number }) {
        this.x = given.x;
      }
    }
    expect(() => schemaOf(Point)).toThrow(/E202 Point: the constructor threw without arguments, and takes 1: /);
  });

  test('a result class without any property is a finding', async () => {
    class Nothing {
      id!: number;
    }
    const tool = defineTool({ name: 'go', description: 'T.', handler: () => null, result: Nothing });
    const { findings } = await refusalOf(defineSection({ key: 's', title: 'S', tools: [tool] }));
    expect(findings).toMatchObject([{ code: 'E219', place: 'go', placeholder: 'result' }]);
  });
});

describe('DECL-32 a handler that cannot be called is refused, with the signatures that can', () => {
  class Params {
    @Param('City') city!: string;
  }
  const findingsOf = async (section: Constructor) => (await refusalOf(section)).findings;

  test('params and context that are swapped', async () => {
    @Section({ title: 'S' })
    class S {
      @UntypedTool('T.') go(context: ToolContext, params: Params) {}
    }
    expect(await findingsOf(S)).toMatchObject([
      {
        code: 'E105',
        place: 'S.go',
        problem: 'the context comes first; the params do',
        remedy: 'Swap them: (params: X, context: ToolContext).',
      },
    ]);
  });

  test('DECL-32 a handler with a third parameter is refused', async () => {
    @Section({ title: 'S' })
    class S {
      @UntypedTool('T.') go(params: Params, context: ToolContext, more: string) {}
    }
    const [found] = await findingsOf(S);
    expect(found).toMatchObject({ code: 'E105', place: 'S.go' });
    expect(found?.problem).toContain('parameter 2 is one too many beside the params and the context');
    expect(found?.remedy).toContain('(params: X, context: ToolContext)');
  });

  test('an interface in place of a class is refused', async () => {
    @Section({ title: 'S' })
    class S {
      @Tool('T.') go(params: { readonly city: string }) {
        return params.city;
      }
    }
    const [found] = await findingsOf(S);
    expect(found).toMatchObject({ code: 'E106', place: 'S.go' });
    expect(found?.remedy).toMatch(/^Use a class/);
  });

  test('a property of a type and null names what to write', async () => {
    class Nullable {
      @Param('City') city!: string | null;
    }
    @Section({ title: 'S' })
    class S {
      @Tool('T.') go(params: Nullable) {
        return params.city;
      }
    }
    const [found] = await findingsOf(S);
    expect(found).toMatchObject({ code: 'E201', place: 'Nullable.city' });
    expect(found?.remedy).toMatch(/nullable: true.+optional: true/);
  });

  test('a hook that is an arrow function in a field is called', async () => {
    @Section({ title: 'Open', template: 'Text.', summary: 'Short.' })
    class Open {
      enabled = (): boolean => true;
      visibility = () => 'summary' as const;
    }
    @Section({ title: 'Off' })
    class Off {
      enabled = (): boolean => false;
    }
    const type = definePrompt({ ns: 'n', key: 'k', sections: [Open, Off] });
    const app = await createApplication({ prompts: [type] });
    const { text } = await app.prompt(type).render();
    expect(text).toContain('Short.');
    expect(text).not.toContain('Off');
  });
});

describe('DECL-39 a default in the signature of a handler', () => {
  test('DECL-39 a default in the signature of a handler is refused where its @Param does not mention it, and so is what follows it', async () => {
    @Section({ title: 'S' })
    class S {
      @UntypedTool('T.') read(
        @Param('file', 'File') file: string,
        @Param('lines', 'Lines') lines = 10,
        @Param('from', 'From') from: number,
      ) {}
      @UntypedTool('T.') next(
        @Param('lines', { description: 'Lines', default: 5 }) lines = 10,
        @Param('from', 'From') from: number,
      ) {}
    }
    expect((await refusalOf(S)).findings).toMatchObject([
      {
        code: 'E220',
        place: 'S.read',
        problem: 'parameter 1 ("lines") has a default value, which the model does not see',
      },
      {
        code: 'E220',
        place: 'S.next',
        problem:
          'parameter 1 ("from") follows a parameter with a default value, and does not say whether it may be left out',
      },
    ]);
  });

  test('a default applies where the parameter may be left out, and the one of the decorator is told to the model', async () => {
    @Section({ title: 'S' })
    class S {
      @Tool('T.') read(
        @Param('lines', { description: 'Lines', type: Number, optional: true }) lines = 10,
        @Param('from', { description: 'From', default: 3 }) from = 7,
      ) {
        return `${String(lines)} from ${String(from)}`;
      }
    }
    const type = definePrompt({ ns: 'n', key: 'k', sections: [S] });
    const app = await createApplication({ prompts: [type] });
    const rendered = await app.prompt(type).render();
    expect(await app.invoke(rendered, 'read', {})).toMatchObject({ kind: 'succeeded', text: '10 from 3' });
    expect(rendered.toolSchemas('json-schema')[0]?.parameters).toMatchObject({ properties: { from: { default: 3 } } });
  });

  test('DECL-39 a default in the signature of a handler is not looked for in a method that another decorator has replaced', async () => {
    const passedOn: MethodDecorator = (_target, _member, descriptor) => {
      const original = descriptor.value as unknown as (...args: unknown[]) => unknown;
      descriptor.value = function (this: unknown, ...args: unknown[]) {
        return original.apply(this, args);
      } as never;
    };
    @Section({ title: 'S' })
    class S {
      @passedOn
      @Tool('T.')
      read(@Param('lines', 'Lines') lines: number) {
        return lines;
      }
    }
    const type = definePrompt({ ns: 'n', key: 'k', sections: [S] });
    const app = await createApplication({ prompts: [type] });
    expect(await app.invoke(await app.prompt(type).render(), 'read', { lines: 2 })).toMatchObject({ text: '2' });
  });
});

describe('DECL-35 names and descriptions beyond ASCII', () => {
  const wide = (description: string, name = 'find'): Constructor =>
    defineSection({ key: 's', title: 'S', tools: [defineTool({ name, description, handler: () => 'x' })] });
  const promptOf = (section: Constructor, options: object = {}): Constructor =>
    definePrompt({ ns: 'n', key: 'k', sections: [section], ...options });

  test.each<[string, string, string, RegExp]>([
    ['a description with é', 'Cherche un café.', 'find', /toolTexts: 'wide'/],
    ['a description of 201 characters', 'x'.repeat(201), 'find', /toolTexts: 'wide'/],
    ['a description that no option allows', 'x'.repeat(1_025), 'find', /^Shorten it/],
    ['a name with capitals', 'Finds.', 'findOrder', /toolTexts: 'wide'/],
    ['a name that no option allows', 'Finds.', 'find order', /^Name it "find_order"/],
  ])('%s: the remedy names what helps', async (_what, description, name, remedy) => {
    const { findings } = await refusalOf(wide(description, name));
    expect(findings).toHaveLength(1);
    expect(findings[0]?.remedy).toMatch(remedy);
  });

  test.each<[string, object, object]>([
    ['the application', { toolTexts: 'wide' }, {}],
    ['the prompt', {}, { toolTexts: 'wide' }],
    ['the prompt, against the application', { toolTexts: 'portable' }, { toolTexts: 'wide' }],
  ])('DECL-35 texts beyond ASCII are allowed by %s', async (_who, ofApplication, ofPrompt) => {
    const type = promptOf(wide('注文を探す。'.repeat(100), 'findOrder'), ofPrompt);
    const app = await createApplication({ prompts: [type], ...ofApplication });
    const rendered = await app.prompt(type).render();
    expect(rendered.tool('findOrder')?.description).toHaveLength(600);
    expect(await app.invoke(rendered, 'findOrder', {})).toMatchObject({ kind: 'succeeded' });
  });

  test('a prompt may be stricter than its application', async () => {
    const type = promptOf(wide('Café.'), { toolTexts: 'portable' });
    await expect(createApplication({ prompts: [type], toolTexts: 'wide' })).rejects.toMatchObject({ code: 'E102' });
  });
});

describe('DECL-40 limits of calls by section, prompt and application', () => {
  const endless = defineTool({ name: 'wait', description: 'Waits.', handler: () => new Promise<never>(() => {}) });
  const long = defineTool({ name: 'long', description: 'Long.', handler: () => 'x'.repeat(500) });
  const near = defineTool({ name: 'near', description: 'Long.', handler: () => 'x'.repeat(500), resultLimit: 300 });
  const inner = (options: object): Constructor =>
    defineSection({ key: 'inner', title: 'Inner', tools: [endless, long, near], ...options });
  const outer = (child: Constructor, options: object): Constructor =>
    defineSection({ key: 'outer', title: 'Outer', children: [child], ...options });

  test.each<[string, Constructor, object, object]>([
    ['a section', inner({ timeoutMs: 20, resultLimit: 100 }), {}, {}],
    ['a section around it', outer(inner({}), { timeoutMs: 20, resultLimit: 100 }), {}, {}],
    ['a prompt', inner({}), { timeoutMs: 20, resultLimit: 100 }, {}],
    ['an application', inner({}), {}, { limits: { callMs: 20, resultChars: 100 } }],
    [
      'a section, before those around it',
      inner({ timeoutMs: 20, resultLimit: 100 }),
      { timeoutMs: 60_000, resultLimit: 9_999 },
      {},
    ],
  ])('limits of %s count where a tool has none', async (_who, section, ofPrompt, ofApplication) => {
    const type = definePrompt({ ns: 'n', key: 'k', sections: [section], ...ofPrompt });
    const app = await createApplication({ prompts: [type], ...ofApplication });
    const rendered = await app.prompt(type).render();
    expect(await app.invoke(rendered, 'wait', {})).toMatchObject({ kind: 'timed_out' });
    const { text } = await app.invoke(rendered, 'long', {});
    expect(text.length).toBeLessThan(300);
    expect((await app.invoke(rendered, 'near', {})).text.length).toBeGreaterThan(text.length);
  });

  test('a wrong one is a finding', async () => {
    const type = definePrompt({ ns: 'n', key: 'k', sections: [inner({ timeoutMs: -1 })], resultLimit: 0 });
    await expect(createApplication({ prompts: [type] })).rejects.toMatchObject({
      findings: [
        {
          code: 'E312',
          problem: expect.stringContaining(
            'resultLimit: expected a positive number of characters, got the number 0',
          ) as unknown,
        },
        {
          code: 'E312',
          problem: expect.stringContaining(
            'timeoutMs: expected a positive number of milliseconds, got the number -1',
          ) as unknown,
        },
      ],
    });
  });
});

describe('DECL-37 slices that would fail in the middle of a call are refused when the session is made', () => {
  class Added {
    constructor(readonly item: string) {}
  }
  class Cart {
    constructor(readonly items: readonly string[]) {}
    @Reducer(() => Added)
    add({ item }: Added): SliceOp<Cart> {
      return SliceOps.replace(new Cart([...this.items, item]));
    }
  }
  class Visited {
    @Field('When') at!: Date;
  }
  class Visits {
    readonly count: number = 0;
    @Reducer(() => Visited)
    visit(_event: Visited): SliceOp<Visits> {
      return SliceOps.replace<Visits>(this);
    }
  }
  const initial = (): Visits => new Visits();

  test('reducers without a state to begin with', () => {
    expect(() => new Session({ slices: [Cart] })).toThrow(
      expect.objectContaining({
        code: 'E804',
        place: 'Cart',
        remedy: 'List it as { type: Cart, initial: () => new Cart(…) }.',
      }) as Error,
    );
    const session = new Session({ slices: [{ type: Cart, initial: () => new Cart([]) }] });
    session.dispatch(new Added('pen'));
    // What is read from JSON has its state.
    const read = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices: [Cart] });
    read.dispatch(new Added('ink'));
    expect(read.slice(Cart).latest()?.items).toEqual(['pen', 'ink']);
  });

  test.each<[string, string, () => unknown]>([
    ['a date in an event of a reducer', 'Visited.at', () => new Session({ slices: [{ type: Visits, initial }] })],
    ['a date in a slice of events', 'Visited.at', () => new Session({ slices: [Visited] })],
  ])('DECL-37 a session refuses a slice that would fail in a call: %s', (_what, place, make) => {
    expect(make).toThrow(expect.objectContaining({ code: 'E801', place }) as Error);
  });

  test('a class that only inherits reducers has none, and needs no state to begin with', () => {
    class Basket extends Cart {}
    const session = new Session({ slices: [Basket] });
    session.dispatch(new Added('pen'));
    expect(session.slice(Basket).all()).toEqual([]);
  });

  test.each([
    ['state', false],
    ['a log, which is not recorded', true],
  ])('an event of a slice that is not listed, in a conversation: %s', async (_what, isLog) => {
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { session }: ToolContext) => {
        session.dispatch(new Added('pen'));
        return 'done';
      },
    });
    const type = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
    const app = await createApplication({ prompts: [type], logger: silent });
    const session = new Session({ slices: isLog ? [{ type: Added, policy: 'log' }] : [] });
    const { transcript } = await app.evaluate(app.prompt(type), {
      adapter: new ScriptedModel([{ toolCalls: [{ name: 'act', arguments: {} }] }, { text: 'Done.' }]),
      messages: [{ role: 'user', content: 'Go.' }],
      conversation: new Conversation(),
      session,
    });
    expect(transcript.find(({ role }) => role === 'tool')).toMatchObject(
      isLog ? { failed: false } : { failed: true, content: expect.stringContaining('E805') as string },
    );
    expect(session.slice(Added).all()).toHaveLength(isLog ? 1 : 0);
  });

  test('a log takes dates, since it is never rolled back', () => {
    const session = new Session({ slices: [{ type: Visited, policy: 'log' }] });
    session.dispatch(Object.assign(new Visited(), { at: new Date(0) }));
    expect(session.slice(Visited).all()).toHaveLength(1);
  });
});

describe('DECL-38 a mistake of the developer that shows in a call', () => {
  class Unbound {}
  const acts: readonly [string, string, (context: ToolContext) => unknown][] = [
    ['an event with a Map', 'E801', ({ session }) => session.dispatch(new Booked(new Map()))],
    ['an event without a class', 'E807', ({ session }) => session.dispatch(Object.create(null) as object)],
    ['a resource that is not bound', 'E901', ({ resources }) => resources.get(Unbound)],
  ];
  class Booked {
    constructor(readonly seats: ReadonlyMap<string, number>) {}
  }
  class Bookings {
    readonly count: number = 0;
    @Reducer(() => Booked)
    book(_event: Booked): SliceOp<Bookings> {
      return SliceOps.replace<Bookings>(this);
    }
  }

  test.each(acts)(
    '%s: the model reads that the tool is broken, and the log has the error',
    async (_what, code, act) => {
      const logged: [string, unknown][] = [];
      const logger = {
        ...silent,
        error: (message: string, fields?: Readonly<Record<string, unknown>>) =>
          void logged.push([message, fields?.['error']]),
      };
      const tool = defineTool({
        name: 'book',
        description: 'Books.',
        handler: (_params: unknown, context) => act(context),
      });
      const type = definePrompt({
        ns: 'n',
        key: 'k',
        sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
      });
      const app = await createApplication({ prompts: [type], logger });
      const session = new Session({ slices: [{ type: Bookings, initial: () => new Bookings() }] });
      const outcome = await app.invoke(await app.prompt(type).render({ session }), 'book', {}, { session });
      expect(outcome).toMatchObject({ kind: 'failed', error: { code } });
      expect(outcome.text).toBe(
        `The tool book is broken (${code}), whatever its arguments are.\nIts changes here were undone; whether it had an effect elsewhere is not known. Do not repeat the call; go on without the tool.`,
      );
      expect(logged).toEqual([[expect.stringContaining('Tool book failed: '), (outcome as { error?: unknown }).error]]);
    },
  );
});

describe('DECL-41 names on the wire by prompt', () => {
  class Query {
    @Param('Order id') orderId!: string;
  }
  class Row {
    @Field('Order id') orderId = '';
    @Field('Paid') isPaid = false;
  }
  const query = Object.assign(new Query(), { orderId: '#1' });
  const row = Object.assign(new Row(), { orderId: '#1', isPaid: true });
  const find = defineTool({
    name: 'find',
    description: 'Finds.',
    params: Query,
    result: Row,
    examples: [{ description: 'One.', input: query, output: row }],
    handler: ({ orderId }) => Object.assign(new Row(), { orderId, isPaid: true }),
  });
  const promptOf = (key: string, options: object): Constructor =>
    definePrompt({
      ns: 'n',
      key,
      sections: [defineSection({ key: 's', title: 'S', tools: [find] })],
      output: Row,
      ...options,
    });

  test.each<[string, object, object, boolean]>([
    ['the application decides', { fieldNames: 'snake_case' }, {}, true],
    ['a prompt decides otherwise', { fieldNames: 'snake_case' }, { fieldNames: 'as-is' }, false],
    ['a prompt decides alone', {}, { fieldNames: 'snake_case' }, true],
  ])('DECL-41 a prompt decides names on the wire: %s', async (_who, ofApplication, ofPrompt, isSnake) => {
    const [type, other] = [promptOf('one', ofPrompt), promptOf('two', {})];
    const app = await createApplication({ prompts: [type, other], ...ofApplication });
    const rendered = await app.prompt(type).render();
    const id = isSnake ? 'order_id' : 'orderId';
    const paid = isSnake ? 'is_paid' : 'isPaid';
    expect(Object.keys(rendered.toolSchemas('json-schema')[0]?.parameters['properties'] as object)).toEqual([id]);
    expect(rendered.text).toContain(`find({"${id}":"#1"})`);
    expect((await app.invoke(rendered, 'find', { [id]: '#7' })).text).toBe(`{"${id}":"#7","${paid}":true}`);
    const adapter = new ScriptedModel([{ text: `{"${id}":"#1","${paid}":true}` }, { text: `[{"${id}":"#2"}]` }]);
    const run = { adapter, messages: [{ role: 'user' as const, content: 'Go' }] };
    expect((await app.evaluate(app.prompt(type), run)).output).toMatchObject({ orderId: '#1', isPaid: true });
    const listed = await app.evaluate(app.prompt(type), { ...run, output: { array: Row } });
    expect(listed.output).toMatchObject([{ orderId: '#2' }]);
  });

  test('another value is a finding', async () => {
    const type = promptOf('one', { fieldNames: 'kebab' });
    await expect(createApplication({ prompts: [type] })).rejects.toMatchObject({
      code: 'E312',
      placeholder: 'fieldNames',
    });
  });
});

describe('DECL-34 an option with a name that is not known is refused, with the nearest name', () => {
  const sectionWith = (section: object, tool: object = {}) =>
    definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 's', title: 'S', tools: [defineTool({ ...note, ...tool })], ...section })],
    });

  test.each<[string, string, string, string, () => unknown]>([
    [
      'createApplication',
      'E312',
      'contaner',
      'container',
      () => createApplication({ prompts: [], contaner: {} } as never),
    ],
    [
      'the limits of an application',
      ...(['E312', 'turnMS', 'turnMs'] as const),
      () => createApplication({ prompts: [], limits: { turnMS: 1 } } as never),
    ],
    [
      'a prompt',
      'E312',
      'setions',
      'sections',
      () => createApplication({ prompts: [definePrompt({ ns: 'n', key: 'k', sections: [], setions: [] } as never)] }),
    ],
    ['a section', 'E312', 'templat', 'template', () => createApplication({ prompts: [sectionWith({ templat: 'x' })] })],
    [
      'a tool',
      'E312',
      'timeoutMS',
      'timeoutMs',
      () => createApplication({ prompts: [sectionWith({}, { timeoutMS: 5 })] }),
    ],
    [
      'a property',
      ...(['E312', 'minLenght', 'minLength'] as const),
      () => {
        class Params {
          @Param({ description: 'A name', minLenght: 3 } as never) name!: string;
        }
        return parse(Params, { name: '' });
      },
    ],
    ['a session', 'E804', 'slice', 'slices', () => new Session({ slice: [] } as never)],
    ['a conversation', 'E413', 'sesion', 'session', () => new Conversation({ sesion: 'apart' } as never)],
    [
      'the chat adapter',
      'E413',
      'strct',
      'strict',
      () => new OpenAIChatAdapter({ client: {}, model: 'm', strct: true } as never),
    ],
    [
      'the responses adapter',
      'E413',
      'paramters',
      'parameters',
      () => new OpenAIResponsesAdapter({ client: {}, model: 'm', paramters: {} } as never),
    ],
    [
      'the adapter of Anthropic',
      'E413',
      'max_tokens',
      'maxTokens',
      () => new AnthropicAdapter({ client: {}, model: 'm', max_tokens: 5 } as never),
    ],
    [
      'the adapter of the AI SDK',
      'E413',
      'closedTool',
      'closedTools',
      () => new AiSdkAdapter({ model: {}, closedTool: 'bridge' } as never),
    ],
  ])('DECL-34 an unknown option is refused with the nearest name: %s', async (_what, code, wrong, right, act) => {
    const error: unknown = await Promise.resolve()
      .then(act)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).toContain(`there is no option "${wrong}". Did you mean "${right}"`);
  });

  test.each<[string, string, string]>([
    ['evaluate', 'sesion', 'session'],
    ['stream', 'maxTurn', 'maxTurns'],
    ['callTool', 'sesion', 'session'],
    ['callTools', 'sginal', 'signal'],
    ['invoke', 'dedline', 'deadline'],
    ['render', 'overrideTag', 'overridesTag'],
    ['history', 'maxToken', 'maxTokens'],
  ])('DECL-34 app.%s refuses the unknown option %s', async (method, wrong, right) => {
    const app = await createApplication({ prompts: [desk] });
    const prompt = app.prompt(desk);
    const rendered = await prompt.render();
    const wrongly = { [wrong]: 1 } as never;
    const run = {
      adapter: new ScriptedModel([{ text: 'x' }]),
      messages: [{ role: 'user' as const, content: 'Hello' }],
    };
    const acts: Readonly<Record<string, () => unknown>> = {
      evaluate: () => app.evaluate(prompt, { ...run, ...(wrongly as object) }),
      stream: () => app.stream(prompt, { ...run, ...(wrongly as object) }),
      callTool: () => app.callTool(rendered, call, wrongly),
      callTools: () => app.callTools(rendered, [call], wrongly),
      invoke: () => app.invoke(rendered, 'note', {}, wrongly),
      render: () => prompt.render(wrongly),
      history: () => app.evaluate(prompt, { ...run, history: wrongly }),
    };
    const error: unknown = await Promise.resolve()
      .then(acts[method])
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'PromptError', code: 'E413' });
    expect((error as Error).message).toContain(`there is no option "${wrong}". Did you mean "${right}"`);
    expect(run.adapter.requests).toEqual([]);
  });
});
