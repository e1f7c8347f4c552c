import { defineTool, ToolRefusal, ToolResult, ToolValidationError } from 'toolwright';
import { deskOf } from '../desk.js';

/** What the model reads of a tool that does this. */
async function readOf(handler: () => unknown): Promise<string> {
  const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: handler })]);
  const outcome = await desk.call('act');
  expect(outcome.kind).not.toBe('succeeded');
  expect(desk.events[0]).toMatchObject({ kind: outcome.kind, toolMessage: outcome.text });
  return outcome.text;
}

const given: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['an empty text', ''],
  ['blanks', ' \n'],
  ['a function', () => 'no'],
];

describe('TRACE-13c a failure without a reason', () => {
  test.each(given)('ToolResult.error(%s): the model reads that there is none', async (_what, message) => {
    const text = await readOf(() => ToolResult.error(message as never));
    expect(text).toMatch(/^The tool failed, and gave no reason\./);
    expect(text).not.toMatch(/undefined|null/);
  });

  test.each(given)('TRACE-13c ToolRefusal(%s) says that no reason was given', async (_what, message) => {
    const refusal = new ToolRefusal(message as never);
    expect(refusal.message).toMatch(/^The tool refuses this, and gave no reason\./);
    const text = await readOf(() => {
      throw refusal;
    });
    expect(text).toBe(refusal.message);
    expect(text).not.toMatch(/undefined|null/);
  });

  test.each(given)('TRACE-13c ToolValidationError(%s) says that no reason was given', async (_what, message) => {
    const text = await readOf(() => {
      throw new ToolValidationError(message as never);
    });
    expect(text).toContain('the arguments are wrong');
    expect(text).not.toMatch(/undefined|null/);
  });

  test('an error or a number in its place is shown, and a value is read as before', async () => {
    expect(await readOf(() => ToolResult.error(new TypeError('no such order') as never))).toBe('no such order');
    expect(await readOf(() => ToolResult.error(5 as never))).toBe('5');
    expect(new ToolRefusal(5 as never).message).toBe('The tool refuses this, and gave no reason. (the number 5)');
    expect(await readOf(() => ToolResult.error(undefined as never, { value: { at: 1 } }))).toBe(
      'The tool failed, and gave no reason.\n\n{"at":1}',
    );
  });

  test('a success without a message is as if it had none', () => {
    expect(new ToolResult({ message: undefined as never, value: 1 }).message).toBe('');
    expect(new ToolResult({ message: null as never }).message).toBe('OK');
  });
});
