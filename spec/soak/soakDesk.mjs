// The part of the soak in which growth would be leaks: recordings that end, runs after them, MCP sessions that end or are left, durable
// runs that are approved beside runs that wait for days with large images, and an inspector that shows all of it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from '../../scripts/build.mjs';
import { root } from '../../scripts/process.mjs';

const PARKED = 25;
/** Characters of the image of a parked run, in base64. */
const IMAGE_CHARS = 3_000_000;
/** Bytes of JSON that the inspector keeps; the soak fills them within its first rounds. */
const INSPECTOR_BYTES = 2_000_000;
/** Sessions of a client that leaves them: more than these end the oldest, and all end after some idle seconds. */
const LEFT_SESSIONS = { maxSessionsPerPrincipal: 20, idleMs: 5_000 };
/** Answered runs that the file keeps. */
const KEPT_RUNS = 100;

/** @returns `turns`: functions that do one turn of each kind and throw where it goes wrong; and `close` */
export async function openSoakDesk() {
  await build();
  const { createApplication, definePrompt, defineSection, defineTool } = await import('toolwright');
  const { recordBundle } = await import('toolwright/bundles');
  const { jsonSchema } = await import('@toolwright/json-schema');
  const { serveMcp } = await import('@toolwright/mcp');
  const { openRuns } = await import('@toolwright/durable');
  const { SqliteRuns } = await import('@toolwright/durable/sqlite');
  const { ScriptedModel } = await import('toolwright/testing');
  const { serveInspector } = await import(new URL(`file://${root}packages/inspector/dist/index.mjs`).href);

  const amount = { type: 'object', properties: { amount: { type: 'number' } }, required: ['amount'] };
  const tool = (name, rest) =>
    defineTool({
      name,
      description: 'Pays.',
      params: jsonSchema(amount),
      handler: ({ amount }) => `${amount}`,
      ...rest,
    });
  const Desk = definePrompt({
    ns: 'soak',
    key: 'payments',
    sections: [
      defineSection({
        key: 'pay',
        title: 'Pay',
        tools: [tool('quote', { hints: { readOnly: true } }), tool('pay', { requiresApproval: true })],
      }),
    ],
  });
  const app = await createApplication({
    prompts: [Desk],
    approver: { approve: () => ({ kind: 'later' }) },
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const calls = (name) => ({ toolCalls: [{ id: 'c', name, arguments: '{"amount":5}' }] });
  /** Calls a tool, and then says `done`; by what was said, so that any process goes on alike. */
  const model = (name) => ({
    name: 'scripted (not a model)',
    complete: (request) => {
      const turn = request.messages.at(-1)?.role === 'user' ? calls(name) : { text: 'done' };
      return new ScriptedModel([turn]).complete(request);
    },
  });
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const store = new SqliteRuns(join(folder, 'runs.db'));
  const runs = await openRuns(app, { store, prepare: () => ({ prompt: Desk, adapter: model('pay') }) });
  const image = { kind: 'image', mediaType: 'image/png', data: 'A'.repeat(IMAGE_CHARS) };
  for (let index = 0; index < PARKED; index++) {
    const id = `parked-${index}`;
    await runs.start({ id, conversation: id, messages: [{ role: 'user', content: 'Pay it', parts: [image] }] });
  }
  const questionOf = async (id) => {
    for (;;) {
      const [question] = await runs.questions({ run: id });
      if (question !== undefined) return question;
      await sleep(10);
    }
  };
  while ((await runs.questions()).length < PARKED) await sleep(100);

  const server = serveMcp(app, app.prompt(Desk), { http: LEFT_SESSIONS });
  const mcp = await server.listen({ port: 0 });
  const inspector = await serveInspector({ app }, { runs, live: { maxBytes: INSPECTOR_BYTES } });
  const { origin, hash } = new URL(inspector.url);
  const authorization = `Bearer ${hash.slice('#token='.length)}`;
  let number = 0;

  const quote = () =>
    app.evaluate(app.prompt(Desk), {
      adapter: model('quote'),
      messages: [{ role: 'user', content: 'What does it cost?' }],
    });

  const turns = {
    /** A run while nothing is recorded: recordings that ended must not make it slower. */
    async run() {
      const { text } = await quote();
      if (text !== 'done') throw new Error(`a run ends with ${text}`);
    },
    async record() {
      const recording = recordBundle(app);
      await quote();
      const text = recording.text();
      recording.stop();
      if (!text.includes('"quote"')) throw new Error(`a recording has no call: ${text.slice(0, 300)}`);
    },
    async session() {
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const send = async (body, session = {}) => {
        const response = await fetchAgain(mcp, {
          method: 'POST',
          headers: { ...headers, ...session },
          body: JSON.stringify(body),
        });
        return [response, await response.text()];
      };
      const rpc = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
      const clientInfo = { name: 'soak', version: '1' };
      const [begun] = await send(rpc(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));
      const session = {
        'mcp-session-id': begun.headers.get('mcp-session-id'),
        'mcp-protocol-version': '2025-06-18',
      };
      const [, text] = await send(rpc(2, 'tools/call', { name: 'quote', arguments: { amount: 7 } }), session);
      if (!text.includes('7')) throw new Error(`MCP answered ${text.slice(0, 300)}`);
      const ended = await fetchAgain(mcp, { method: 'DELETE', headers: session });
      if (!ended.ok) throw new Error(`a session is not ended: ${ended.status}`);
      // And one that its client leaves.
      const [left] = await send(rpc(3, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }));
      if (!left.ok) throw new Error(`a session does not begin: ${left.status}`);
    },
    /** What a monitor and an inbox ask, beside runs that are parked with large images. */
    async health() {
      const { ok, problems } = await runs.health();
      if (!ok) throw new Error(`the runs are not well: ${problems.join('; ')}`);
      const questions = await runs.questions();
      if (questions.length < PARKED) throw new Error(`${questions.length} questions wait, of ${PARKED}`);
    },
    async approve() {
      const id = `run-${number++}`;
      const run = await runs.start({ id, conversation: id, messages: [{ role: 'user', content: 'Pay it' }] });
      const question = await questionOf(id);
      await runs.reply(id, question.id, { kind: 'approved', by: 'soak' });
      const { text } = await run.result();
      if (text !== 'done') throw new Error(`a run ends with ${text}`);
      await store.delete(`run-${number - KEPT_RUNS}`);
    },
    async look() {
      for (const path of ['about', 'renderings?source=live', 'points?source=live']) {
        const response = await fetch(`${origin}/api/${path}`, { headers: { authorization } });
        const text = await response.text();
        if (!response.ok)
          throw new Error(`the inspector answers ${path} with ${response.status}: ${text.slice(0, 300)}`);
      }
      // What its page listens to, until it is closed.
      for (const path of ['rows?source=live', 'approvals']) {
        const page = new AbortController();
        const response = await fetch(`${origin}/api/${path}`, { headers: { authorization }, signal: page.signal });
        const { value } = await response.body.getReader().read();
        if (!response.ok || value === undefined)
          throw new Error(`the inspector streams no ${path}: ${response.status}`);
        page.abort();
      }
    },
  };
  const close = async () => {
    await inspector.close();
    await server.close();
    await runs.drain(5_000);
    await store.close();
    await app.close();
    rmSync(folder, { recursive: true });
  };
  return { turns, close };
}

/** Sends a request once more if its connection was closed: a server closes an idle one, also while a request is on its way. */
function fetchAgain(url, init) {
  return fetch(url, init).catch(() => fetch(url, init));
}
