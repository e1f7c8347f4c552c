import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServerProgram } from '../support/serverProcess';
import { accept, type Answer, answerQuestions, call, textOf } from '../support/statelessKit';

jest.setTimeout(120_000);

const program = new ServerProgram();
const main = program.compile('askingServer');
const folder = mkdtempSync(join(tmpdir(), 'toolwright-mcp-killed-'));
const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
  program.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** A server in a process of its own, which is killed after its work. */
async function withServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(program.command, [main, folder, 'a key of at least thirty-two characters'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  const [url] = (await once(child.stdout, 'data')) as [Buffer];
  const result = await work(url.toString().trim());
  child.kill('SIGKILL');
  await once(child, 'exit');
  running.delete(child);
  return result;
}

const order = (params: Record<string, unknown> = {}): Promise<Answer> =>
  withServer((url) => call(url, 'order', params));

test('MCP-18 a handler asks three times, its process is killed after each question, and it is applied once', async () => {
  const rounds: Record<string, unknown>[] = [{}];
  let answer = await order();
  for (const word of ['tea', 'two', 'here']) {
    expect(answer.result.resultType).toBe('input_required');
    const params = answerQuestions(answer, accept({ word }));
    rounds.push(params);
    answer = await order(params);
  }
  expect(textOf(answer)).toBe('Ordered: tea two here');
  const written = 'What?\nHow many?\nWhere to?\ntea two here\n';
  expect(readFileSync(join(folder, 'ledger'), 'utf8')).toBe(written);
  // What the client sends once more is refused by any process.
  for (const params of rounds.slice(1)) expect((await order(params)).error.data?.code).toBe('E696');
  expect(readFileSync(join(folder, 'ledger'), 'utf8')).toBe(written);
});
