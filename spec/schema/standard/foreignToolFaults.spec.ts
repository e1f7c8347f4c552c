import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type * as Arktype from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { defineSection, defineTool, type ToolDefinition } from 'toolwright';
import type { StandardSchema } from 'toolwright/schema';
import { invokeOn } from '../../builder/invokeOn';
import { refusalOf } from '../../builder/refusalOf';
import { esmPackage } from './esmPackage';

const { type } = esmPackage('arktype') as typeof Arktype;

const options = { name: 'weather', description: 'Weather of a city.' } as const;

describe('params of another library that cannot be', () => {
  const refused = async (params: unknown, examples?: ToolDefinition<unknown, undefined>['examples']) =>
    refusalOf(
      defineSection({
        key: 'a',
        title: 'A',
        tools: [defineTool({ ...options, params: params as StandardSchema, examples, handler: null })],
      }),
    );

  test.each<[code: string, what: string, params: unknown]>([
    ['E209', 'no JSON Schema', v.object({})],
    ['E209', 'a type that JSON does not have', z.object({ day: z.date() })],
    ['E210', 'a union', z.union([z.object({}), z.object({ a: z.string() })])],
    ['E210', 'a scalar', type('string')],
    ['E210', 'a list', toStandardJsonSchema(v.array(v.string()))],
    ['E212', 'promises', toStandardLater()],
    ['E307', 'nothing that is known', { type: 'object' }],
  ])('%s: params of another library are refused: %s', async (code, _what, params) => {
    const refusal = await refused(params, [{ description: 'One.', input: {}, output: null }]);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({ code, place: 'weather', toolName: 'weather', sectionPath: 'a' });
    expect(refusal.findings[0]?.problem).toContain('params');
  });

  test('E212: a fault of the schema that shows only in a call rejects that call', async () => {
    const params = z.object({ city: z.string().refine(async (city) => city !== '') });
    const called: unknown[] = [];
    const tool = defineTool({ ...options, params, handler: (given) => called.push(given) });
    const section = defineSection({ key: 'a', title: 'A', tools: [tool] });
    const { kind, text } = await invokeOn(section, 'weather', { city: 'Ulm' });
    expect([kind, called]).toEqual(['rejected', []]);
    expect(text).toContain('arguments: could not be checked: the "zod" schema answered with a promise (E212)');
  });

  /** valibot's asynchronous schemas give no JSON Schema; one that does is made of two halves. */
  function toStandardLater(): unknown {
    const { jsonSchema } = toStandardJsonSchema(v.object({}))['~standard'];
    return { '~standard': { ...v.objectAsync({})['~standard'], jsonSchema } };
  }
});
