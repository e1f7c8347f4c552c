import type { CheckMessage, CheckTask } from '../../src/check/checkTasks.js';
import { checkProgram, ProgramChecker } from '../../src/check/ProgramChecker.js';
import type { PoolAnswer, PoolTask } from '../../src/check/CheckPool.js';
import type { DeclaredTool } from '../../src/declare/writeDeclarations.js';

const weather: DeclaredTool = {
  name: 'get-weather',
  description: 'Current weather.',
  params: null,
  schema: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
  result: null,
  returnSchema: { type: 'object', title: 'Weather', properties: { temp: { type: 'number' } }, required: ['temp'] },
};
const tools = [weather];

/** A checker whose thread reads everything, and answers the question for types like this. */
function checkerWhere(types: CheckMessage | undefined) {
  const asked: CheckTask[] = [];
  const ask = ({ task }: PoolTask): Promise<PoolAnswer> => {
    asked.push(task);
    if (task.task !== 'read')
      return Promise.resolve(
        types === undefined ? { kind: 'exceeded' } : { kind: 'answered', message: types, tookMs: 1 },
      );
    const read = { body: task.source, returned: null, map: null };
    const message = { kind: 'read', outcome: { ok: true, read } } as const;
    return Promise.resolve({ kind: 'answered', message, tookMs: 1 });
  };
  return { checker: new ProgramChecker({ ask }), asked };
}

describe('the check of types', () => {
  test('the check of types refuses a program that reads what the result does not have', async () => {
    const source = "const w = await get_weather({ location: 'Oslo' });\n\nreturn w.temperature;";
    expect(await checkProgram(source, { check: 'types', tools })).toEqual({
      ok: false,
      fault: {
        kind: 'type',
        name: 'TS2339',
        message: "Property 'temperature' does not exist on type 'Weather'",
        line: 3,
        column: 10,
        snippet: 'return w.temperature;',
        hint: 'Did you mean "temp"? There are: temp.',
      },
    });
  }, 60_000);

  test('the check of types reports all faults, and a fix for the first', async () => {
    const source = "const w = get_wether({ location: 'Oslo' });\nconst v = await get_weather({ location: 5 });";
    expect(await checkProgram(source, { check: 'types', tools })).toMatchObject({
      ok: false,
      fault: {
        kind: 'reference',
        message: expect.stringMatching(/^Cannot find name 'get_wether'.*; line 2: Type 'number' is not/) as string,
        line: 1,
        hint: 'Did you mean "get_weather"?',
      },
    });
  }, 60_000);

  test('types are checked by default, and not where that is turned off', async () => {
    const source = 'return (await get_weather({ location: "a" })).temperature';
    expect((await checkProgram(source, { tools })).ok).toBe(false);
    expect((await checkProgram(source, { tools, check: 'syntax' })).ok).toBe(true);
    expect((await checkProgram(source, { tools, check: 'off' })).ok).toBe(true);
  }, 60_000);

  test('mistakes of syntax that only the compiler sees have their place', async () => {
    const source = 'const a: number = 1;\nawait get_weather(location: "Oslo");';
    expect(await checkProgram(source, { tools })).toMatchObject({
      ok: false,
      fault: { kind: 'syntax', line: 2, column: 27 },
    });
  }, 60_000);

  test('a result that does not say what is required has all of it', async () => {
    const { required: _, ...open } = weather.returnSchema ?? {};
    const source = 'return (await get_weather({ location: "a" })).temp.toFixed(1)';
    expect((await checkProgram(source, { tools: [{ ...weather, returnSchema: open }] })).ok).toBe(true);
    expect((await checkProgram(source, { tools: [{ ...weather, returnSchema: { ...open, required: [] } }] })).ok).toBe(
      false,
    );
  }, 60_000);
});

describe('without a compiler', () => {
  test('programs pass, and it is said once where types were asked for', async () => {
    const { checker } = checkerWhere({ kind: 'untyped', reason: 'what is missing' });
    const warned: string[] = [];
    const logger = { warn: (message: string) => warned.push(message) };
    expect((await checker.check('x', { check: undefined, logger })).ok).toBe(true);
    expect(warned).toEqual([]);
    for (const source of ['x', 'y']) expect((await checker.check(source, { check: 'types', logger })).ok).toBe(true);
    expect(warned).toEqual([expect.stringContaining("check: 'types' needs what is missing. Until then")]);
  });

  test('E665 a program that is too much for it is refused, with what to write instead', async () => {
    const { checker } = checkerWhere(undefined);
    expect(await checker.check('x', {})).toMatchObject({
      ok: false,
      fault: { kind: 'refused', code: 'E665', hint: expect.stringMatching(/^Write it shorter and flatter/) as string },
    });
  });

  test('the tools are declared once for one list of them', async () => {
    const { checker, asked } = checkerWhere({ kind: 'types', fault: null });
    await checker.check('x', { tools });
    await checker.check('y', { tools });
    const [first, second] = asked.flatMap((task) => (task.task === 'types' ? [task.declarations] : []));
    expect(first?.text).toContain('declare function get_weather(');
    expect(second).toBe(first);
  });
});
