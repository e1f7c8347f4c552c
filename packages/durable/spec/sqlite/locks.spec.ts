// A lock of another process, a slow and a full disk: the host goes on, and nothing that was acknowledged is lost.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { HELD_MS, leastPause } from '../../../../spec/support/hostPause';
import { silent } from '../../../../spec/support/silent';
import { sqliteConnection } from '../support/sqliteConnection';
import { sqliteRuns } from '../support/sqliteRuns';
import { notes, textsOf } from './entries';

jest.setTimeout(120_000);

const root = mkdtempSync(join(tmpdir(), 'toolwright-locks-'));
const running = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await Promise.all([...running].map((child) => once(child, 'exit')));
  rmSync(root, { recursive: true, force: true });
});
let files = 0;
const fresh = (): string => join(root, `${String(++files)}.db`);

/** Holds the lock of a file until its standard input ends. */
const holder = `
const { createRequire } = require('node:module');
const Database = createRequire(process.argv[2])('libsql');
const database = new Database(process.argv[1]);
database.exec('BEGIN IMMEDIATE');
process.stdout.write('held');
process.stdin.on('end', () => { database.exec('COMMIT'); process.exit(0); }).resume();
`;

/** Lets another process hold the lock of a file. */
async function holdLock(path: string): Promise<{ release: () => Promise<void>; process: ChildProcess }> {
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const child = spawn(process.execPath, ['-e', holder, path, __filename], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  await once(child.stdout, 'data');
  const release = async (): Promise<void> => {
    child.stdin.end();
    await once(child, 'exit');
  };
  return { release, process: child };
}

describe('a lock that another process holds', () => {
  test('a lock of 5 seconds never holds the host; reads go on, and writes are there afterwards, in their order', async () => {
    const store = sqliteRuns(fresh());
    const { epoch } = await store.open('c');
    const lock = await holdLock(store.path);
    const began = performance.now();
    const done: string[] = [];
    const append = async (after: number): Promise<void> => {
      await store.append({ conversation: 'c', epoch, after }, notes(String(after)));
      done.push(String(after));
    };
    let written: Promise<unknown> = Promise.resolve();
    // Half a second at a time, so that a pause which another process caused does not count.
    const pause = await leastPause(async () => {
      if (done.length === 0) written = Promise.all([written, append(0), append(1), append(2)]);
      for (let read = 0; read < 10; read++) {
        expect(await store.entries('c')).toEqual([]);
        await sleep(50);
      }
      done.push('waited');
    });
    expect(pause).toBeLessThan(HELD_MS);
    await sleep(Math.max(0, 5_000 - (performance.now() - began)));
    expect(done.every((each) => each === 'waited')).toBe(true);
    await lock.release();
    await written;
    expect(textsOf(await store.entries('c'))).toEqual(['0', '1', '2']);
  });

  test('a lock that another process holds ends a write after lockTimeoutMs: E709 with the reason; the same append works once the lock is gone', async () => {
    const store = sqliteRuns(fresh(), { lockTimeoutMs: 200 });
    const { epoch } = await store.open('c');
    const lock = await holdLock(store.path);
    const append = () => store.append({ conversation: 'c', epoch, after: 0 }, notes('a'));
    await expect(append()).rejects.toMatchObject({
      code: 'E709',
      place: store.path,
      message: expect.stringContaining('another process has held the lock of the file for 200 ms') as string,
      remedy: expect.stringContaining('End the process that holds the lock') as string,
    });
    await lock.release();
    await append();
    expect(textsOf(await store.entries('c'))).toEqual(['a']);
  });

  test('a lock that another process holds is gone with its process, killed or not: nothing has to be cleaned up', async () => {
    const store = sqliteRuns(fresh());
    const { epoch } = await store.open('c');
    const lock = await holdLock(store.path);
    const append = store.append({ conversation: 'c', epoch, after: 0 }, notes('a'));
    lock.process.kill('SIGKILL');
    await append;
    expect(textsOf(await store.entries('c'))).toEqual(['a']);
  });

  test('a lock of a stopped process: the append says what to do, and goes on once that process is killed', async () => {
    const store = sqliteRuns(fresh(), { lockTimeoutMs: 300 });
    const { epoch } = await store.open('c');
    const lock = await holdLock(store.path);
    lock.process.kill('SIGSTOP');
    const append = () => store.append({ conversation: 'c', epoch, after: 0 }, notes('a'));
    await expect(append()).rejects.toThrow(/stopped in the middle of a write/);
    lock.process.kill('SIGKILL');
    await append();
    expect(textsOf(await store.entries('c'))).toEqual(['a']);
  });

  test('a lock while the file is first opened is waited for as well', async () => {
    const path = fresh();
    const shell = sqliteConnection(path);
    shell.exec('BEGIN IMMEDIATE');
    const store = sqliteRuns(path);
    const opened = store.open('c');
    await sleep(300);
    shell.exec('ROLLBACK');
    expect((await opened).entries).toEqual([]);
    shell.close();
  });
});

describe('a shell beside the store', () => {
  test('a shell beside the store makes a copy and rebuilds the file while it is written to, and nothing is lost', async () => {
    const store = sqliteRuns(fresh());
    const { epoch } = await store.open('c');
    let after = 0;
    const over = new AbortController();
    const writing = (async () => {
      for (; !over.signal.aborted; after++)
        await store.append({ conversation: 'c', epoch, after }, notes(String(after)));
    })();
    const shell = sqliteConnection(store.path);
    shell.exec('PRAGMA busy_timeout = 10000');
    const copies: [path: string, least: number][] = [];
    for (let round = 0; round < 5; round++) {
      const copy = `${store.path}.${String(round)}`;
      const least = after;
      shell.exec(`VACUUM INTO '${copy}'`);
      copies.push([copy, least]);
      shell.exec('VACUUM');
      await sleep(20);
    }
    over.abort();
    await writing;
    shell.close();
    const all = Array.from({ length: after }, (_none, index) => String(index));
    expect(textsOf(await store.entries('c'))).toEqual(all);
    for (const [path, least] of copies) {
      const texts = textsOf(await sqliteRuns(path).entries('c'));
      expect(texts).toEqual(all.slice(0, texts.length));
      expect(texts.length).toBeGreaterThanOrEqual(least);
    }
  });
});

describe('a disk', () => {
  /** Appends until it fails, and prints how many appends were acknowledged, and the error. */
  const program = `
    const { SqliteRuns } = require('@toolwright/durable/sqlite');
    const store = new SqliteRuns(process.argv[1]);
    const note = { kind: 'note', turn: 1, about: 'limits', message: { role: 'user', content: 'x'.repeat(3000) } };
    (async () => {
      const { epoch } = await store.open('c');
      let last = performance.now();
      let pause = 0;
      setInterval(() => { const now = performance.now(); pause = Math.max(pause, now - last); last = now; }, 1).unref();
      for (let after = 0; after < Number(process.argv[2]); after++) {
        const error = await store.append({ conversation: 'c', epoch, after }, [note]).then(() => undefined, (cause) => cause);
        if (error === undefined) continue;
        const again = await store.append({ conversation: 'c', epoch, after }, [note]).then(() => undefined, (cause) => cause);
        console.log(JSON.stringify({ after, code: error.code, message: error.message, again: again?.code, pause }));
        return;
      }
      console.log(JSON.stringify({ after: Number(process.argv[2]), pause }));
    })();
  `;
  interface Said {
    readonly after: number;
    readonly code?: string;
    readonly message?: string;
    readonly again?: string;
    readonly pause: number;
  }
  const projectRoot = join(__dirname, '../../../..');

  /** Runs the program under a shell command. */
  async function run(before: string, path: string, count: number, env: NodeJS.ProcessEnv = {}): Promise<Said> {
    const { NODE_OPTIONS: _options, ...inherited } = process.env;
    const script = program.replace(
      `require('@toolwright/durable/sqlite')`,
      `require(${JSON.stringify(join(projectRoot, 'packages/durable/dist/sqlite.cjs'))})`,
    );
    const command = `${before} exec "$0" -e "$1" "$2" "$3"`;
    const child = spawn('bash', ['-c', command, process.execPath, script, path, String(count)], {
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(child);
    child.once('exit', () => running.delete(child));
    let out = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    await once(child, 'close');
    return JSON.parse(out) as Said;
  }

  test('a full disk keeps what was acknowledged; the failed append says why, and works once there is room', async () => {
    const path = fresh();
    // The system refuses what would make a file larger than 256 KiB.
    const said = await run('ulimit -f 256;', path, 10_000);
    expect(said).toMatchObject({ code: 'E709', again: 'E709', message: expect.stringMatching(/disk/) as string });
    let { pause } = said;
    for (let time = 0; time < 5 && pause > HELD_MS; time++)
      pause = Math.min(pause, (await run('ulimit -f 256;', fresh(), 10_000)).pause);
    expect(pause).toBeLessThan(HELD_MS);
    expect(said.after).toBeGreaterThan(10);
    const store = sqliteRuns(path);
    const { epoch, entries } = await store.open('c');
    expect(entries).toHaveLength(said.after);
    const next = { conversation: 'c', epoch, after: entries.length };
    for (let time = 0; time < 2; time++) await store.append(next, [entries[0]!]);
    expect(await store.entries('c')).toHaveLength(entries.length + 1);
  });

  /** Delays each sync of a file: the system calls this in place of its own functions. */
  const slowSync = `
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <unistd.h>
    static int slow(const char *name, int file) {
      int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
      usleep(400 * 1000);
      return real(file);
    }
    int fsync(int file) { return slow("fsync", file); }
    int fdatasync(int file) { return slow("fdatasync", file); }
  `;
  const hasCompiler = spawnSync('cc', ['--version']).status === 0 && process.platform === 'linux';
  const name = 'that takes 400 ms for each sync never holds the host for 50 ms, and writes that wait share a sync';
  if (!hasCompiler) {
    test(`absent: a disk ${name} (needs a C compiler and Linux)`, () => {
      expect(hasCompiler).toBe(false);
    });
  } else {
    test(name, async () => {
      const library = join(root, 'slow.so');
      writeFileSync(join(root, 'slow.c'), slowSync);
      expect(spawnSync('cc', ['-shared', '-fPIC', '-o', library, join(root, 'slow.c'), '-ldl']).status).toBe(0);
      let least = Infinity;
      for (let time = 0; time < 5 && least > HELD_MS; time++) {
        const began = performance.now();
        const { after, pause } = await run('', fresh(), 6, { LD_PRELOAD: library });
        expect(after).toBe(6);
        // The disk was slow: the opening and each append waited for at least one sync.
        expect(performance.now() - began).toBeGreaterThan(6 * 400);
        least = Math.min(least, pause);
      }
      expect(least).toBeLessThan(HELD_MS);
    });
  }
});

test('a run whose store waits for a lock goes on when it is gone, and the host answers others meanwhile', async () => {
  const act = defineTool({ name: 'act', description: 'Acts.', hints: { idempotent: true }, handler: () => 'done' });
  const Desk = definePrompt({
    ns: 'locks',
    key: 'desk',
    sections: [defineSection({ key: 'desk', title: 'Desk', tools: [act] })],
  });
  const app = await createApplication({ prompts: [Desk], logger: silent });
  const store = sqliteRuns(fresh());
  const conversation = await Conversation.open(store, 'c');
  const lock = await holdLock(store.path);
  const run = (messages: readonly { readonly role: 'user'; readonly content: string }[], on?: Conversation) =>
    app.evaluate(app.prompt(Desk), {
      adapter: new ScriptedModel([{ toolCalls: [{ name: 'act', arguments: {} }] }, { text: 'Done.' }]),
      session: new Session(),
      messages,
      conversation: on,
    });
  const waiting = run([{ role: 'user', content: 'Go.' }], conversation);
  expect((await run([{ role: 'user', content: 'Beside it.' }])).text).toBe('Done.');
  await lock.release();
  expect((await waiting).text).toBe('Done.');
  await app.close();
});
