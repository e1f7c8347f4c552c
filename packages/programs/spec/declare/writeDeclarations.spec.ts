import 'reflect-metadata';
import { IsInt } from 'class-validator';
import fc from 'fast-check';
import ts from 'typescript';
import { createApplication, definePrompt, defineSection, defineTool, Field, Param, type JsonSchema } from 'toolwright';
import { writeCheckedDeclarations, writeDeclarations, type DeclaredTool } from '../../src/declare/writeDeclarations.js';

async function toolsOf(...tools: readonly ReturnType<typeof defineTool>[]): Promise<readonly DeclaredTool[]> {
  const prompt = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const rendered = await (await createApplication({ prompts: [prompt] })).prompt(prompt).render();
  return rendered.tools.map(({ metadata }) => metadata);
}

function fromSchema(schema: JsonSchema, returnSchema: JsonSchema | null = null): DeclaredTool {
  return { name: 'f', description: '', params: null, schema, result: null, returnSchema };
}

/** The type of one argument. */
function typeOf(property: JsonSchema): string {
  const schema = { type: 'object', properties: { x: property }, required: ['x'] };
  const text = writeDeclarations([fromSchema(schema)], { results: false });
  return /x: ([^]*?);? \}\)/.exec(text)?.[1] ?? text;
}

describe('the table of types', () => {
  class Inner {
    @Field('Its name') name!: string;
  }
  enum Unit {
    Celsius = 'celsius',
    Fahrenheit = 'fahrenheit',
  }
  class Recursive {
    @Field({ type: () => [Recursive] }) children!: Recursive[];
  }
  class Params {
    @Param('A text') text!: string;
    @Param({ type: Number }) number!: number;
    @Param({ type: Boolean }) flag!: boolean;
    @Param({ type: Number }) @IsInt() integer!: number;
    @Param({ type: [String] }) list!: string[];
    @Param({ record: () => Number }) record!: Record<string, number>;
    @Param({ type: String, optional: true }) optional?: string;
    @Param({ type: String, nullable: true }) nullable!: string | null;
    @Param({ oneOf: [String, Number] }) union!: string | number;
    @Param({ enum: Unit }) unit = Unit.Celsius;
    @Param({ type: Date }) date!: Date;
    @Param({ type: Inner }) inner!: Inner;
    @Param({ type: Recursive }) recursive!: Recursive;
  }

  test('each row of the table is declared, for a class', async () => {
    const tool = defineTool({
      name: 'get-all',
      description: 'All of them.',
      params: Params,
      result: { tuple: [String, Inner] },
      handler: () => null,
    });
    expect(writeDeclarations(await toolsOf(tool), { results: true })).toBe(`\
interface Inner {
  /** Its name */
  name: string;
}

interface Recursive { children: Recursive[] }

/** All of them. */
declare function get_all(args: {
  /** A text */
  text: string;
  number: number;
  flag: boolean;
  integer: number;
  list: string[];
  record: Record<string, number>;
  optional?: string;
  nullable: string | null;
  union: string | number;
  /** default "celsius" */
  unit?: 'celsius' | 'fahrenheit';
  /** ISO 8601; UTC without a zone. */
  date: string;
  inner: Inner;
  recursive: Recursive;
}): Promise<[string, Inner] | null>;`);
  });

  test.each<[JsonSchema, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'null' }, 'null'],
    [{}, 'unknown'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ const: 'a' }, "'a'"],
    [{ enum: ['a', "it's", 'say "x"', 1, true, null] }, "'a' | 'it\\'s' | 'say \"x\"' | 1 | true | null"],
    [{ anyOf: [{ type: 'string' }, { type: 'string' }] }, 'string'],
    [{ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'number' } }] }, 'string | number[]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    [{ type: 'array', items: { type: ['number', 'null'] } }, '(number | null)[]'],
    [{ type: 'array' }, 'unknown[]'],
    [
      { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false, minItems: 2 },
      '[string, number]',
    ],
    [
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' }, minItems: 1 },
      '[string, ...number[]]',
    ],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: false }, '[string?]'],
    [{ type: 'object' }, 'Record<string, unknown>'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [{ type: 'object', properties: {}, additionalProperties: false }, '{}'],
    [{ type: 'object', properties: { 'a-b': { type: 'string' } } }, "{ 'a-b'?: string }"],
    [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: true },
      '{ a: string; [key: string]: unknown }',
    ],
    [{ allOf: [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, { const: 1 }] }, '(string | number) & 1'],
    [{ $ref: '#/nowhere' }, 'unknown'],
  ])('the schema %j is declared as a type', (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });
});

describe('names', () => {
  test('a type is declared once, however often it is used; types of one name get two names', () => {
    const a = { type: 'object', title: 'Item', properties: { a: { type: 'string' } } };
    const b = { type: 'object', title: 'Item', properties: { b: { type: 'string' } } };
    const text = writeDeclarations(
      [
        { ...fromSchema({ type: 'object', properties: { x: a } }, a), name: 'f' },
        { ...fromSchema({ type: 'object', properties: { x: { ...a }, y: b } }), name: 'g' },
      ],
      { results: true },
    );
    expect(text).toBe(`\
interface Item { a?: string }

interface Item2 { b?: string }

declare function f(args?: { x?: Item }): Promise<Item>;

declare function g(args?: { x?: Item; y?: Item2 }): Promise<unknown>;`);
  });

  test('no name is that of a global', () => {
    const map = { type: 'object', title: 'Map', properties: { a: { type: 'string' } } };
    expect(writeDeclarations([fromSchema({ type: 'object', properties: { x: map } })], { results: false })).toMatch(
      /^interface Map2 /,
    );
  });

  test('a type that refers to itself has its definition', () => {
    const node = { type: 'object', properties: { next: { $ref: '#/$defs/node-1' } } };
    const text = writeDeclarations(
      [fromSchema({ type: 'object', properties: { list: { $ref: '#/$defs/node-1' } }, $defs: { 'node-1': node } })],
      { results: false },
    );
    expect(text).toMatch(/^interface node_1 \{ next\?: node_1 \}/);
  });
});

test('without results, a toolkit reads like one whose tools declare none, byte for byte', async () => {
  class Item {
    @Field('A') a!: string;
  }
  class Params {
    @Param({ type: Item }) item!: Item;
  }
  const tool = { description: 'Does it.', params: Params, handler: () => new Item() };
  const declaring = [
    defineTool({ ...tool, name: 'one', result: Item }),
    defineTool({ ...tool, name: 'two', returnSchema: { type: 'object', title: 'Item', properties: {} } }),
  ];
  const silent = [defineTool({ ...tool, name: 'one' }), defineTool({ ...tool, name: 'two' })];
  const off = writeDeclarations(await toolsOf(...declaring), { results: false });
  expect(off).toBe(writeDeclarations(await toolsOf(...silent), { results: false }));
  expect(off).not.toBe(writeDeclarations(await toolsOf(...declaring), { results: true }));
});

test('descriptions are text of others, and stay within their comments', () => {
  const part = fc.constantFrom(
    '*/',
    '/*',
    '```',
    '~~~',
    '\n',
    '\r',
    '\u2028',
    '*',
    '/',
    '`',
    'export const x = 1;',
    '${',
    '\\',
  );
  const words = fc.array(part).map((parts) => parts.join(''));
  fc.assert(
    fc.property(words, words, (description, ofParam) => {
      const schema = { type: 'object', properties: { x: { type: 'string', description: ofParam, default: ofParam } } };
      const text = writeDeclarations([{ ...fromSchema(schema), description }], { results: false });
      expect(text).not.toMatch(/`{3}|~{3}/);
      const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ESNext);
      expect(file.statements.map(({ kind }) => kind)).toEqual([ts.SyntaxKind.FunctionDeclaration]);
    }),
  );
});

test('results, both spellings, and arguments one by one are declared to the compiler', () => {
  const tool = {
    ...fromSchema({ type: 'object', properties: { a: { type: 'string' }, b: {} }, required: ['b'] }),
    name: 'get-it',
  };
  expect(writeCheckedDeclarations([tool])).toEqual({
    text: `\
declare function get_it(args: { a?: string; b: any }): Promise<any>;
declare const tools: { readonly 'get-it': typeof get_it; readonly get_it: typeof get_it; };`,
    positional: expect.stringMatching(
      /declare function get_it\(p0: undefined \| string, p1: any\): Promise<any>;$/,
    ) as string,
  });
});
