import { createApplication, definePrompt, defineSection } from 'toolwright';
import { toolFrom, Toolkit } from '@toolwright/programs';
import { parseFunctionDoc } from '../src/parseFunctionDoc';
import { silentLogger } from '../../../spec/conformance/declare/silentLogger';
import { engineOfFile, PATIENCE_MS } from './kit';

jest.setTimeout(PATIENCE_MS);
const sandbox = engineOfFile();

function getWeather(location: string, unit = 'celsius'): object {
  return { location, temp: 22, unit, condition: 'sunny' };
}

const doc = `Get current weather for a location.

More about it.

Args:
    location: City and state,
        such as Oslo
    unit (str): Of the temperature

Returns:
    The weather: a record`;

const params = { location: String, unit: { default: 'celsius' } };

describe('functionDoc', () => {
  const described = {
    description: 'Does it well.',
    params: [
      ['a', 'The first thing'],
      ['b', 'The second'],
    ],
  };
  test.each([
    [
      'Does it\n * well.\n *\n * @param a - The first\n *   thing\n * @param {number} b The second\n * @returns c: nothing',
    ],
    ['/**\n * Does it well.\n *\n * More.\n * @param a The first thing\n * @param [b=1] - The second\n */'],
    ['Does it well.\n\nArgs:\n  a: The first\n    thing\n  b (int): The second\n\nReturns:\n  x: not a parameter'],
    ['\n  Does it\n  well.\n\n  Parameters:\n    a: The first thing\n    b: The second\n  Raises:\n    Error: never'],
  ])('parseFunctionDoc reads %j', (text) => {
    const { description, params: found } = parseFunctionDoc(text);
    expect({ description, params: [...found] }).toEqual(described);
  });

  test('parseFunctionDoc finds nothing in nothing, and takes names as they come', () => {
    expect(parseFunctionDoc('')).toEqual({ description: '', params: new Map() });
    expect([...parseFunctionDoc('x\n\n@param __proto__ - evil\n@param constructor - c').params.keys()]).toEqual([
      ...['__proto__', 'constructor'],
    ]);
  });

  test('functionDoc is quick with hostile text', () => {
    const began = performance.now();
    parseFunctionDoc(`@param ${'['.repeat(50_000)}\nArgs:\n${'a '.repeat(50_000)}:${'('.repeat(50_000)}`);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

describe('toolFrom', () => {
  test('toolFrom makes a tool of a function that is still called as it was', async () => {
    const tool = toolFrom(getWeather, { params, doc, result: { record: 'any' }, hints: { readOnly: true } });
    expect(tool('Oslo', 'kelvin')).toEqual({ location: 'Oslo', temp: 22, unit: 'kelvin', condition: 'sunny' });
    const kit = await Toolkit.from([tool], { sandbox, check: 'syntax' });
    const weather = kit.get('get_weather');
    expect(weather.description).toBe('Get current weather for a location.');
    expect(weather.parameters).toEqual({
      type: 'object',
      properties: {
        location: { type: 'string', description: 'City and state, such as Oslo' },
        unit: { type: 'string', description: 'Of the temperature', default: 'celsius' },
      },
      required: ['location'],
      additionalProperties: false,
    });
    expect(weather.returnSchema).toMatchObject({ type: 'object' });
    expect(weather.signature).toContain('declare function get_weather(args: {');
    expect(weather.fn).toBe(getWeather);
    expect(weather('Rome')).toMatchObject({ location: 'Rome', unit: 'celsius' });
    const { returnValue } = await kit.execute('await get_weather("Oslo")');
    expect(returnValue).toEqual({ location: 'Oslo', temp: 22, unit: 'celsius', condition: 'sunny' });
  });

  test('toolFrom makes a tool that can be listed in sections as well', async () => {
    const tool = toolFrom(getWeather, { params, doc });
    const prompt = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 'a', title: 'A', tools: [tool] })],
    });
    const app = await createApplication({ prompts: [prompt] });
    const outcome = await app.invoke(await app.prompt(prompt).render(), 'get_weather', { location: 'Oslo' });
    expect(outcome.result.value).toMatchObject({ location: 'Oslo', unit: 'celsius' });
  });

  test('toolFrom keeps `this`, errors and promises of the function', async () => {
    const failing = toolFrom(async () => Promise.reject(new Error('no')), {
      name: 'failing',
      description: 'Fails.',
      params: {},
    });
    await expect(failing()).rejects.toThrow('no');
    const kit = await Toolkit.from([failing], { sandbox, check: 'syntax', logger: silentLogger });
    expect(await kit.execute('await failing()')).toMatchObject({ error: { kind: 'tool_error', message: 'no' } });
  });

  test.each([
    [() => toolFrom('text' as never, { params: {} }), /E675.*the string "text" is not a function/],
    [() => toolFrom(getWeather, { params: [] as never, doc }), /E675 getWeather: params is an array/],
    [() => toolFrom(getWeather, { params: {}, doc }), /E675 getWeather: it takes 1 parameters, and params names 0/],
    [() => toolFrom(getWeather, { params }), /E675 get_weather: nothing says what it does/],
    [() => toolFrom((() => 1) as never, { params: {}, doc }), /E675 toolFrom: the function has no name/],
  ])('E675 toolFrom says what is missing: %#', (make, message) => {
    expect(make).toThrow(message);
  });
});
