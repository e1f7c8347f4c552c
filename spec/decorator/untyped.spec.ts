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
  type Constructor,
  type Finding,
} from 'toolwright';
import { refusalOf } from '../builder/refusalOf.js';

// What code without types hands over: each fault is a finding at creation, never a TypeError of ours.

/** Anything at all, in the place of what the compiler would ask for. */
const js = (value: unknown): never => value as never;
const line = ({ code, place, problem }: Finding): string => `${code} ${place}: ${problem}`;

async function findingsOf(...prompts: readonly Constructor[]): Promise<readonly Finding[]> {
  const refusal: unknown = await createApplication({ prompts }).catch((error: unknown) => error);
  if (!(refusal instanceof PromptValidationError)) throw refusal;
  for (const { remedy } of refusal.findings) expect(remedy).toMatch(/\S\.$/);
  return refusal.findings;
}

/** The findings of a tool with these options. */
async function findingsOfTool(options: unknown): Promise<readonly string[]> {
  const section = defineSection({ key: 'desk', title: 'Desk', tools: [defineTool(js(options))] });
  const { findings } = await refusalOf(section);
  return findings.map(line);
}

describe('a prompt', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['nothing', undefined, ['E312 definePrompt: it was given no options']],
    ['null', null, ['E312 definePrompt: it was given no options']],
    ['a text', 'desk', ['E312 definePrompt: it was given the string "desk" where options are expected']],
    ['a list', [], ['E312 definePrompt: it was given an array of 0 where options are expected']],
    ['no sections', { ns: 'n', key: 'desk' }, ['E312 desk: sections: expected a list of classes, got undefined']],
    [
      'one section in place of a list',
      { ns: 'n', key: 'desk', sections: class {} },
      ['E312 desk: sections: expected a list of classes, got a function'],
    ],
    [
      'names that are no texts',
      { ns: 5, key: {}, sections: [] },
      ['E306 definePrompt: ns is the number 5, not a text', 'E306 definePrompt: key is an object, not a text'],
    ],
    ['no names', { sections: [] }, ['E306 definePrompt: ns is missing', 'E306 definePrompt: key is missing']],
    [
      'a heading that is unknown, and a name that is none',
      { ns: 'n', key: 'desk', sections: [], heading: 'roman', name: 5 },
      [
        'E312 desk: name: expected a text, got the number 5',
        `E312 desk: heading: expected 'numbered-path', 'numbered', 'plain' or a function, got the string "roman"`,
      ],
    ],
  ])('a prompt that is given %s is refused', async (_case, options, expected) => {
    const findings = await findingsOf(definePrompt(js(options)));
    expect(findings.map(line)).toEqual(expected);
  });

  test('a prompt whose decorator has no options is refused', async () => {
    const type = class SupportDesk {};
    (Prompt as (options?: unknown) => (type: Constructor) => void)()(type);
    expect(await findingsOf(type)).toMatchObject([
      { code: 'E312', className: 'SupportDesk', problem: 'it was given no options', placeholder: undefined },
    ]);
  });

  test.each([undefined, null, 'SupportDesk', { prompts: [] }])(
    'an application that is given %p as prompts is refused',
    async (prompts) => {
      const created = createApplication({ prompts: js(prompts) });
      await expect(created).rejects.toMatchObject({ code: 'E312', place: 'createApplication({ prompts })' });
    },
  );
});

describe('a section', () => {
  test.each<[string, unknown, readonly string[]]>([
    ['nothing', undefined, ['E312 defineSection: it was given no options']],
    ['a text', 'Orders', ['E312 defineSection: it was given the string "Orders" where options are expected']],
    ['no key', { title: 'Orders' }, ['E312 defineSection: key: expected a text, got undefined']],
    ['a title that is none', { key: 'orders', title: 5 }, ['E311 orders: the title is the number 5, not a text']],
    ['no title', { key: 'orders' }, ['E311 orders: the title is missing']],
    [
      'members of the wrong kind, all at once',
      {
        key: 'orders',
        title: 'Orders',
        template: 5,
        params: 'DeskParams',
        children: class {},
        tools: {},
        enabled: 'yes',
        renderBody: 'Hello',
        acceptsOverrides: 'no',
      },
      [
        'E312 orders: template: expected a text, or a text with the tag md, got the number 5',
        'E312 orders: params: expected a class or a thunk of one, got the string "DeskParams"',
        'E312 orders: children: expected a list of classes, got a function',
        'E312 orders: tools: expected a list of classes, got an object',
        'E312 orders: enabled: expected a function, true or false, got the string "yes"',
        'E312 orders: renderBody: expected a function, got the string "Hello"',
        'E312 orders: acceptsOverrides: expected true or false, got the string "no"',
      ],
    ],
    [
      'a template of the tag md with a value for a name',
      { key: 'orders', title: 'Orders', template: { strings: ['a', 'b'], names: [5] } },
      ['E312 orders: template: expected a text, or a text with the tag md, got an object'],
    ],
  ])('a section that is given %s is refused', async (_case, options, expected) => {
    const { findings } = await refusalOf(defineSection(js(options)));
    expect(findings.map(line)).toEqual(expected);
  });

  test('a section whose decorator has no options, below another one, is refused', async () => {
    const type = class RefundsSection {};
    (Section as (options?: unknown) => (type: Constructor) => void)()(type);
    const { findings } = await refusalOf(defineSection({ key: 'orders', title: 'Orders', children: [type] }));
    expect(findings).toMatchObject([
      { code: 'E312', className: 'RefundsSection', sectionPath: 'orders', problem: 'it was given no options' },
    ]);
  });

  test('a section that lists instances and names in place of classes is refused', async () => {
    class RefundsSection {}
    const listed = js([new RefundsSection(), 'RefundsSection', { title: 'Refunds' }]);
    const { findings } = await refusalOf(defineSection({ key: 'orders', title: 'Orders', children: listed }));
    expect(findings.map(line)).toEqual([
      'E312 orders: section 0 in its list: expected a class, got an instance of RefundsSection',
      'E312 orders: section 1 in its list: expected a class, got the string "RefundsSection"',
      'E312 orders: section 2 in its list: expected a class, got an object',
    ]);
  });
});

describe('a tool', () => {
  const whole = { name: 'ping', description: 'Answers.', handler: null };
  test.each<[string, unknown, readonly string[]]>([
    ['nothing', undefined, ['E312 defineTool: it was given no options']],
    ['null', null, ['E312 defineTool: it was given no options']],
    ['a text', 'ping', ['E312 defineTool: it was given the string "ping" where options are expected']],
    ['a list', [], ['E312 defineTool: it was given an array of 0 where options are expected']],
    ['a function', () => 'pong', ['E312 defineTool: it was given a function where options are expected']],
    ['no name', { ...whole, name: undefined }, ['E312 defineTool: name: expected a text, got undefined']],
    ['a name that is none', { ...whole, name: 5 }, ['E312 defineTool: name: expected a text, got the number 5']],
    ['no description', { ...whole, description: undefined }, ['E102 ping: the description is missing']],
    [
      'a description that is none',
      { ...whole, description: {} },
      ['E102 ping: the description is an object, not a text'],
    ],
    [
      'no handler',
      { name: 'ping', description: 'Answers.' },
      ['E312 ping: handler: expected a function, or null for a tool without a handler, got undefined'],
    ],
    [
      'a handler that cannot be called',
      { ...whole, handler: { handle: () => 'pong' } },
      ['E312 ping: handler: expected a function, or null for a tool without a handler, got an object'],
    ],
    [
      'members of the wrong kind, all at once',
      {
        ...whole,
        params: 'City',
        result: 'string',
        returnSchema: 'string',
        examples: [null],
        acceptsOverrides: 1,
        onUnknown: 'never',
        hints: { readOnly: 'yes' },
        timeoutMs: '500',
      },
      [
        'E312 ping: params: expected a class, a thunk of one, or a Standard Schema, got the string "City"',
        "E312 ping: result: expected a class, a type reference such as [X] or { record: X }, a Standard Schema, or { type: X, mismatch: 'fail' | 'warn' }, got the string \"string\"",
        'E312 ping: returnSchema: expected a JSON Schema, as an object, got the string "string"',
        'E312 ping: examples: expected a list of { description, input, output }, got an array of 1',
        'E312 ping: acceptsOverrides: expected true or false, got the number 1',
        'E312 ping: hints: expected readOnly, destructive, idempotent and openWorld, each true or false, got an object',
        "E312 ping: onUnknown: expected 'fail', 'repeat' or 'ask', got the string \"never\"",
        'E312 ping: timeoutMs: expected a positive number of milliseconds, got the string "500"',
      ],
    ],
    [
      'no time at all',
      { ...whole, timeoutMs: 0 },
      ['E312 ping: timeoutMs: expected a positive number of milliseconds, got the number 0'],
    ],
    [
      'NaN as time',
      { ...whole, timeoutMs: NaN },
      ['E312 ping: timeoutMs: expected a positive number of milliseconds, got the number NaN'],
    ],
    [
      'a misspelt hint, which would silently have no effect',
      { ...whole, hints: { readonly: true } },
      ['E312 ping: hints: there is no property "readonly". Did you mean "readOnly"?'],
    ],
    [
      'a misspelt part of an example',
      { ...whole, examples: [{ description: 'One.', input: {}, ouput: 1 }] },
      ['E312 ping: examples: there is no property "ouput". Did you mean "output" or "input"?'],
    ],
    [
      'a misspelt part of retry',
      { ...whole, retry: { attempts: 2, backOffMs: 10 } },
      ['E312 ping: retry: there is no property "backOffMs". Did you mean "backoffMs"?'],
    ],
  ])('a tool that is given %s is refused', async (_case, options, expected) => {
    expect(await findingsOfTool(options)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['a text', 'string'],
    ['a list of a text', ['string']],
    ['a list of two', [String, Number]],
    ['an empty list', []],
    ['a list of a number, below', { record: { array: 5 } }],
    ['a tuple that is no list', { tuple: String }],
    ['a union with a text in it', { oneOf: [String, 'number'] }],
    ['an enum that is none', { enum: 'C' }],
    ['two forms at once', { array: String, record: String }],
    ['a form that is unknown', { map: String }],
    ['an empty object', {}],
    ['null', null],
  ])('a tool whose result is %s is refused: E312', async (_case, result) => {
    const found = await findingsOfTool({ ...whole, result });
    expect(found).toEqual([
      expect.stringMatching(/^E312 ping: result: expected a class, a type reference such as .*, got /),
    ]);
  });

  test('a tool whose result class is undefined within a form is reported as a circular file', async () => {
    expect(await findingsOfTool({ ...whole, result: { array: undefined } })).toEqual([
      expect.stringMatching(/^E201 ping: .*circular import/),
    ]);
  });

  test.each([undefined, null, 5, ['Answers.'], () => 'Answers.'])(
    'a tool whose decorator is given %p is refused',
    async (options) => {
      @Section({ title: 'Desk' })
      class DeskSection {
        @Tool(js(options)) ping() {}
        @Tool('Answers.') pong() {}
      }
      @Tool(js(options))
      class PingTool {
        handle() {}
      }
      const { findings } = await refusalOf(
        DeskSection,
        defineSection({ key: 'other', title: 'Other', tools: [PingTool] }),
      );
      expect(findings).toMatchObject([
        { code: 'E312', place: 'DeskSection.ping', className: 'DeskSection', member: 'ping', sectionPath: 'desk' },
        { code: 'E312', place: 'PingTool', className: 'PingTool', member: undefined, sectionPath: 'other' },
      ]);
    },
  );
});

describe('a parameter', () => {
  test.each([undefined, null, 5, ['City']])(
    'a parameter whose decorator is given %p is refused: E207',
    async (words) => {
      class City {
        declare city: string;
        declare town: string;
      }
      Reflect.defineMetadata('design:type', String, City.prototype, 'city');
      Reflect.defineMetadata('design:type', String, City.prototype, 'town');
      Param(js(words))(City.prototype, 'city');
      (Param('town', js(words)) as (prototype: object, property: string) => void)(City.prototype, 'town');
      @Section({ title: 'Weather' })
      class WeatherSection {
        @Tool('One.') one(params: City) {}
        @Tool('Two.') two(@Param('city', js(words)) city: string) {}
      }
      const { findings } = await refusalOf(WeatherSection);
      const places = findings.map(({ code, place }) => `${code} ${place}`);
      // What is left out altogether is the form of properties, which is right on a property.
      const ofTown = words === undefined ? [] : ['E207 City.town'];
      expect(places).toEqual(['E207 WeatherSection.two', 'E207 City.city', ...ofTown]);
      expect(findings[0]?.problem).toMatch(/parameter 0/);
    },
  );
});

describe('a decorator without parentheses', () => {
  const bare = { Section, Prompt, Tool } as unknown as Readonly<
    Record<string, (...target: readonly unknown[]) => void>
  >;
  test.each(Object.keys(bare))('@%s on a class: E312 at once, since the class would be replaced', (name) => {
    class OrdersSection {}
    const apply = () => bare[name]?.(OrdersSection);
    expect(apply).toThrow(PromptValidationError);
    expect(apply).toThrow(
      expect.objectContaining({
        code: 'E312',
        place: 'OrdersSection',
        remedy: `Write @${name}({ … }).`,
      }) as Error,
    );
  });

  test('@Tool on a method without parentheses is refused at once: E312', () => {
    class OrdersSection {
      getOrder() {}
    }
    const descriptor = Object.getOwnPropertyDescriptor(OrdersSection.prototype, 'getOrder');
    expect(() => bare['Tool']?.(OrdersSection.prototype, 'getOrder', descriptor)).toThrow(
      /E312 OrdersSection: .*parentheses/,
    );
  });
});
