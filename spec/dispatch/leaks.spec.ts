import { node, Workspace } from '../toolchain/support/Workspace';

// In a process of its own: it ends by itself only when no timer is left, an unhandled rejection would kill it, and its heap holds
// nothing but the framework.

jest.setTimeout(120_000);
const workspace = new Workspace();
afterAll(() => {
  workspace.close();
});

/** Everything that a call can come to. All of them know the same signal of the caller, which lives as long as the process. */
const desk = `
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createApplication, Deadline, definePrompt, defineSection, defineTool, Param, Session, ToolRefusal, ToolResult,
} from 'toolwright';

export class Note {
  constructor(text) { this.text = text; }
}
class Words {}
Reflect.defineMetadata('design:type', String, Words.prototype, 'text');
Param('Text')(Words.prototype, 'text');

/** Milliseconds: far above the timeout, so that a late handler is late on a busy machine too. */
const LATE = 30;
const handlers = {
  succeeds: ({ text }, { session }) => { session.slice(Note).seed(new Note(text)); return text; },
  waits: async ({ text }, { session }) => { await sleep(1); return session.slice(Note).latest()?.text ?? text; },
  throws: ({ text }, { session }) => { session.slice(Note).seed(new Note(text)); throw new Error(text); },
  refuses: async ({ text }) => { await sleep(1); throw new ToolRefusal(text); },
  gives_failure: ({ text }) => ToolResult.error(text),
  late: async ({ text }) => { await sleep(LATE); return text; },
  late_rejection: async ({ text }) => { await sleep(LATE); throw new Error(text); },
  zombie: async ({ text }, { session }) => { await sleep(LATE); session.slice(Note).seed(new Note(text)); },
  listens: ({ text }, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error(text)))),
  nests: async ({ text }, context) => {
    const inner = ['succeeds', 'throws', 'late', 'waits'];
    await Promise.all(inner.map((name, at) => context.callTool({ id: 'n' + at, name, arguments: { text } })));
    return text;
  },
  abandons: ({ text }, context) => {
    void context.callTool({ id: 'n', name: 'late_rejection', arguments: { text } });
    return text;
  },
};
export const names = Object.keys(handlers);
const late = new Set(['late', 'late_rejection', 'zombie', 'listens']);
const tools = names.map((name) =>
  defineTool({
    name, description: 'Acts.', params: Words, handler: handlers[name], hints: { readOnly: name === 'waits' },
    ...(late.has(name) ? { timeoutMs: 2 } : {}),
  }),
);
const section = defineSection({ key: 's', title: 'S', tools });
const Desk = definePrompt({ ns: 'a', key: 'b', sections: [section] });
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const app = await createApplication({ prompts: [Desk], logger: silent });
const rendered = await app.prompt(Desk).render();

/** What became of each call, counted. */
export const kinds = {};
/** Outcomes, where the program is told to leak. */
export const kept = process.argv.includes('leaky') ? [] : undefined;
const count = ({ kind, text }) => {
  kinds[kind] = (kinds[kind] ?? 0) + 1;
  kept?.push(text);
};
let serial = 0;
const callOf = (name) => ({
  id: 'c' + serial,
  name,
  arguments: { text: Buffer.alloc(500, String(++serial)).toString('hex') },
});

/** Each tool so many times: alone, in a turn with all others, and by a caller who gives up. */
export async function round(times, signal) {
  const deadline = Deadline.in(60_000);
  const session = new Session();
  const alone = async (name) => count(await app.callTool(rendered, callOf(name), { session, signal, deadline }));
  const together = async () => {
    const calls = names.map(callOf);
    for (const outcome of await app.callTools(rendered, calls, { session: new Session(), signal })) count(outcome);
  };
  const givenUp = async (name) => {
    const own = new AbortController();
    const call = app.callTool(rendered, callOf(name), { session: new Session(), signal: own.signal });
    own.abort(new Error('enough'));
    await call.then(count, () => count({ kind: 'given up' }));
  };
  const once = () => Promise.all([...names.map(alone), together(), ...names.map(givenUp)]);
  for (let at = 0; at < times; at += 5) await Promise.all(Array.from({ length: 5 }, once));
  // Handlers that were not waited for come to their end.
  await sleep(2 * LATE);
}
`;

const main = `
import { getEventListeners } from 'node:events';
import { kinds, names, round } from './desk.mjs';

const caller = new AbortController();
const heap = () => { for (let at = 0; at < 3; at++) global.gc(); return process.memoryUsage().heapUsed; };
const warnings = [];
process.on('warning', ({ name, message }) => warnings.push(name + ': ' + message));
await round(100, caller.signal);
const before = heap();
for (const kind of Object.keys(kinds)) delete kinds[kind];
await round(Number(process.argv[2]), caller.signal);
const growth = heap() - before;
process.stdout.write(JSON.stringify({
  growth, kinds, warnings,
  tools: names.length,
  listeners: getEventListeners(caller.signal, 'abort').length,
  timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
}));
`;

/** A handler that starts a nested call and a nested run, awaits neither, and whose caller aborts meanwhile. */
const abandoned = `
import { setTimeout as sleep } from 'node:timers/promises';
import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';

const caller = new AbortController();
const slow = defineTool({ name: 'slow', description: 'Waits.', handler: () => sleep(5) });
const Inner = definePrompt({ ns: 'a', key: 'inner', sections: [defineSection({ key: 's', title: 'S' })] });
const act = defineTool({
  name: 'act', description: 'Acts.',
  handler: async (_params, context) => {
    void context.callTool({ id: 'n', name: 'slow', arguments: {} });
    void context.run.evaluate(Inner);
    caller.abort(new Error('enough'));
    await sleep(20);
    void context.callTool({ id: 'm', name: 'slow', arguments: {} });
  },
});
const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools: [act, slow] })] });
const silent = { debug() {}, info() {}, warn() {}, error() {} };
const app = await createApplication({ prompts: [Desk, Inner], logger: silent });
const adapter = {
  name: 'once',
  complete: async () => ({ text: null, toolCalls: [{ id: 'c', name: 'act', arguments: '{}' }], finishReason: 'tool_calls' }),
};
await app.evaluate(app.prompt(Desk), { adapter, signal: caller.signal }).catch((error) => {
  process.stdout.write(error.message);
});
await sleep(50);
`;

/** Says by how much the process grew while each of its results was written, beyond the results themselves. */
const large = `
import { createApplication, definePrompt, defineSection, defineTool } from 'toolwright';

const results = {
  holes: new Array(4_000_000_000),
  numbers: Array.from({ length: 5_000_000 }, (_, at) => at),
  texts: Array.from({ length: 2_000_000 }, (_, at) => 't' + at),
  bytes: new Uint8Array(50_000_000),
};
const tools = Object.entries(results).map(([name, value]) =>
  defineTool({ name, description: 'Gives.', handler: () => value }),
);
const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools })] });
const app = await createApplication({ prompts: [Desk], logger: { debug() {}, info() {}, warn() {}, error() {} } });
const rendered = await app.prompt(Desk).render();
const peak = () => process.resourceUsage().maxRSS / 1024;
const grown = {};
for (const { name } of tools) {
  global.gc();
  const before = peak();
  const { kind } = await app.callTool(rendered, { id: name, name, arguments: '{}' });
  grown[name] = kind === 'succeeded' ? Math.round(peak() - before) : kind;
}
process.stdout.write(JSON.stringify(grown));
`;

interface Report {
  readonly growth: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly tools: number;
  readonly warnings: readonly string[];
  readonly listeners: number;
  readonly timers: number;
}

const ROUNDS = 330;
/** A tenth of what the texts of the calls alone take. */
const ALLOWED = 1_000_000;

async function report(rounds: number, ...args: readonly string[]): Promise<Report> {
  const folder = workspace.project('esm', { 'desk.mjs': desk, 'main.mjs': main });
  const { code, stdout, stderr } = await node(folder, ['--expose-gc', 'main.mjs', String(rounds), ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Report;
}

describe('after 10,000 calls that succeed, fail, time out, nest and are given up', () => {
  test('HAND-07 HAND-08 nothing is left: no timer, no listener, no unheard rejection, no memory', async () => {
    const { growth, kinds, tools, ...left } = await report(ROUNDS);
    expect(left).toEqual({ listeners: 0, timers: 0, warnings: [] });
    expect(growth).toBeLessThan(ALLOWED);
    const counts = Object.values(kinds);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3 * tools * ROUNDS);
    for (const kind of ['succeeded', 'failed', 'timed_out', 'given up']) expect(kinds[kind]).toBeGreaterThan(2_000);
  });

  test('the check notices calls that leave memory behind', async () => {
    // Half of the calls leaves more than is allowed by far.
    expect((await report(ROUNDS / 2, 'leaky')).growth).toBeGreaterThan(2 * ALLOWED);
  });
});

test('TRACE-07 a large result is not copied while it is written', async () => {
  const folder = workspace.project('esm', { 'main.mjs': large });
  const { code, stdout, stderr } = await node(folder, ['--expose-gc', 'main.mjs']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const grown = Object.entries(JSON.parse(stdout) as Record<string, number>);
  expect(grown).toHaveLength(4);
  for (const [name, megabytes] of grown) expect([name, megabytes < 60]).toEqual([name, true]);
});

test('CANC-03 a nested call and a nested run that are not awaited do not end the process when they reject', async () => {
  const folder = workspace.project('esm', { 'main.mjs': abandoned });
  const { code, stdout, stderr } = await node(folder, ['main.mjs']);
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'enough', stderr: '' });
});
