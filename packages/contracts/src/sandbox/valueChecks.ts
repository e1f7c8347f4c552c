import { defineCheck, type EngineCheck } from './EngineCheck.js';
import { echo, Trial } from './Trial.js';

/** Checks of everything that crosses the boundary: values, calls, errors and output. */
export const valueChecks: readonly EngineCheck[] = [
  defineCheck('gives the value of a program as JSON', async (sandbox) => {
    const trial = await Trial.of(sandbox, 'const list = [1, "ä", null];\nreturn { list, nested: { ok: true } };');
    trial.expect('the value crosses', trial.value, { list: [1, 'ä', null], nested: { ok: true } });
    const nothing = await Trial.of(sandbox, '// nothing');
    nothing.expect('no value is undefined', nothing.end, {
      kind: 'completed',
      value: { kind: 'json', json: undefined },
    });
  }),
  defineCheck('gives undefined within a value as JSON has it', async (sandbox) => {
    const trial = await Trial.of(
      sandbox,
      'const list = [1, undefined];\nlist[3] = { a: undefined };\nreturn { list };',
    );
    trial.expect('it is left out, or null', trial.value, { list: [1, null, null, {}] });
  }),
  defineCheck('names values that JSON cannot have', async (sandbox) => {
    const cases = {
      'new Map([[1, 2]])': 'Map',
      '() => 1': 'function',
      NaN: 'number',
      '[() => 1]': 'Array',
      '({ a: 1n })': 'object',
    };
    for (const [text, type] of Object.entries(cases)) {
      const trial = await Trial.of(sandbox, `return ${text};`);
      const { kind, type: named } = trial.value as { kind?: string; type?: string };
      trial.expect(`${text} is not serializable`, [kind, named], ['not-serializable', type]);
    }
  }),
  defineCheck('hands over arguments as they were at the call, and results as copies', async (sandbox) => {
    const shared: unknown = { mode: 'safe' };
    const tools = { echo, config: () => ({ ok: true, json: JSON.stringify(shared) }) as const };
    const body = `const given = { p: 'safe' };
        const waiting = echo(given);
        given.p = 'changed';
        const first = await config();
        first.mode = 'changed';
        return [(await waiting).p, (await config()).mode];`;
    const trial = await Trial.of(sandbox, body, { tools });
    trial.expect('values are copies', trial.value, ['safe', 'safe']);
    trial.expect('arguments are text of an array', trial.calls[0]?.json, '[{"p":"safe"}]');
  }),
  defineCheck('throws a ToolError for a call that failed, and tells which call it was', async (sandbox) => {
    const fail = () => ({ ok: false, kind: 'denied', message: 'not now', value: '{"left":3}' }) as const;
    const tools = { fail };
    const catching = 'try { await fail({}); } catch (e) { return [e.name, e.message, e.kind, e.value]; }';
    const caught = await Trial.of(sandbox, catching, { tools });
    caught.expect('the error can be caught', caught.value, ['ToolError', 'not now', 'denied', { left: 3 }]);
    const trial = await Trial.of(sandbox, '\nawait fail({});', { tools });
    const error = trial.end.kind === 'threw' ? trial.end.error : undefined;
    trial.expect(
      'the error names its call',
      [error?.message, error?.call, error?.line],
      ['not now', { id: 1, kind: 'denied' }, 2],
    );
  }),
  defineCheck('tells the line of an error, and no path of the host', async (sandbox) => {
    const trial = await Trial.of(sandbox, 'const x = 1;\n\n  x.y.z;');
    const error = trial.end.kind === 'threw' ? trial.end.error : undefined;
    trial.expect('the place is in the program', [error?.name, error?.line], ['TypeError', 3]);
    const stack = await Trial.of(
      sandbox,
      'try { null.x; } catch (e) { return /[\\\\/]|node:|node_modules/.test(e.stack); }',
    );
    stack.expect('a stack shows nothing of the host', stack.value, false);
  }),
  defineCheck('ends with a SyntaxError, and runs nothing, when the program does not parse', async (sandbox) => {
    const trial = await Trial.of(sandbox, 'console.log("ran");\nconst = 1;');
    trial.expect('the error is told', trial.end.kind === 'threw' && trial.end.error.name, 'SyntaxError');
    trial.expect('nothing ran', trial.output, []);
  }),
  defineCheck('writes to two streams, in the order of the program', async (sandbox) => {
    const trial = await Trial.of(sandbox, 'console.log("a", { b: 1 }); await echo(1); console.warn("c");', {
      tools: { echo },
    });
    trial.expect('output is text', trial.output, ['a {"b":1}', 'c']);
  }),
  defineCheck('repeats random numbers and the time, when it is given them', async (sandbox) => {
    const options = { seed: 7, now: Date.UTC(2030, 0, 1) };
    const body = 'return [Math.random(), Math.random(), new Date().getUTCFullYear()];';
    const [first, second] = [await Trial.of(sandbox, body, options), await Trial.of(sandbox, body, options)];
    first.expect('a seed repeats them', first.value, second.value);
    first.expect('the clock is set', (first.value as unknown[])[2], 2030);
  }),
];
