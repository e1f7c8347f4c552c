import { defineCheck, type EngineCheck } from './EngineCheck.js';
import { echo, never, Trial } from './Trial.js';

const hostNames = [
  'process',
  'require',
  'module',
  'Buffer',
  'fetch',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'Worker',
  'global',
  'MessageChannel',
  'BroadcastChannel',
  'WebAssembly',
  'SharedArrayBuffer',
  'eval',
  'Function',
  'XMLHttpRequest',
  'WebSocket',
];

/** Source of `reaches(value)`: true if the host is reachable through the prototypes of a value. */
const search = `const reaches = (value) => {
  for (let at = value; at !== null && at !== undefined; at = Object.getPrototypeOf(at)) {
    try { if (at.constructor.constructor('return typeof process !== "undefined"')()) return true; } catch {}
  }
  return false;
};`;

/** Checks of isolation: from the host, and between programs. */
export const boundaryChecks: readonly EngineCheck[] = [
  defineCheck('has no name of the host', async (sandbox) => {
    const trial = await Trial.of(sandbox, `return ${JSON.stringify(hostNames)}.filter((name) => name in globalThis);`);
    trial.expect('such names are not there', trial.value, []);
  }),
  defineCheck('makes no code out of text', async (sandbox) => {
    const body = `const made = [() => 1, async () => 1, function* () {}, async function* () {}];
        return made.map((f) => { try { f.constructor('return 1'); return 'made'; } catch (e) { return e.name; } });`;
    const trial = await Trial.of(sandbox, body);
    trial.expect(
      'constructors of functions throw',
      trial.value,
      Array.from({ length: 4 }, () => 'TypeError'),
    );
  }),
  defineCheck('reaches no host from what a tool gives, promises or throws', async (sandbox) => {
    const tools = { echo, fail: () => ({ ok: false, kind: 'tool_error', message: 'no' }) as const };
    const body = `${search}
        const promise = echo({ a: [1] });
        const result = await promise;
        let thrown;
        try { await fail(); } catch (e) { thrown = e; }
        const refused = await echo(() => 1).catch((e) => e);
        return [promise, promise.then, result, result.a, thrown, refused, echo, tools, console, console.log].map(reaches);`;
    const trial = await Trial.of(sandbox, body, { tools });
    trial.expect(
      'nothing leads to the host',
      trial.value,
      Array.from({ length: 10 }, () => false),
    );
  }),
  defineCheck('imports nothing', async (sandbox) => {
    const trial = await Trial.of(
      sandbox,
      'try { await import("node:fs"); return "imported"; } catch { return "refused"; }',
    );
    trial.expect('an import fails', trial.value, 'refused');
  }),
  defineCheck('calls only the tools of its program', async (sandbox) => {
    const body = 'return [typeof tools.other, typeof other, Object.keys(tools), await tools["echo-it"](1)];';
    const trial = await Trial.of(sandbox, body, { tools: { 'echo-it': echo } });
    trial.expect('the list is closed', trial.value, ['undefined', 'undefined', ['echo-it'], 1]);
  }),
  defineCheck('leaves nothing behind for the next program', async (sandbox) => {
    const mess =
      'Object.prototype.x = 1; Array.prototype.map = 2; JSON.parse = 3; globalThis.kept = 4; Promise.prototype.then = 5;';
    for (let programs = 0; programs < 4; programs++) await Trial.of(sandbox, mess);
    const body =
      'return [typeof ({}).x, typeof [].map, typeof JSON.parse, typeof kept, typeof Promise.prototype.then];';
    const trial = await Trial.of(sandbox, body);
    trial.expect('built-ins are whole', trial.value, ['undefined', 'function', 'function', 'undefined', 'function']);
  }),
  defineCheck('changes nothing of the host', async (sandbox) => {
    const body = `await echo(JSON.parse('{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}'));
        Object.prototype.x = 1; Object.getPrototypeOf(await echo({})).x = 1; return 1;`;
    const trial = await Trial.of(sandbox, body, { tools: { echo } });
    const isChanged = 'x' in {};
    Reflect.deleteProperty(Object.prototype, 'x');
    trial.expect('prototypes of the host are as they were', [trial.value, isChanged], [1, false]);
  }),
  defineCheck('stops when the program has ended', async (sandbox) => {
    const trial = await Trial.of(sandbox, '(async () => { for (;;) await echo(1); })(); never(); return "done";', {
      tools: { echo, never },
    });
    const { length } = trial.calls;
    await new Promise((resolve) => setTimeout(resolve, 30));
    trial.expect('the value is there', trial.value, 'done');
    trial.expect('no call comes later', trial.calls.length, length);
    trial.expect('calls without an answer are aborted', trial.signals[1]?.aborted, true);
  }),
];
