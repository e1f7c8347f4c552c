import type { RunEntry } from 'toolwright/conversations';
import { sumMarks } from './plan';
import { lostOf, tallyBranch, tallyEffects, type Arrived } from './tally';

const conversation = 'lane main';
const toolCalls = [{ id: 'call_main_1_1_101x0', name: 'stamp', arguments: { mark: 'c0:101;' } }];
const result = 'r0:101; That makes 1 in all.';
const usage = undefined;
const entries = [
  { kind: 'model', adapter: 'a', means: null },
  { kind: 'run', run: 'main.1', messages: [{ role: 'user', content: 'qmain:1;' }] },
  { kind: 'answer', turn: 1, text: 's:101;', toolCalls, finishReason: 'tool_calls', usage, native: ['t:101;'] },
  {
    kind: 'outcome',
    call: '1.0',
    name: 'stamp',
    outcome: 'ok',
    message: { role: 'tool', toolCallId: 'call_main_1_1_101x0', name: 'stamp', content: result, failed: false },
  },
  { kind: 'answer', turn: 2, text: 's:102;', toolCalls: [], finishReason: 'stop', usage, native: ['t:102;'] },
] as unknown as readonly RunEntry[];

const first: Arrived = { run: 'main.1', turn: 1, answered: 's:101;', body: { tools: [], messages: ['qmain:1;'] } };
const second = (messages: readonly string[], tools: readonly string[] = []): Arrived => ({
  ...{ run: 'main.1', turn: 2, answered: 's:102;', body: { tools, messages } },
});
const tally = (...requests: readonly Arrived[]) => tallyBranch({ conversation, requests, entries });

test('requests that hold everything, and begin with the one before, have no fault', () => {
  const { turns, lost, changed, repeated } = tally(first, second(['qmain:1;', 's:101; c0:101; t:101;', result]));
  expect({ turns, lost, changed, repeated }).toEqual({ turns: 2, lost: [], changed: [], repeated: [] });
});

test('a summary counts for the texts that it stands for, and not for thoughts', () => {
  const { lost } = tally(first, second(['qmain:1;', `So far: ${sumMarks(['s:101;', 'c0:101;', 'r0:101;'])}.`]));
  expect(lost).toEqual(['lane main, main.1, turn 2: t:101;']);
});

test('a lost result, a changed beginning and an answer that was asked for again are found', () => {
  const { lost, changed, repeated } = tally(first, first, second(['qmain:1; ', 's:101; c0:101; t:101;'], ['look']));
  expect(lost).toEqual(['lane main, main.1, turn 2: r0:101;']);
  expect(changed).toEqual([
    'lane main, main.1, turn 2: 2 bytes of tools',
    'lane main, main.1, turn 2: 10 bytes of messages[0]',
  ]);
  expect(repeated).toEqual(['lane main, main.1, turn 1']);
});

test('effects that are missing, twice, or of no record are found, and entries that are gone', () => {
  const branches = [{ conversation, requests: [], entries }];
  const effect = 'lane main c0:101;';
  expect(tallyEffects(branches, [effect])).toEqual({ missing: [], twice: [], stray: [], states: [] });
  expect(tallyEffects(branches, [])).toMatchObject({ missing: [effect] });
  expect(tallyEffects(branches, [effect, effect, 'lane main c0:9;'])).toMatchObject({
    twice: [effect],
    stray: ['lane main c0:9;'],
  });
  const kept = { kept: conversation, after: 4, texts: ['answer s:102;t:102;', 'end '] };
  expect(lostOf([kept], branches)).toEqual(['lane main: end  was safe']);
});
