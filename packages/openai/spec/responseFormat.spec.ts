import { toStrictJsonSchema } from 'openai/lib/transform';
import { IsEmail, Matches } from 'class-validator';
import { type Constructor, Field } from 'toolwright';
import { getOutput, readClass } from 'toolwright/internal';
import { writeResponseFormat } from '../src/requestSettings';
import { requestProblems } from './support/requestRules';

const formatFor = (type: Constructor, container: 'object' | 'array', strict: boolean) =>
  writeResponseFormat(getOutput(readClass(type), container).schemaFor('openai', { strict }));
const bodyWith = (response_format: unknown) => ({
  model: 'm',
  messages: [{ role: 'user', content: 'x' }],
  response_format,
});

class Leaf {
  @Field('Name') @Matches(/^a/) name!: string;
  @Field({ description: 'Mail', optional: true }) @IsEmail() mail?: string;
  @Field({ description: 'Below it', type: () => [Leaf] }) leaves: Leaf[] = [];
}

describe('ADPT-09: the form of an answer', () => {
  test.each(['object', 'array'] as const)(
    'the form of an %s is accepted by strict mode and by the client',
    (container) => {
      const format = formatFor(Leaf, container, true);
      expect(format.json_schema.strict).toBe(true);
      expect(requestProblems(bodyWith(format))).toEqual([]);
      const { schema = {} } = format.json_schema;
      expect(toStrictJsonSchema(structuredClone(schema))).toEqual(schema);
    },
  );

  test.each(['object', 'array'] as const)('the form of an %s is accepted without strict mode', (container) => {
    const format = formatFor(Leaf, container, false);
    expect(format.json_schema.strict).toBe(false);
    expect(requestProblems(bodyWith(format))).toEqual([]);
  });

  test('the name of the form consists of characters that the provider accepts', () => {
    class Größe$ {
      @Field('Size') size!: number;
    }
    expect(formatFor(Größe$, 'object', true).json_schema.name).toBe('Gr__e_');
    const anonymous = (() => class {})();
    Field('Size')(anonymous.prototype, 'size');
    Reflect.defineMetadata('design:type', Number, anonymous.prototype, 'size');
    expect(requestProblems(bodyWith(formatFor(anonymous, 'object', true)))).toEqual([]);
    const long = { ['x'.repeat(70)]: class extends Größe$ {} }['x'.repeat(70)]!;
    expect(formatFor(long, 'object', true).json_schema.name).toHaveLength(64);
  });
});
