import { node, Workspace } from '../toolchain/support/Workspace';

// In a process of its own: it ends by itself only when no timer is left, a rejection that nobody hears would kill it, and
// its heap holds nothing but the framework.

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

const handlers = {
  succeeds: ({ text }, { session }) => { session.slice(Note).seed(new Note(text)); return text; },
  waits: async ({ text }, { session }) => { await sleep(1); return session.slice(Note).latest()?.text ?? text; },
  throws: ({ text }, { session }) => { session.slice(Note).seed(new Note(text)); throw new Error(text); },
  refuses: async ({ text }) => { await sleep(1); throw new ToolRefusal(text); },
  gives_failure: ({ text }) => ToolResult.error(text),
  late: async ({ text }) => { await sleep(8); return text; },
  late_rejection: async ({ text }) => { await sleep(8); throw new Error(text); },
  zombie: async ({ text }, { session }) => { await sleep(8); session.slice(Note).seed(new Note(text)); },
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
const count = (kind) => { kinds[kind] = (kinds[kind] ?? 0) + 1; };
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
  const alone = async (name) => count((await app.callTool(rendered, callOf(name), { session, signal, deadline })).kind);
  const together = async () => {
    const calls = names.map(callOf);
    for (const { kind } of await app.callTools(rendered, calls, { session: new Session(), signal })) count(kind);
  };
  const givenUp = async (name) => {
    const own = new AbortController();
    const call = app.callTool(rendered, callOf(name), { session: new Session(), signal: own.signal });
    own.abort(new Error('enough'));
    await call.then(({ kind }) => count(kind), () => count('given up'));
  };
  for (let at = 0; at < times; at++)
    await Promise.all([...names.map(alone), together(), ...names.map(givenUp)]);
  // Handlers that were not waited for come to their end.
  await sleep(50);
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

interface Report {
  readonly growth: number;
  readonly kinds: Readonly<Record<string, number>>;
  readonly tools: number;
  readonly warnings: readonly string[];
  readonly listeners: number;
  readonly timers: number;
}

const ROUNDS = 930;

test('HAND-07 HAND-08 after 10,000 calls of every end nothing is left: no timer, no listener, no rejection, no memory', async () => {
  const folder = workspace.project('esm', { 'desk.mjs': desk, 'main.mjs': main });
  const { code, stdout, stderr } = await node(folder, ['--expose-gc', 'main.mjs', String(ROUNDS)]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const report = JSON.parse(stdout) as Report;
  expect(report).toEqual({});
});
