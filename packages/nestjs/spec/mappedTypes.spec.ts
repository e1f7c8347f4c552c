import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/mapped-types';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  PromptValidationError,
  type Constructor,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import { silent } from '../../../spec/support/silent';

class Address {
  @Param('Street and number')
  @IsString()
  street!: string;
}

class CreateOrder {
  @Param('Order id')
  @IsString()
  id!: string;

  @Param({ description: 'The key to the till', secret: true })
  @IsString()
  key!: string;

  @Param({ description: 'How many', name: 'how_many' })
  @IsInt()
  @Min(1)
  count = 1;

  @Param('Where it goes')
  @ValidateNested()
  @Type(() => Address)
  address!: Address;
}

/** A field has no rule of class-validator, so that nothing of it is left in a class that a mapped type of Nest makes. */
class CreateNote extends CreateOrder {
  @Param({ description: 'A note', secret: true })
  note!: string;
}

/** A prompt with one tool of these params. */
async function toolOf(params: Constructor) {
  const events: ToolInvoked[] = [];
  const tool = defineTool({ name: 'order', description: 'Orders.', params, handler: () => 'Ordered.' });
  const section = defineSection({ key: 'orders', title: 'Orders', template: 'Orders.', tools: [tool] });
  const type = definePrompt({ ns: 'spec', key: 'orders', sections: [section] });
  const app = await createApplication({ prompts: [type], logger: silent });
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const rendered = await app.prompt(type).render();
  const [{ schema } = { schema: {} }] = rendered.tools;
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
    readonly required?: readonly string[];
  };
  const call = (args: object) => app.invoke(rendered, 'order', args as Readonly<Record<string, unknown>>);
  return { properties, required, call, events, schema };
}

/** The findings about params, as texts. */
async function codesOf(params: Constructor): Promise<readonly string[]> {
  try {
    await toolOf(params);
    return [];
  } catch (error) {
    if (!(error instanceof PromptValidationError)) throw error;
    return error.findings.map(({ code, place, problem }) => `${code} ${place} ${problem}`);
  }
}

describe('a class that a mapped type of Nest made', () => {
  class Other {
    @Param('Why')
    @IsString()
    reason!: string;
  }
  class Picked extends PickType(CreateOrder, ['id', 'key']) {}
  class Omitted extends OmitType(CreateOrder, ['id']) {}
  class Partial extends PartialType(CreateOrder) {}
  class Intersected extends IntersectionType(CreateOrder, Other) {}
  class Nested extends PartialType(OmitType(CreateOrder, ['id'])) {}
  class Further extends PickType(Partial, ['key', 'count']) {
    @Param('More')
    more!: string;
  }

  test.each<[string, Constructor, readonly string[], readonly string[]]>([
    ['PickType', Picked, ['id', 'key'], ['id', 'key']],
    ['OmitType', Omitted, ['key', 'how_many', 'address'], ['key', 'address']],
    ['PartialType', Partial, ['id', 'key', 'how_many', 'address'], []],
    [
      'IntersectionType',
      Intersected,
      ['id', 'key', 'how_many', 'address', 'reason'],
      ['id', 'key', 'address', 'reason'],
    ],
    ['PartialType of OmitType', Nested, ['key', 'how_many', 'address'], []],
    ['a class over PickType of PartialType', Further, ['key', 'how_many', 'more'], ['more']],
  ])('%s keeps names, descriptions and what is optional', async (_name, params, names, required) => {
    const tool = await toolOf(params);
    expect(Object.keys(tool.properties)).toEqual(names);
    expect(tool.required).toEqual(required);
    const described = { id: 'Order id', key: 'The key to the till', how_many: 'How many', address: 'Where it goes' };
    for (const [name, description] of Object.entries(described))
      if (names.includes(name)) expect(tool.properties[name]?.description).toBe(description);
  });

  test.each([Picked, Omitted, Partial, Intersected, Nested, Further])(
    'the mapped type %p keeps a secret',
    async (params) => {
      const { call, events, properties } = await toolOf(params);
      const values = { id: '7', key: 'sesame', how_many: 2, address: { street: 'Lane 1' }, reason: 'so', more: 'x' };
      const args = Object.fromEntries(Object.entries(values).filter(([name]) => name in properties));
      expect(await call(args)).toMatchObject({ kind: 'succeeded' });
      expect(events).toHaveLength(1);
      expect(JSON.stringify(events)).not.toContain('sesame');
    },
  );

  test('an undeclared property of the source is found, also one without an initial value', async () => {
    class Loose {
      @Param('Order id')
      @IsString()
      id!: string;

      // As a compiler with useDefineForClassFields writes it.
      bare: string | undefined = undefined;
    }
    expect(await codesOf(class extends IntersectionType(Loose, Other) {})).toEqual([
      expect.stringMatching(/^E221 .*\.bare/),
    ]);
  });

  test.each<[string, Constructor, readonly string[]]>([
    ['PickType, with it', class extends PickType(CreateNote, ['id', 'note']) {}, ['id', 'note']],
    ['PickType, without it', class extends PickType(CreateNote, ['id']) {}, ['id']],
    ['OmitType, with it', class extends OmitType(CreateNote, ['id', 'address']) {}, ['key', 'how_many', 'note']],
    ['OmitType, without it', class extends OmitType(CreateNote, ['id', 'note']) {}, ['key', 'how_many', 'address']],
    ['PartialType', class extends PartialType(CreateNote) {}, ['id', 'key', 'how_many', 'address', 'note']],
    [
      'PartialType of OmitType',
      class extends PartialType(OmitType(CreateNote, ['note'])) {},
      ['id', 'key', 'how_many', 'address'],
    ],
    ['IntersectionType', class extends IntersectionType(PickType(CreateNote, ['note']), Other) {}, ['note', 'reason']],
  ])(
    'a class that a mapped type of Nest made has a field without rules if it was taken: %s',
    async (_name, params, names) => {
      const { call, events, properties } = await toolOf(params);
      expect(Object.keys(properties)).toEqual(names);
      if (!names.includes('note')) return;
      const values = { id: '7', key: 'k-1', how_many: 2, address: { street: 'Lane 1' }, note: 'psst', reason: 'so' };
      const args = Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
      expect(await call(args)).toMatchObject({ kind: 'succeeded' });
      expect(JSON.stringify(events)).not.toContain('psst');
    },
  );

  test('a class that a mapped type of Nest made may declare a field anew', async () => {
    class Redeclared extends PickType(CreateNote, ['id', 'note']) {
      @Param('Another note')
      override note!: string;
    }
    const { properties } = await toolOf(Redeclared);
    expect([Object.keys(properties), properties['note']?.description]).toEqual([['id', 'note'], 'Another note']);
  });

  test('a class that a mapped type of Nest made is a finding if the class behind it cannot be constructed', async () => {
    class Strict {
      @Param('Order id')
      @IsString()
      id: string;

      constructor(row: { readonly id: string }) {
        this.id = row.id;
      }
    }
    expect(await codesOf(class extends PickType(Strict as never, ['id' as never]) {})).toEqual([
      expect.stringMatching(/^E223 /),
    ]);
  });

  test('a class that a mapped type of Nest made is read alike by two applications', async () => {
    class Twice extends PartialType(CreateOrder) {}
    const [one, other] = [await toolOf(Twice), await toolOf(Twice)];
    expect(one.schema).toEqual(other.schema);
  });

  test('a class that a mapped type of Nest made stays as it was if it has rules alone', async () => {
    class Ruled {
      @IsString() id!: string;
      @IsOptional() @IsString() note?: string;
    }
    const { properties, required } = await toolOf(class extends PartialType(Ruled) {});
    expect([Object.keys(properties), required]).toEqual([['id', 'note'], []]);
  });

  test('a class that a mapped type of Nest made may be a result, whose names and secrets are those of its class', async () => {
    class Made extends PickType(CreateNote, ['id', 'count']) {}
    const tool = defineTool({
      name: 'order',
      description: 'Orders.',
      result: Made,
      handler: () => Object.assign(new Made(), { id: '7', count: 3 }),
    });
    const section = defineSection({ key: 'orders', title: 'Orders', template: 'Orders.', tools: [tool] });
    const type = definePrompt({ ns: 'spec', key: 'orders', sections: [section] });
    const app = await createApplication({ prompts: [type], logger: silent });
    const { text } = await app.invoke(await app.prompt(type).render(), 'order', {});
    expect(JSON.parse(text)).toEqual({ id: '7', how_many: 3 });
  });
});
