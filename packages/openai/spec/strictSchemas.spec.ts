import { ArrayMinSize, IsEmail, IsUrl, IsUUID, Length, Matches, Min } from 'class-validator';
import { toStrictJsonSchema } from 'openai/lib/transform';
import { type Constructor, createApplication, Param, Prompt, Section, Tool } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import { writeChatTools } from '../src/writeTools';
import { requestProblems } from './support/requestRules';

/** A tool with such params, lowered for the provider. */
async function toolFor(params: Constructor, strict: boolean): Promise<ToolSchema> {
  @Section({ title: 'Tools', template: 'Tools.' })
  class Tools {
    @Tool({ description: 'Use it.', params })
    use(_params: object) {
      return 'used';
    }
  }
  @Prompt({ ns: 'a', key: 'schemas', sections: [Tools] })
  class Schemas {}
  const app = await createApplication({ prompts: [Schemas] });
  return (await app.prompt(Schemas).render()).toolSchemas('openai', { strict })[0]!;
}

/** Kinds of params classes, each new for its test. */
const kinds: Readonly<Record<string, () => Constructor>> = {
  'a class in a class': () => {
    class Money {
      @Param('Amount') amount!: number;
      @Param('Currency') currency = 'EUR';
    }
    class Price {
      @Param('Net') net!: Money;
    }
    return Price;
  },
  'a class that holds itself': () => {
    class Leaf {
      @Param('Name') name!: string;
      @Param({ description: 'Below it', type: () => [Leaf] }) leaves!: Leaf[];
    }
    return Leaf;
  },
  'rules on texts, lists and numbers': () => {
    class Texts {
      @Param('Url') @IsUrl() url!: string;
      @Param('Short') @Length(1, 5) short!: string;
      @Param('Pattern') @Matches(/^a/) pattern!: string;
      @Param('Id') @IsUUID() id!: string;
      @Param('Mail') @IsEmail() mail!: string;
      @Param('When') when!: Date;
      @Param({ description: 'Tags', type: [String] }) @ArrayMinSize(1) tags!: string[];
      @Param('Count') @Min(1) count = 3;
    }
    return Texts;
  },
  'optional fields': () => {
    class Inner {
      @Param('Name') name!: string;
    }
    class Optional {
      @Param({ description: 'Text', optional: true }) text?: string;
      @Param({ description: 'Kind', enum: ['a', 'b'], optional: true }) kind?: 'a' | 'b';
      @Param({ description: 'Inner', type: Inner, optional: true }) inner?: Inner;
      @Param({ description: 'Either', oneOf: [String, Number], optional: true }) either?: string | number;
    }
    return Optional;
  },
};

function openMap(): Constructor {
  class Counts {
    @Param({ description: 'Counts', record: Number }) counts!: Record<string, number>;
  }
  return Counts;
}

const bodyWith = (schema: ToolSchema) => ({
  model: 'm',
  messages: [{ role: 'user', content: 'x' }],
  tools: writeChatTools('m', [schema]),
});

describe('ADPT-09: the schemas of params classes', () => {
  test.each(Object.entries(kinds))(
    '%s: strict mode accepts it, and the client’s own conversion does not change it',
    async (_name, declare) => {
      const schema = await toolFor(declare(), true);
      expect(schema.strict).toBe(true);
      expect(requestProblems(bodyWith(schema))).toEqual([]);
      expect(toStrictJsonSchema(structuredClone(schema.parameters))).toEqual(schema.parameters);
    },
  );

  test('a map cannot be said in strict mode, and its tool is sent without', async () => {
    const body = bodyWith(await toolFor(openMap(), true));
    expect(body.tools[0]?.function.strict).toBe(false);
    expect(requestProblems(body)).toEqual([]);
  });

  test.each([...Object.entries(kinds), ['a map', openMap] as const])(
    '%s: without strict mode it is taken',
    async (_name, declare) => {
      const body = bodyWith(await toolFor(declare(), false));
      expect(body.tools[0]?.function.strict).toBe(false);
      expect(requestProblems(body)).toEqual([]);
    },
  );
});
