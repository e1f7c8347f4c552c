import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '../../..');
let folder: string;
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  folder = mkdtempSync(join(tmpdir(), 'toolwright-vitest-evals-'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
}, 600_000);
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** A desk whose model books 1A for each request, and the tests of `tests`. */
const writeSpec = (tests: string): string => `
import 'reflect-metadata';
import { expect } from 'vitest';
import { createApplication, definePrompt, defineSection, defineTool, Param, ToolResult } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { promptRun } from '@toolwright/evals';
import { evalHarness } from '@toolwright/evals/vitest-evals';
import { createJudge, describeEval, toolCalls, ToolCallJudge } from 'vitest-evals';

class Seat {}
Param({ description: 'Seat', type: String })(Seat.prototype, 'seat');
const bookSeat = defineTool({
  name: 'book_seat', description: 'Book a seat.', params: Seat,
  handler: ({ seat }) => (seat === '1A' ? ToolResult.ok() : ToolResult.error('Seat ' + seat + ' is taken.')),
});
const Desk = definePrompt({ ns: 'airline', key: 'desk', sections: [defineSection({ key: 'seats', title: 'Seats', tools: [bookSeat] })] });
const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
const call = (seat) => ({ id: 'same', name: 'book_seat', arguments: { seat } });
const run = promptRun({
  app: () => createApplication({ prompts: [Desk] }),
  prompt: Desk,
  adapter: ({ input }) => {
    if (input === 'Fail.') throw new Error('the provider is down');
    return new ScriptedModel([{ toolCalls: [call('1A')], usage }, { toolCalls: [call('2B')], usage }, { text: 'Booked.', usage }]);
  },
});
const harness = evalHarness({ name: 'desk', run });
const Says = createJudge('Says', async ({ output }) => ({ score: output === 'Booked.' ? 1 : 0 }));
const Refuses = createJudge('Refuses', async () => ({ score: 0.2 }));
${tests}
`;

const runVitest = (tests: string) => {
  writeFileSync(join(folder, 'desk.eval.spec.mjs'), writeSpec(tests));
  const bin = join(root, 'node_modules/vitest/vitest.mjs');
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [bin, 'run', '--root', folder, '--reporter=verbose', 'desk.eval.spec.mjs'],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env['PATH'], NO_COLOR: '1' } },
  );
  return { status, output: stdout + stderr };
};

describe('a harness of vitest-evals', () => {
  test('judges see the output, the session, the usage and the spans of a run', () => {
    const { status, output } = runVitest(`
describeEval('desk', { harness, judges: [Says, ToolCallJudge()], judgeThreshold: 0.9 }, (it) => {
  it('books a seat', async ({ run }) => {
    const result = await run('Book 1A.');
    expect(result.output).toBe('Booked.');
    expect(result.session.events).toEqual([
      { type: 'message', role: 'system', content: expect.any(String) },
      { type: 'message', role: 'user', content: 'Book 1A.' },
      { type: 'tool_call', id: 'call-1', name: 'book_seat', arguments: { seat: '1A' } },
      { type: 'tool_result', toolCallId: 'call-1', name: 'book_seat', content: expect.any(String) },
      { type: 'tool_call', id: 'call-2', name: 'book_seat', arguments: { seat: '2B' } },
      { type: 'tool_result', toolCallId: 'call-2', name: 'book_seat', error: { message: expect.stringContaining('Seat 2B is taken.') } },
      { type: 'message', role: 'assistant', content: 'Booked.' },
    ]);
    expect(toolCalls(result).map(({ name, status }) => [name, status])).toEqual([['book_seat', 'ok'], ['book_seat', 'error']]);
    expect(result.usage).toMatchObject({ inputTokens: 30, outputTokens: 6, totalTokens: 36, toolCalls: 2 });
    expect(result.traces[0].spans.map(({ kind, name, status }) => [kind, name, status])).toEqual([
      ['run', 'desk', 'ok'], ['tool', 'execute_tool book_seat', 'ok'], ['tool', 'execute_tool book_seat', 'error'],
    ]);
    expect(result.errors).toEqual([]);
  });
});`);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
    expect(output).toMatch(/✓ .*desk > books a seat/);
  }, 120_000);

  test('a judge below the threshold fails its test, and so does a run that throws', () => {
    const { status, output } = runVitest(`
describeEval('desk', { harness, judges: [Refuses], judgeThreshold: 0.5 }, (it) => {
  it('is judged', async ({ run }) => { await run('Book 1A.'); });
});
describeEval('failing', { harness }, (it) => {
  it('fails', async ({ run }) => { await run('Fail.'); });
});`);
    expect(status).toBe(1);
    expect(output).toMatch(/[×✗] .*desk > is judged/);
    expect(output).toMatch(/[×✗] .*failing > fails/);
    expect(output).toContain('the provider is down');
    expect(output).toMatch(/2 failed/);
  }, 120_000);

  test('the option task gives a run more than the input, and calls without a transcript are events', () => {
    const { status, output } = runVitest(`
const plain = evalHarness({
  name: 'plain',
  task: (input) => ({ id: 'one', input, metadata: { seat: '3C' } }),
  run: ({ input, metadata }) => ({ text: input + ' ' + metadata.seat, calls: [{ name: 'a', arguments: 'broken {', failed: true }] }),
});
describeEval('plain', { harness: plain }, (it) => {
  it('answers', async ({ run }) => {
    const { output, session } = await run('Book');
    expect(output).toBe('Book 3C');
    expect(session.events).toEqual([
      { type: 'message', role: 'user', content: 'Book' },
      { type: 'tool_call', id: 'call-1', name: 'a', metadata: { arguments: 'broken {' } },
      { type: 'tool_result', toolCallId: 'call-1', name: 'a', error: { message: 'The call failed.' } },
      { type: 'message', role: 'assistant', content: 'Book 3C' },
    ]);
    expect(() => evalHarness({ name: 'plain' })).toThrow(/E413/);
  });
});`);
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  }, 120_000);
});
