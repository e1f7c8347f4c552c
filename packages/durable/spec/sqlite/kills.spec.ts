import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunEntry } from 'toolwright/conversations';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { sqliteRuns } from '../support/sqliteRuns';
import { Workspace } from '../../../../spec/toolchain/support/Workspace';
import { textsOf } from './entries';

jest.setTimeout(900_000);

/** How many processes are killed; each of them goes on where the one before it was. `KILLS=200` tries harder. */
const KILLS = Number(process.env['KILLS'] ?? 24);
/** How many of them write to the same conversation. */
const EACH = 4;
const LANES = 4;

/** Opens a conversation, and says what it has found; then appends batches of any size, and says after each one how many. */
const program = `
import { writeSync } from 'node:fs';
import { SqliteRuns } from '@toolwright/durable/sqlite';
const [path, conversation, name, moment] = process.argv.slice(2);
const say = (what) => writeSync(1, JSON.stringify(what) + '\\n');
const store = new SqliteRuns(path);
const { epoch, entries } = await store.open(conversation);
say({ epoch, found: entries.length });
let after = entries.length;
let big = 0;
for (let batch = 0; ; batch++) {
  const count = 1 + (batch % 3);
  const content = (index) => [name, batch, index, count, 'x'.repeat(batch % 2 === 1 ? 4_000_000 : 20)].join(' ');
  const began = performance.now();
  // The second big batch is the last one: its process ends in the middle of it.
  if (moment !== '' && batch === 3) setTimeout(() => process.kill(process.pid, 'SIGKILL'), Number(moment) * big);
  const notes = Array.from({ length: count }, (_none, index) => ({ kind: 'note', message: { role: 'user', content: content(index) } }));
  try {
    await store.append({ conversation, epoch, after }, notes);
  } catch (error) {
    say({ code: error.code, message: error.message });
    break;
  }
  after += count;
  if (batch === 1) big = performance.now() - began;
  say({ after, batch });
}
`;

/** Creates runs, ends every second one and prunes all that ended, and says which are to stay. */
const recorder = `
import { writeSync } from 'node:fs';
import { SqliteRuns } from '@toolwright/durable/sqlite';
const [path, name] = process.argv.slice(2);
const { records } = new SqliteRuns(path);
const run = (id) => ({ id, conversation: 'c', input: null, trace: null, messages: [{ role: 'user', content: id }] });
for (let round = 0; ; round++) {
  const [kept, ended] = [name + '-kept-' + round, name + '-ended-' + round];
  for (const id of [kept, ended]) await records.create(run(id));
  await records.change(ended, { status: ['queued'] }, { status: 'answered' });
  writeSync(1, JSON.stringify({ kept }) + '\\n');
  if (round % 3 === 0) await records.prune(new Date(Date.now() + 60_000));
}
`;

/** In memory, where that is known to have room: syncing megabytes to a busy disk would take minutes, and tears fewer writes. */
const memory = '/dev/shm';
const hasMemory = existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 2e9;
const folder = mkdtempSync(join(hasMemory ? memory : tmpdir(), 'toolwright-kills-'));
const workspace = new Workspace();
const project = workspace.project('esm', { 'main.js': program, 'recording.js': recorder });
const [main, recording] = [join(project, 'main.js'), join(project, 'recording.js')];
afterAll(() => {
  workspace.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Said {
  readonly epoch?: number;
  readonly found?: number;
  readonly after?: number;
  readonly batch?: number;
  readonly code?: string;
  readonly message?: string;
  readonly kept?: string;
}

/** A process that appends until it is killed or refused. */
class Writer {
  readonly process: ChildProcess;
  readonly ended: Promise<unknown>;
  #out = '';
  #heard: (() => void)[] = [];

  constructor(program: string, ...args: readonly string[]) {
    const { NODE_OPTIONS: _options, ...env } = process.env;
    this.process = spawn(process.execPath, [program, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.process.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#out += text;
      for (const heard of this.#heard.splice(0)) heard();
    });
    this.ended = once(this.process, 'close');
  }

  get said(): readonly Said[] {
    return this.#out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Said);
  }

  async until(holds: (said: readonly Said[]) => boolean): Promise<void> {
    while (!holds(this.said)) await new Promise<void>((resolved) => this.#heard.push(resolved));
  }

  async kill(): Promise<void> {
    this.process.kill('SIGKILL');
    await this.ended;
  }
}

/** Numbers that are the same in every run. */
function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

/** Every batch that is there is whole. */
function expectWholeBatches(texts: readonly string[]): void {
  for (let index = 0; index < texts.length;) {
    const [name, batch, , count] = texts[index]!.split(' ');
    const whole = Array.from({ length: Number(count) }, (_none, at) => `${name!} ${batch!} ${String(at)} ${count!}`);
    expect(texts.slice(index, index + whole.length).map((text) => text.split(' ').slice(0, 4).join(' '))).toEqual(
      whole,
    );
    index += whole.length;
  }
}

/** Kills writers of one conversation, each at another moment. */
async function carry(path: string, conversation: string, random: () => number): Promise<void> {
  let acknowledged = 0;
  for (let kill = 0; kill < EACH; kill++) {
    // Half of them end themselves in the middle of a big append, the others are killed from outside.
    const moment = kill % 2 === 0 ? '' : String(random());
    const writer = new Writer(main, path, conversation, `w${String(kill)}`, moment);
    if (moment === '') {
      await writer.until((said) => said.length > 0);
      await sleep(random() * 40);
      await writer.kill();
    } else await writer.ended;
    expect(writer.said[0]!.found).toBeGreaterThanOrEqual(acknowledged);
    const { said } = writer;
    acknowledged = said.at(-1)!.after ?? said[0]!.found!;
  }
  await using store = new SqliteRuns(path);
  const texts = textsOf(await store.entries(conversation));
  expect(texts.length).toBeGreaterThanOrEqual(acknowledged);
  expectWholeBatches(texts);
  // A log that is killed for longer would only be read for longer.
  await store.delete(conversation);
}

test(`${String(KILLS)} processes are killed at any moment, and every acknowledged batch is there, none by half`, async () => {
  const conversations = Array.from({ length: KILLS / EACH }, (_none, index) => index);
  const lane = async (number: number): Promise<void> => {
    // A file of its own: no other process has it open, and each one begins with what the one before has left.
    const path = join(folder, `killed-${String(number)}/runs.db`);
    for (let next = conversations.shift(); next !== undefined; next = conversations.shift())
      await carry(path, `c${String(next)}`, randoms(next + 1));
  };
  await Promise.all(Array.from({ length: LANES }, (_none, number) => lane(number)));
});

test('of two processes on one conversation, the later one goes on and the earlier one is refused', async () => {
  const path = join(folder, 'two/runs.db');
  const first = new Writer(main, path, 'c', 'first', '');
  await first.until((said) => said.length > 3);
  const second = new Writer(main, path, 'c', 'second', '');
  await first.ended;
  await second.until((said) => said.length > 3);
  await second.kill();
  const refused = first.said.at(-1)!;
  expect(refused.code).toBe('E709');
  expect(refused.message).toContain(
    `another writer has opened the log since: process ${String(second.process.pid)} of `,
  );
  const texts = textsOf(await sqliteRuns(path).entries('c'));
  expectWholeBatches(texts);
  // Everything that was acknowledged, and of the first one nothing after the second one had opened it.
  const { found } = second.said[0]!;
  expect(found).toBe(first.said.at(-2)!.after);
  expect(texts.findIndex((text) => text.startsWith('second'))).toBe(found);
  expect(texts.slice(found).every((text) => text.startsWith('second'))).toBe(true);
  expect(texts.length).toBeGreaterThanOrEqual(second.said.at(-1)!.after!);
});

/** Opens the conversation of a writer that is stopped. Stopped in the middle of a write, it keeps the lock, and has to go on first. */
async function openOnceStopped(writer: Writer, store: SqliteRuns): Promise<readonly RunEntry[]> {
  for (;;) {
    writer.process.kill('SIGSTOP');
    const opened = await store.open('c').catch((error: unknown) => error as Error);
    if ('entries' in opened) return opened.entries;
    expect(opened.message).toContain('another process has held the lock of the file for 200 ms');
    writer.process.kill('SIGCONT');
    await sleep(5);
  }
}

test('a process that was stopped while another one took over is refused when it goes on', async () => {
  const path = join(folder, 'stopped/runs.db');
  const first = new Writer(main, path, 'c', 'first', '');
  await first.until((said) => said.length > 3);
  const other = sqliteRuns(path, { lockTimeoutMs: 200 });
  const entries = await openOnceStopped(first, other);
  first.process.kill('SIGCONT');
  await first.ended;
  expect(first.said.at(-1)!.code).toBe('E709');
  const acknowledged = first.said.at(-2)!.after!;
  expect(entries).toHaveLength(acknowledged);
  expect(await other.entries('c')).toHaveLength(acknowledged);
});

test(`${String(KILLS)} processes are killed while they record and prune runs: all that were acknowledged are there, once`, async () => {
  const path = join(folder, 'records/runs.db');
  const random = randoms(7);
  const kept: string[] = [];
  const lane = async (number: number): Promise<void> => {
    for (let kill = 0; kill < KILLS / LANES; kill++) {
      const writer = new Writer(recording, path, `w${String(number)}-${String(kill)}`);
      await writer.until((said) => said.length > 0);
      await sleep(random() * 60);
      await writer.kill();
      kept.push(...writer.said.flatMap((one) => one.kept ?? []));
    }
  };
  await Promise.all(Array.from({ length: LANES }, (_none, number) => lane(number)));
  const store = sqliteRuns(path);
  const { records } = store;
  // One more, so that there is something to prune, whenever the last one was killed.
  const last = { id: 'last', conversation: 'c', input: null, trace: null, messages: [] };
  await records.create(last);
  await records.change('last', { status: ['queued'] }, { status: 'answered' });
  await records.prune(new Date(Date.now() + 60_000));
  const runs = await records.list({ limit: Infinity });
  const ids = runs.map(({ id }) => id);
  expect(ids).toEqual(expect.arrayContaining(kept));
  expect(new Set(ids).size).toBe(ids.length);
  expect(runs.map(({ order }) => order)).toEqual(runs.map(({ order }) => order).sort((one, other) => one - other));
  await store.close();
  // The message of a run is its id, and nothing else has been left in any file.
  const texts = readdirSync(dirname(path)).map((name) => readFileSync(join(dirname(path), name), 'latin1'));
  const words = new Set(texts.flatMap((text) => [...text.matchAll(/"content":"([^"]*)"/g)].map(([, id = '']) => id)));
  expect([...words].sort()).toEqual(ids.sort());
});
