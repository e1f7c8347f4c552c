import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  Param,
  Prompt,
  Section,
  Tool,
  type Constructor,
  type ToolOptions,
} from 'toolwright';
import { silentLogger } from '../conformance/declare/silentLogger';
import { rejection } from '../dispatch/desk';

/** What an import gives while two files import each other in a circle. */
const lost = undefined as never;

async function faultsOf(sections: readonly Constructor[]): Promise<string> {
  const prompt = definePrompt({ ns: 'a', key: 'b', sections });
  return ((await rejection(createApplication({ prompts: [prompt], logger: silentLogger }))) as Error).message;
}

const faultsOfParams = (params: Constructor): Promise<string> => {
  const tool = defineTool({ name: 'x', description: 'X.', params, handler: () => 1 });
  return faultsOf([defineSection({ key: 's', title: 'S', tools: [tool] })]);
};

describe('TRACE-12 classes that a circular import left undefined', () => {
  test('TRACE-12 a property is undefined by any option, beside an emitted type that would do: all are reported at once', async () => {
    class Params {
      @Param({ description: 'A', type: lost }) a!: string;
      @Param({ description: 'B', enum: lost }) b!: string;
      @Param({ description: 'C', record: lost }) c!: Record<string, string>;
      @Param({ description: 'D', oneOf: lost }) d!: string;
      @Field({ type: [lost] }) e!: string[];
    }
    const message = await faultsOfParams(Params);
    for (const [property, option] of Object.entries({ a: 'type', b: 'enum', c: 'record', d: 'oneOf' }))
      expect(message).toMatch(new RegExp(`E201 Params.${property}: .*option ${option} .*circular import.*third file`));
    expect(message).toMatch(/E201 Params.e: .*circular import/);
  });

  test('TRACE-12 the result of a decorated tool is undefined: E307 with class and method', async () => {
    @Section({ title: 'S' })
    class Orders {
      @Tool({ description: 'X', result: lost }) first(): unknown {
        return 1;
      }
      @Tool({ description: 'Y', result: { array: lost } }) second(): never[] {
        return [];
      }
    }
    const message = await faultsOf([Orders]);
    expect(message).toMatch(/E307 Orders\.first: the class in result was undefined.*\n.*third file/);
    expect(message).toMatch(/E201 Orders\.second: .*circular import/);
  });

  test('TRACE-12 the params of a decorated tool or section, or the output of a prompt, are undefined: E307 with the option', async () => {
    @Section({ title: 'S', params: lost })
    class Orders {
      @Tool({ description: 'X', params: lost }) first(params: { id?: string }): unknown {
        return params.id;
      }
    }
    @Prompt({ ns: 'a', key: 'b', sections: [Orders], output: lost })
    class Desk {}
    const failed = await rejection(createApplication({ prompts: [Desk], logger: silentLogger }));
    for (const [place, option] of [
      ['Orders', 'params'],
      ['Orders.first', 'params'],
      ['Desk', 'output'],
    ] as const)
      expect((failed as Error).message).toContain(
        `E307 ${place}: the class in ${option} was undefined when it was read`,
      );
  });

  test.each<[string, ToolOptions['result']]>([
    ['{ array }', { array: lost }],
    ['{ record }', { record: lost }],
    ['{ tuple }', { tuple: [lost] }],
    ['{ oneOf }', { oneOf: [lost, String] }],
    ['a thunk', () => lost],
  ])('TRACE-12 an undefined class within the result of a tool is reported: %s', async (_name, result) => {
    const tool = defineTool({ name: 'x', description: 'X.', result, handler: () => 1 });
    expect(await faultsOf([defineSection({ key: 's', title: 'S', tools: [tool] })])).toMatch(
      /E201 x: .*circular import/,
    );
  });
});

describe('TRACE-12 enums', () => {
  test('TRACE-12 E222: members that are equal, or equal as text, are refused together', async () => {
    class Params {
      @Param({ description: 'A', enum: ['x', 'y', 'x'] }) a!: 'x' | 'y';
      @Param({ description: 'B', enum: ['1', 1] }) b!: '1' | 1;
      @Param({ description: 'C', enum: { Low: 1, Least: 1 } }) c!: 1;
      @Param({ description: 'D', enum: ['x', 'y'] }) d!: 'x' | 'y';
    }
    const message = await faultsOfParams(Params);
    expect(message).toMatch(/3 faults/);
    expect(message).toMatch(/E222 Params\.a: its enum has "x" twice/);
    expect(message).toMatch(/E222 Params\.b: its enum has "1" beside 1/);
    expect(message).toMatch(/E222 Params\.c: its enum has 1 twice/);
  });

  test('TRACE-12 a faulty enum in a result is reported as well', async () => {
    const tool = defineTool({
      name: 'x',
      description: 'X.',
      result: { array: { enum: ['a', 'a'] } },
      handler: () => [] as never,
    });
    expect(await faultsOf([defineSection({ key: 's', title: 'S', tools: [tool] })])).toMatch(/E222 x: .*"a" twice/);
  });
});
