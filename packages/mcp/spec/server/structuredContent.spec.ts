import { createApplication, Field, Param, Prompt, Section, Tool, ToolResult } from 'toolwright';
import { serveMcp } from '@toolwright/mcp';
import { silent } from '../../../../spec/support/silent';
import { clientOf, closeAll } from '../support/serverKit';

afterEach(closeAll);

/** The official client refuses an answer that does not fit the published schema: each call below is such a check. */
async function connected(section: new () => object) {
  @Prompt({ ns: 'test', key: 'results', sections: [section] })
  class Results {}
  const app = await createApplication({ prompts: [Results], fieldNames: 'snake_case', logger: silent });
  const client = await clientOf(serveMcp(app, app.prompt(Results)));
  const { tools } = await client.listTools();
  return { client, schemaOf: (name: string) => tools.find((tool) => tool.name === name)?.outputSchema };
}

describe('structured results', () => {
  class Part {
    @Field('When it was made') madeAt!: Date;
    @Field({ description: 'A note', nullable: true, type: String }) note!: string | null;
    @Field({ description: 'Its size', optional: true }) size?: number;
  }
  class Car {
    @Field('Doors') doors!: number;
  }
  class Boat {
    @Field('Masts') masts!: number;
  }
  class Fleet {
    @Field({ description: 'Parts', type: () => [Part] }) parts!: Part[];
    @Field({ description: 'By name', record: () => Part }) byName!: Record<string, Part>;
    @Field({ description: 'One of both', oneOf: [() => Car, () => Boat] }) vehicle!: Car | Boat;
  }
  const row = (more: object) => ({ madeAt: new Date(0), note: null, secretColumn: 'x', ...more }) as unknown as Part;

  @Section({ title: 'Results', template: 'Results.' })
  class Every {
    @Tool({ description: 'Nested rows.', result: Fleet })
    fleet() {
      return {
        parts: [row({ size: null }), row({ size: 3 })],
        byName: { first: row({}), __proto__: null } as unknown as Record<string, Part>,
        vehicle: { masts: 2, rust: true } as unknown as Boat,
      };
    }
    @Tool({ description: 'A pair.', result: { tuple: [String, Part] } })
    pair(): [string, Part] {
      return ['one', row({})];
    }
    @Tool({ description: 'A record.', result: { record: Number } })
    counts() {
      return { a: 1, b: 2 };
    }
    @Tool({ description: 'A truth.', result: Boolean })
    truth() {
      return false;
    }
    @Tool({ description: 'By schema.', returnSchema: { type: 'object', properties: { n: { type: 'integer' } } } })
    bySchema() {
      return { n: 1, more: null };
    }
    @Tool({
      description: 'A recursive schema that is no object.',
      returnSchema: { type: 'array', items: { $ref: '#' } },
    })
    nested() {
      return [[], [[]]];
    }
    @Tool({
      description: 'A schema with definitions.',
      returnSchema: { $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } },
    })
    defined() {
      return 4;
    }
    @Tool({ description: 'Kept out of the text.', result: Car })
    quiet() {
      return new ToolResult({ message: 'Done.', value: { doors: 4 }, excludeValueFromContext: true });
    }
    @Tool({ description: 'Keeps a secret.', result: { record: String } })
    echo(@Param('pin', { description: 'A secret', secret: true }) pin: string) {
      return { said: `the pin is ${pin}` };
    }
  }

  test('structured results fit the form that is published, whatever rows handlers return', async () => {
    const { client, schemaOf } = await connected(Every);
    const structured = async (name: string, args: Record<string, unknown> = {}) =>
      (await client.callTool({ name, arguments: args })).structuredContent;
    const made = '1970-01-01T00:00:00.000Z';
    expect(await structured('fleet')).toEqual({
      parts: [
        { made_at: made, note: null },
        { made_at: made, note: null, size: 3 },
      ],
      by_name: { first: { made_at: made, note: null } },
      vehicle: { masts: 2 },
    });
    expect(await structured('pair')).toEqual({ result: ['one', { made_at: made, note: null }] });
    expect(await structured('counts')).toEqual({ a: 1, b: 2 });
    expect(await structured('truth')).toEqual({ result: false });
    expect(await structured('by_schema')).toEqual({ n: 1, more: null });
    expect(await structured('defined')).toEqual({ result: 4 });
    expect(schemaOf('defined')).toEqual({
      type: 'object',
      properties: { result: { $ref: '#/$defs/n' } },
      required: ['result'],
      additionalProperties: false,
      $defs: { n: { type: 'integer' } },
    });
  });

  test('a schema whose root cannot be put below another one is not published', async () => {
    const { client, schemaOf } = await connected(Every);
    expect(schemaOf('nested')).toBeUndefined();
    expect(await client.callTool({ name: 'nested' })).toEqual({ content: [{ type: 'text', text: '[[],[[]]]' }] });
  });

  test('structured results are data for the client also where the model does not read them, and hold no secret of the call', async () => {
    const { client } = await connected(Every);
    expect(await client.callTool({ name: 'quiet' })).toEqual({
      content: [{ type: 'text', text: 'Done.' }],
      structuredContent: { doors: 4 },
    });
    const { structuredContent, content } = await client.callTool({ name: 'echo', arguments: { pin: 'hunter2222' } });
    expect(JSON.stringify([structuredContent, content])).not.toContain('hunter2222');
    expect(structuredContent).toEqual({ said: expect.stringContaining('the pin is ') as string });
  });

  test('a tool that declares a result and returns none is reported in the log, since clients may refuse the answer', async () => {
    @Section({ title: 'None', template: 'None.' })
    class None {
      @Tool({ description: 'Find a car.', result: Car }) find() {
        return ToolResult.ok<Car>(undefined, 'No car.');
      }
    }
    @Prompt({ ns: 'test', key: 'none', sections: [None] })
    class Nothing {}
    const lines: string[] = [];
    const logger = { ...silent, warn: (line: string) => void lines.push(line) };
    const app = await createApplication({ prompts: [Nothing], logger });
    const client = await clientOf(serveMcp(app, app.prompt(Nothing)));
    // A client that has not listed the tools does not know the form, and takes it.
    expect(await client.callTool({ name: 'find' })).toEqual({ content: [{ type: 'text', text: 'No car.' }] });
    expect(lines).toEqual([
      'MCP: find declares a result and returned none: clients that check answers refuse this one.',
    ]);
  });
});
