import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProgram } from '../../support/serverProcess';
import { accept, type Answer, ask, type Asking, ASKABLE, type Result } from '../../support/statelessKit';

jest.setTimeout(180_000);

const program = new ServerProgram();
const main = program.compile('taskProcess');
const folders: string[] = [];
const running = new Set<ChildProcess>();
afterEach(async () => {
  for (const child of running) await kill(child);
});
afterAll(() => {
  program.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

interface TaskServer {
  readonly url: string;
  readonly child: ChildProcess;
}

function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-mcp-tasks-'));
  folders.push(folder);
  return folder;
}

/** Starts a server over the tasks of a folder, in a process of its own. */
async function start(folder: string): Promise<TaskServer> {
  const child = spawn(program.command, [main, folder, 'a key of at least thirty-two characters'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: url.toString().trim(), child };
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const capabilities = { ...ASKABLE, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** Sends a request of a user whose client can follow tasks. */
function send(url: string, method: string, params: Asking['params'], user = 'bob'): Promise<Answer> {
  return ask(url, method, { params: params ?? {}, capabilities, headers: { 'x-user': user } });
}

async function startTask({ url }: TaskServer, name: string): Promise<string> {
  const { result } = await send(url, 'tools/call', { name, arguments: {} });
  expect(result.resultType).toBe('task');
  return String(result['taskId']);
}

/** Polls a task until it has a state. */
async function awaitTask({ url }: TaskServer, taskId: string, wanted: string): Promise<Result> {
  for (;;) {
    const { result } = await send(url, 'tasks/get', { taskId });
    if (result['status'] === wanted) return result;
    expect(['working', 'input_required']).toContain(result['status']);
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 20));
}

async function awaitFile(path: string): Promise<void> {
  while (!existsSync(path)) await pause();
}

/** Answers the only question of a task. */
function answer({ url }: TaskServer, taskId: string, task: Result, word: string): Promise<Answer> {
  const keys = Object.keys(task.inputRequests ?? {});
  expect(keys).toHaveLength(1);
  const inputResponses = Object.fromEntries(keys.map((key) => [key, accept({ word })]));
  return send(url, 'tasks/update', { taskId, inputResponses });
}

const readLines = (path: string): readonly string[] => readFileSync(path, 'utf8').trim().split('\n');

test('a task whose process is killed in its call is polled from another process, which finishes it once', async () => {
  const folder = createFolder();
  const first = await start(folder);
  const taskId = await startTask(first, 'wait');
  await awaitFile(join(folder, 'begun'));
  const second = await start(folder);
  expect((await send(second.url, 'tasks/get', { taskId })).result['status']).toBe('working');
  await kill(first.child);
  writeFileSync(join(folder, 'go'), '');
  const { result } = await awaitTask(second, taskId, 'completed');
  expect(result).toMatchObject({ content: [{ type: 'text', text: 'Waited.' }] });
  expect(readLines(join(folder, 'begun'))).toHaveLength(2);
  expect(readLines(join(folder, 'ledger'))).toEqual(['waited']);
});

test('a task that asks twice is finished once although its process is killed after each question and each answer', async () => {
  const folder = createFolder();
  let server = await start(folder);
  const restart = async (): Promise<void> => {
    await kill(server.child);
    server = await start(folder);
  };
  const taskId = await startTask(server, 'order');
  await restart();
  for (const word of ['tea', 'two']) {
    await awaitTask(server, taskId, 'input_required');
    await restart();
    const task = await awaitTask(server, taskId, 'input_required');
    expect((await answer(server, taskId, task, word)).result.resultType).toBe('complete');
    await restart();
  }
  const { result } = await awaitTask(server, taskId, 'completed');
  expect(result).toMatchObject({ content: [{ type: 'text', text: 'Ordered tea two.' }] });
  expect(readLines(join(folder, 'ledger'))).toEqual(['begun', 'tea two']);
});

test('a task is cancelled from another process than the one that runs its call', async () => {
  const folder = createFolder();
  const [first, second] = [await start(folder), await start(folder)];
  const taskId = await startTask(first, 'wait');
  await awaitFile(join(folder, 'begun'));
  await send(second.url, 'tasks/cancel', { taskId });
  for (const { url } of [first, second])
    expect((await send(url, 'tasks/get', { taskId })).result['status']).toBe('cancelled');
  await awaitFile(join(folder, 'aborted'));
  writeFileSync(join(folder, 'go'), '');
  await awaitTask(second, await startTask(second, 'wait'), 'completed');
  expect(readLines(join(folder, 'ledger'))).toEqual(['waited']);
});

test('a task over HTTP does not exist for another user, and a client without the extension gets no task', async () => {
  const server = await start(createFolder());
  const taskId = await startTask(server, 'order');
  const task = await awaitTask(server, taskId, 'input_required');
  const [key = ''] = Object.keys(task.inputRequests ?? {});
  for (const [method, more] of [
    ['tasks/get', {}],
    ['tasks/update', { inputResponses: { [key]: accept({ word: 'stolen' }) } }],
    ['tasks/cancel', {}],
  ] as const) {
    const stolen = await send(server.url, method, { taskId, ...more }, 'eve');
    const guessed = await send(server.url, method, { taskId: '00000000-0000-4000-8000-000000000000', ...more }, 'eve');
    expect(stolen.error).toMatchObject({ code: -32602 });
    expect(stolen.error).toEqual(guessed.error);
    const plain = { params: { taskId, ...more }, headers: { 'x-user': 'bob' } };
    expect((await ask(server.url, method, plain)).error.code).toBe(-32021);
  }
  expect((await send(server.url, 'tasks/get', { taskId })).result['status']).toBe('input_required');
  const required = { params: { name: 'wait', arguments: {} }, headers: { 'x-user': 'bob' } };
  expect((await ask(server.url, 'tools/call', required)).error.code).toBe(-32021);
  const optional = { ...required, params: { name: 'order', arguments: {} } };
  expect((await ask(server.url, 'tools/call', optional)).result.resultType).toBe('input_required');
});
