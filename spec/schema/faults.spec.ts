import { Type } from 'class-transformer';
import { IsEnum, IsIn, Matches, registerDecorator } from 'class-validator';
import { createApplication, definePrompt, defineSection, defineTool, Param, PromptValidationError } from 'toolwright';
import { readDeclaredPattern } from '../../src/schema/pattern/readDeclaredPattern';
import { ShapeReader } from '../../src/schema/read/ShapeReader';
import { faultsOf } from './reading';

describe('the faults of a params class', () => {
  test('E202 a class that cannot be made without arguments is refused', () => {
    class Needy {
      @Param('A') a: string;
      constructor(source: { a: string }) {
        this.a = source.a;
      }
    }
    expect(faultsOf(Needy as never)).toMatchObject([{ code: 'E202', place: 'Needy', paramsType: 'Needy' }]);
    class Endless {
      @Param({ type: () => Endless }) inner: Endless = new Endless();
    }
    expect(faultsOf(Endless)).toMatchObject([{ code: 'E202' }]);
  });

  test('E204 two properties of one name are refused', () => {
    class Params {
      @Param({ name: 'id' }) orderId!: string;
      @Param('Id') id!: string;
    }
    expect(faultsOf(Params)).toMatchObject([
      { code: 'E204', member: 'id', problem: expect.stringContaining('Params.orderId') as string },
    ]);
  });

  test('E204 two properties that snake_case makes equal are refused', () => {
    class Params {
      @Param('A') orderId!: string;
      @Param('B') order_id!: string;
    }
    const reader = new ShapeReader('snake_case', readDeclaredPattern);
    reader.read(Params);
    expect(reader.faults.map(({ found }) => found.code)).toEqual(['E204']);
    expect(faultsOf(Params)).toEqual([]);
  });

  test('E205 an asynchronous rule is refused, by its name', () => {
    class Params {
      @Param('A') a!: string;
    }
    registerDecorator({
      name: 'isFree',
      target: Params,
      propertyName: 'a',
      async: true,
      validator: { validate: async () => Promise.resolve(true) },
    });
    expect(faultsOf(Params)).toMatchObject([
      { code: 'E205', member: 'a', problem: expect.stringContaining('isFree') as string },
    ]);
  });

  test.each<[string, PropertyDecorator, string]>([
    ['enum', Param({ enum: [] }) as PropertyDecorator, 'its enum is empty'],
    ['tuple', Param({ type: { tuple: [] } }) as PropertyDecorator, 'its tuple is empty'],
    ['oneOf', Param({ oneOf: [] }) as PropertyDecorator, 'its oneOf is empty'],
    ['enum of the items', Param({ type: [{ enum: [] }] }) as PropertyDecorator, 'its enum is empty'],
    ['@IsEnum', IsEnum({}), 'its enum is empty'],
    [
      'discriminator',
      Type(() => Object, { discriminator: { property: 'kind', subTypes: [] } }),
      'its discriminator is empty',
    ],
  ])('E216 an empty %s, which no value meets, is refused', (_what, decorate, problem) => {
    class Params {
      declare v: unknown;
    }
    Param('V')(Params.prototype, 'v');
    decorate(Params.prototype, 'v');
    expect(faultsOf(Params)).toMatchObject([{ code: 'E216', place: 'Params.v', problem }]);
  });

  test('E216 an empty list for @IsIn is refused', () => {
    class Params {
      @Param('V') @IsIn([]) v!: string;
    }
    expect(faultsOf(Params)).toMatchObject([
      { code: 'E216', place: 'Params.v', problem: 'the rule isIn allows no value' },
    ]);
  });

  test('E217 a pattern of @Matches that is not a regular expression is refused', () => {
    class Params {
      @Param('V') @Matches('(') v!: string;
    }
    const [found, ...others] = faultsOf(Params);
    expect(found).toMatchObject({ code: 'E217', place: 'Params.v' });
    expect(found?.problem).toContain('the rule matches cannot be read');
    expect(others).toEqual([]);
  });

  test('faults of a params class are reported together, each once, however often the class is used', async () => {
    class Inner {
      @Param('A') a!: unknown;
    }
    class Outer {
      @Param('B') b!: unknown;
      @Param('I') inner!: Inner;
    }
    const tool = (name: string) =>
      defineTool({ name, description: 'Acts.', params: Outer, result: Inner, handler: () => null });
    const section = defineSection({ key: 's', title: 'S', tools: [tool('a'), tool('b')] });
    const prompt = definePrompt({ ns: 'n', key: 'k', sections: [section] });
    const error: unknown = await createApplication({ prompts: [prompt] }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PromptValidationError);
    expect((error as PromptValidationError).findings.map(({ code, place }) => `${code} ${place}`).sort()).toEqual([
      'E201 Inner.a',
      'E201 Outer.b',
    ]);
  });
});
