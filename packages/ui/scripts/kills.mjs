// `npm run -w @toolwright/ui kills -- [--points N] [--seed N]`: kills the server of a chat at random points. Needs a build, and Node 24.
import { spawn } from 'node:child_process';
import { mkdtempSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { continueOnNode24 } from './onNode24.mjs';

continueOnNode24(import.meta.url);

const { values } = parseArgs({ options: { points: { type: 'string' }, seed: { type: 'string' } } });
const points = Number(values.points ?? 200);
let seed = Number(values.seed ?? Date.now() % 1e6);
console.log(`${points} kills, seed ${seed}`);
/** A number from 0 to 1, the same for the same seed (mulberry32). */
const random = () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** The server of one chat, started again whenever it is needed. */
class KilledServer {
  #starting;
  #child;
  constructor(folder) {
    this.folder = folder;
  }
  async port() {
    this.#starting ??= new Promise((resolve) => {
      const program = fileURLToPath(new URL('kills/server.mjs', import.meta.url));
      const child = spawn(process.execPath, [program, join(this.folder, 'runs.db'), join(this.folder, 'ledger')], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      this.#child = child;
      child.stdout.once('data', (data) => resolve(Number(data)));
      child.once('exit', () => {
        if (this.#child === child) this.#starting = undefined;
        resolve(0);
      });
    });
    return this.#starting;
  }
  /** Kills the process; returns false if none is running. */
  kill() {
    const child = this.#child;
    if (child === undefined || this.#starting === undefined) return false;
    this.#child = undefined;
    this.#starting = undefined;
    child.kill('SIGKILL');
    return true;
  }
  /** Sends a request until a server answers it. */
  async request(path, body) {
    for (;;) {
      const port = await this.port();
      if (port === 0) continue;
      const init = body && {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      };
      try {
        return await fetch(`http://127.0.0.1:${port}/api/chat${path}`, init);
      } catch {
        await sleep(1);
      }
    }
  }
}

/** The message that is written during the answer. */
const STEERING = 'By card, please.';
const counts = { kills: 0, lost: 0, twice: 0 };
while (counts.kills < points) {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-chat-'));
  try {
    await playChat(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
console.log(`chats under kills: ${counts.kills} kills, ${counts.lost} lost, ${counts.twice} twice`);
process.exit(counts.lost + counts.twice === 0 ? 0 : 1);

async function playChat(folder) {
  const server = new KilledServer(folder);
  let isKilling = true;
  const killer = (async () => {
    while (isKilling && counts.kills < points) {
      await sleep(random() * 120);
      if (isKilling && server.kill()) counts.kills++;
    }
  })();
  const steering = steer(server);
  await converse(server);
  const wasTaken = await steering;
  isKilling = false;
  await killer;
  const chat = await (await server.request('/c-1')).json();
  const exported = await (await server.request('/c-1/export')).json();
  server.kill();
  judge(chat, exported, wasTaken, folder);
}

/** Sends the message, approves the refund and reads on, until the message is finished. */
async function converse(server) {
  const message = { id: 'm-1', role: 'user', parts: [{ type: 'text', text: 'Refund W7.' }] };
  await drain(await server.request('', { id: 'c-1', messages: [message] }));
  for (;;) {
    const chat = await (await server.request('/c-1')).json().catch(() => undefined);
    if (chat === undefined) continue;
    const parts = chat.messages?.at(-1)?.parts ?? [];
    if (parts.some(({ text }) => text?.startsWith('The money'))) return;
    // The client may not know whether its first message arrived.
    if (chat.messages === undefined || chat.messages.length === 0)
      await drain(await server.request('', { id: 'c-1', messages: [message] }));
    const asked = parts.find(({ state }) => state === 'approval-requested');
    if (asked !== undefined) await drain(await server.request(`/questions/${asked.approval.id}`, { approved: true }));
    else await drain(await server.request('/c-1/stream'));
  }
}

/** Writes to the model once, at a random moment. Returns true if the server accepted the message. */
async function steer(server) {
  await sleep(random() * 400);
  for (;;) {
    const { status } = await server.request('/c-1/steer', { id: 's-1', text: STEERING });
    if (status === 204) return true;
    if (status === 409) return false;
    await sleep(5);
  }
}

/** Reads a response until it ends or its server is killed. */
async function drain(response) {
  try {
    await response.text();
  } catch {
    // The server was killed.
  }
}

function judge(chat, exported, wasTaken, folder) {
  const [user, ...rest] = chat.messages.filter(({ role, parts }) => role !== 'user' || parts[0].text !== STEERING);
  const [assistant, ...more] = rest;
  const ids = chat.messages.map(({ id }) => id);
  const outputs = assistant.parts.filter(({ type }) => type === 'dynamic-tool');
  const entries = exported.conversations.at(-1);
  const kinds = (kind) => entries.filter((entry) => entry.kind === kind);
  // A run that had not begun yet begins with the message.
  const begun = kinds('run').flatMap(({ messages }) => messages.filter(({ content }) => content === STEERING));
  const steered = kinds('steering').length + begun.length;
  const answers = assistant.parts.filter(({ text }) => text?.startsWith('The money')).length;
  const paid = existsSync(join(folder, 'ledger'))
    ? new Set(readFileSync(join(folder, 'ledger'), 'utf8').trim().split('\n')).size
    : 0;
  const isLost =
    user?.role !== 'user' ||
    outputs.length < 2 ||
    outputs.some(({ state }) => state !== 'output-available') ||
    paid < 1 ||
    (wasTaken && steered < 1);
  const isTwice =
    new Set(ids).size < ids.length ||
    more.length > 0 ||
    outputs.length > 2 ||
    answers > 1 ||
    paid > 1 ||
    steered > 1 ||
    kinds('question').length > 1;
  counts.lost += Number(isLost);
  counts.twice += Number(isTwice);
  if (isLost || isTwice) console.log(JSON.stringify({ isLost, isTwice, wasTaken, paid, chat, entries }, null, 1));
}
