import { IsEmail, MinLength } from 'class-validator';
import fc from 'fast-check';
import {
  type Constructor,
  createApplication,
  definePrompt,
  Param as ExperimentalParam,
  PromptValidationError,
  Section as ExperimentalSection,
  Tool as ExperimentalTool,
  ToolContext,
} from 'toolwright';
import { Field, Param, Prompt, Reducer, Section, Tool } from 'toolwright/es';
import { findArgs } from 'toolwright/internal';
import { z } from 'zod';
import { toolsOf } from '../builder/toolsOf.js';
import { silent } from '../support/silent.js';

type StandardDecorator = (value: never, context: never) => void;

const key = (): symbol => (Symbol as unknown as { readonly metadata: symbol }).metadata;
const metadataOf = (type: object): unknown => Reflect.get(type, key());

/** Decorates a class as compilers of standard decorators do: methods, fields, the class. */
function decorate<T extends Constructor>(
  type: T,
  members: Readonly<Record<string, readonly unknown[]>>,
  ...own: readonly unknown[]
): T {
  const parent = metadataOf(Object.getPrototypeOf(type) as object) as object | undefined;
  const metadata = Object.create(parent ?? null) as object;
  const apply = (value: unknown, decorators: readonly unknown[], context: object): void => {
    for (const decorator of [...decorators].reverse())
      (decorator as StandardDecorator)(value as never, { ...context, metadata } as never);
  };
  for (const [name, decorators] of Object.entries(members)) {
    const value: unknown = Reflect.get(type.prototype as object, name);
    const kind = value === undefined ? 'field' : 'method';
    apply(value, decorators, { kind, name, static: false, private: false });
  }
  apply(type, own, { kind: 'class', name: type.name });
  Object.defineProperty(type, key(), { value: metadata });
  return type;
}

const memberContext = { kind: 'method', name: 'one', static: false, private: false, metadata: {} };
const findError = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return error;
  }
};

describe('standard decorators', () => {
  test('the entry makes the symbol that compilers look for', () => {
    expect(key()).toBe(Symbol.for('Symbol.metadata'));
  });

  test('a class is declared when it is read, and once', () => {
    const read: string[] = [];
    const note = (_prototype: object, property: string): void => {
      read.push(property);
    };
    const Params = decorate(class Params {}, {
      one: [Param({ type: String, decorators: [note] })],
      two: [Field('Two')],
    });
    expect(read).toEqual([]);
    expect(findArgs(Params)?.properties.map(({ property }) => property)).toEqual(['one', 'two']);
    expect(findArgs(Params)?.properties.map(({ property }) => property)).toEqual(['one', 'two']);
    expect(read).toEqual(['one']);
  });

  test('a subclass has its own declarations, with or without decorators', () => {
    class Base {
      one(): void {}
    }
    decorate(Base, { one: [Tool('One.')] });
    class Plain extends Base {}
    class Derived extends Base {
      two(): void {}
    }
    decorate(Derived, { two: [Tool('Two.')] });
    expect(findArgs(Plain)).toBeUndefined();
    expect(findArgs(Derived)?.tools.map(({ member }) => member)).toEqual(['two']);
    expect(findArgs(Base)?.tools.map(({ member }) => member)).toEqual(['one']);
  });

  test('tools are inherited across both forms', async () => {
    class Base {
      one(): void {}
    }
    decorate(Base, { one: [Tool('One.')] });
    @ExperimentalSection({ title: 'S' })
    class Middle extends Base {
      @ExperimentalTool('Two.') two(): void {}
    }
    class Last extends Middle {
      three(): void {}
    }
    decorate(Last, { three: [Tool('Three.')] }, Section({ title: 'S' }));
    expect((await toolsOf(Last)).map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  });

  test('decorators of a field run as if they stood on it, from the last to the first', () => {
    const order: unknown[] = [];
    const note = (name: string) => (prototype: object, property: string) => order.push([name, prototype, property]);
    const Params = decorate(class Params {}, {
      one: [Param({ type: String, decorators: [note('first'), note('last')] })],
    });
    findArgs(Params);
    expect(order).toEqual([
      ['last', Params.prototype, 'one'],
      ['first', Params.prototype, 'one'],
    ]);
  });

  test('inject takes thunks, which are read after all classes are declared', async () => {
    class Orders {
      constructor(readonly service: object) {}
      one(): string {
        return this.service.constructor.name;
      }
    }
    decorate(Orders, { one: [Tool('One.')] }, Section({ title: 'S', inject: [() => Later] }) as unknown);
    class Later {}
    const prompt = decorate(class Desk {}, {}, Prompt({ ns: 'n', key: 'k', sections: [Orders] }));
    const app = await createApplication({ prompts: [prompt], logger: silent });
    expect(await app.invoke(await app.prompt(prompt).render(), 'one', '{}')).toMatchObject({ text: 'Later' });
  });

  test('a method whose name is an expression is called with what its length says, as Bun writes them', async () => {
    class Named {
      ['pi'.concat('ng')](): string {
        return 'pong';
      }
    }
    decorate(Named, { ping: [Tool('Answer.')] }, Section({ title: 'S' }));
    expect((await toolsOf(Named)).map(({ name }) => name)).toEqual(['ping']);
    class Taking {
      ['fi'.concat('nd')](params: object): object {
        return params;
      }
    }
    decorate(Taking, { find: [Tool('Find.')] }, Section({ title: 'S' }));
    await expect(toolsOf(Taking)).rejects.toMatchObject({ code: 'E106' });
  });

  test('a class of inject that is undefined is E401, as an emitted one is', async () => {
    class Orders {
      constructor(readonly service: object) {}
    }
    decorate(Orders, {}, Section({ title: 'S', inject: [undefined as never] }) as unknown);
    const prompt = definePrompt({ ns: 'n', key: 'k', sections: [Orders] });
    await expect(createApplication({ prompts: [prompt] })).rejects.toMatchObject({ code: 'E401' });
  });
});

describe('standard decorators that are used wrongly', () => {
  const decorators = [
    ['Tool', Tool('One.')],
    ['Param', Param('One')],
    ['Section', Section({ title: 'S' })],
    ['Prompt', Prompt({ ns: 'n', key: 'k', sections: [] })],
    ['Reducer', Reducer(() => Date)],
  ] as const;

  test.each(decorators)('E115 @%s of toolwright/es as an experimental decorator', (name, decorator) => {
    const apply = decorator as unknown as (prototype: object, member: string, descriptor: object) => void;
    const error = findError(() => apply({}, 'one', { value: () => 1 }));
    expect(error).toBeInstanceOf(PromptValidationError);
    expect(error).toMatchObject({ findings: [{ code: 'E115', place: `@${name} one`, member: 'one' }] });
  });

  test.each(decorators)('E115 @%s without context.metadata', (name, decorator) => {
    const context = { ...memberContext, metadata: undefined };
    const error = findError(() => (decorator as StandardDecorator)(undefined as never, context as never));
    expect(error).toMatchObject({ findings: [{ code: 'E115', place: `@${name} one` }] });
    expect(String(error)).toContain('no metadata');
  });

  test.each([
    ['Tool', 'static method', { static: true }],
    ['Tool', 'private method', { private: true }],
    ['Tool', 'field', { kind: 'field' }],
    ['Param', 'method', {}],
    ['Param', 'static field', { kind: 'field', static: true }],
    ['Section', 'method', {}],
    ['Prompt', 'accessor', { kind: 'accessor' }],
    ['Reducer', 'class', { kind: 'class' }],
  ])('E116 @%s on %s', (name, place, context) => {
    const decorator = new Map<string, unknown>(decorators).get(name) as StandardDecorator;
    const error = findError(() => decorator(undefined as never, { ...memberContext, ...context } as never));
    expect(error).toMatchObject({ findings: [{ code: 'E116', problem: `it is applied to the ${place}` }] });
  });

  test.each([
    ['Tool', Tool],
    ['Param', Param],
    ['Field', Field],
    ['Section', Section],
    ['Prompt', Prompt],
    ['Reducer', Reducer],
  ])('E312 @%s without parentheses', (_name, decorator) => {
    const call = decorator as unknown as (value: unknown, context: unknown) => void;
    expect(findError(() => call(() => 1, memberContext))).toMatchObject({ findings: [{ code: 'E312' }] });
  });

  test.each([
    ['inject', () => Tool({ description: 'One.', inject: Date as never })],
    ['inject', () => Section({ title: 'S', inject: {} as never })],
    ['decorators', () => Param({ decorators: IsEmail() as never })],
  ])('E312 %s that is not a list', (name, call) => {
    const error = findError(call);
    expect(error).toMatchObject({ findings: [{ code: 'E312' }] });
    expect(String(error)).toContain(`${name}: expected a list, got`);
  });

  test('E116 does not leave a declaration behind', () => {
    class Broken {
      one(): void {}
    }
    expect(() => decorate(Broken, { one: [Param('One')] })).toThrow('E116');
    expect(findArgs(Broken)).toBeUndefined();
  });
});

/** A field, as a class and as a schema of zod declare it. */
interface Drawn {
  readonly options: Parameters<typeof Param>[0] & object;
  readonly schema: z.ZodType;
  readonly rules: readonly PropertyDecorator[];
}

const text = fc.record({ minLength: fc.option(fc.nat(3), { nil: undefined }), description: fc.constant('A text') });
const drawn: fc.Arbitrary<Drawn> = fc
  .tuple(
    fc.oneof(
      text.map(({ minLength, description }) => ({
        options: { type: String, description },
        schema: minLength === undefined ? z.string() : z.string().min(minLength),
        rules: minLength === undefined ? [] : [MinLength(minLength)],
      })),
      fc.integer({ min: -5, max: 5 }).map((min) => ({
        options: { type: Number, integer: true, min },
        schema: z.int().min(min),
        rules: [],
      })),
      fc.constant({ options: { type: Boolean }, schema: z.boolean(), rules: [] }),
      fc.constant({ options: { enum: ['a', 'b'] }, schema: z.enum(['a', 'b']), rules: [] }),
      fc.constant({ options: { type: [String] as const, maxItems: 2 }, schema: z.array(z.string()).max(2), rules: [] }),
    ),
    fc.boolean(),
  )
  .map(([{ options, schema, rules }, optional]) =>
    optional ? { options: { ...options, optional }, schema: schema.optional(), rules } : { options, schema, rules },
  );
const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), drawn, { minKeys: 1 });
const value = fc.oneof(
  fc.string({ maxLength: 4 }),
  fc.integer({ min: -9, max: 9 }),
  fc.boolean(),
  fc.constantFrom('a', 'b', 0.5),
  fc.array(fc.constantFrom('x', 1), { maxLength: 3 }),
);
const calls = fc.array(fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), value), { minLength: 1, maxLength: 8 });

/** What the model reads of the tool of a section, and what it gets for each call. */
async function observe(section: Constructor, given: readonly object[]): Promise<readonly unknown[]> {
  const prompt = definePrompt({ ns: 'n', key: 'k', sections: [section] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const rendered = await app.prompt(prompt).render();
  const outcomes = [];
  for (const args of given) {
    const { kind, text } = await app.invoke(rendered, 'take', JSON.stringify(args));
    outcomes.push({ kind, text });
  }
  return [rendered.text, rendered.toolSchemas('json-schema'), rendered.toolParamDescriptions, ...outcomes];
}

const takes = (params: unknown, form: 'experimental' | 'standard'): Constructor => {
  const options = { description: 'Take.', params: params as Constructor };
  class Taking {
    take(given: object, context: ToolContext): string {
      return `${JSON.stringify(Object.entries(given).sort())} ${context.call.name}`;
    }
  }
  if (form === 'standard') return decorate(Taking, { take: [Tool(options)] }, Section({ key: 's', title: 'S' }));
  const descriptor = Object.getOwnPropertyDescriptor(Taking.prototype, 'take');
  ExperimentalTool(options)(Taking.prototype, 'take', descriptor as never);
  ExperimentalSection({ key: 's', title: 'S' })(Taking);
  return Taking;
};

test('PROPERTY classes and schemas of zod on methods are the same in both forms, and accept the same calls', async () => {
  const answered = new Set<unknown>();
  await fc.assert(
    fc.asyncProperty(fields, calls, async (declared, given) => {
      class Experimental {}
      for (const [name, { options, rules }] of Object.entries(declared)) {
        for (const rule of rules) rule(Experimental.prototype, name);
        (ExperimentalParam(options) as PropertyDecorator)(Experimental.prototype, name);
      }
      Object.defineProperty(Experimental, 'name', { value: 'Params' });
      const standardFields = Object.entries(declared).map(([name, { options, rules }]) => [
        name,
        [Param({ ...options, decorators: rules })],
      ]);
      const Standard = decorate(class Params {}, Object.fromEntries(standardFields) as Record<string, unknown[]>);
      const schema = z.strictObject(
        Object.fromEntries(Object.entries(declared).map(([name, field]) => [name, field.schema])),
      );

      const ofClass = await observe(takes(Standard, 'standard'), given);
      expect(ofClass).toEqual(await observe(takes(Experimental, 'experimental'), given));
      const ofSchema = await observe(takes(schema, 'standard'), given);
      expect(ofSchema).toEqual(await observe(takes(schema, 'experimental'), given));

      // Issues are the words of each library. What is accepted, and what the handler gets, is the same.
      const outcomesOf = (seen: readonly unknown[]) =>
        (seen.slice(3) as readonly { readonly kind: string; readonly text: string }[]).map(({ kind, text }) =>
          kind === 'succeeded' ? { kind, text } : { kind },
        );
      expect(outcomesOf(ofSchema)).toEqual(outcomesOf(ofClass));
      for (const { kind } of outcomesOf(ofClass)) answered.add(kind);
    }),
    { numRuns: 40 },
  );
  expect(answered).toEqual(new Set(['succeeded', 'rejected']));
});
