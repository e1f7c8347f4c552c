import type { BundleEntry, BundleHead } from 'toolwright/bundles';

export const head: BundleHead = {
  kind: 'bundle',
  format: 'toolwright/bundle',
  version: 1,
  createdAt: 1,
  versions: { toolwright: '1' },
};

const call = { id: 'c-1', name: 'count', arguments: { by: 2 }, wireName: 'count' };
const usage = { inputTokens: 5, outputTokens: 7, totalTokens: 12, cachedInputTokens: 1, cacheWriteTokens: 2 };
const message = { role: 'user', content: 'Count.', note: 'operator' } as const;
const parts = [
  { kind: 'text', text: 'A picture.' },
  { kind: 'image', mediaType: 'image/png', url: 'https://pictures.example/1.png' },
] as const;
const tools = { added: ['count'], removed: ['look'] };
const native = { provider: 'made up', content: [{ type: 'text' }] };
const messages = [
  { ...message, parts, tools },
  { role: 'assistant', content: null, toolCalls: [call], native },
  { role: 'tool', toolCallId: 'c-1', name: 'count', content: 'Counted.', parts, failed: false, tools },
  { role: 'assistant', content: 'Two.' },
] as const;

/** An entry before it has a place. */
type Unplaced = BundleEntry extends infer E ? (E extends BundleEntry ? Omit<E, 'seq' | 'time'> : never) : never;

const unplaced: readonly Unplaced[] = [
  {
    kind: 'rendering',
    rendering: 'abc',
    prompt: 'tests/desk',
    text: '# Desk',
    sections: [{ path: 'desk', number: '1', title: 'Desk', visibility: 'full', start: 0, end: 6 }],
    tools: [
      { name: 'count', description: 'Counts.', section: 'desk', schema: { type: 'object' }, hints: { readOnly: true } },
    ],
  },
  {
    kind: 'run',
    run: 'r-1',
    prompt: 'tests/desk',
    rendering: 'abc',
    adapter: 'made up',
    session: 's-1',
    ...{ conversation: 'v-1', metadata: { principal: 'ann', fork: { run: 'r-0', seq: 3 } }, parent: 0 },
  },
  {
    kind: 'state',
    session: 's-1',
    of: 1,
    appended: { Note: [{ text: 'one' }] },
    replaced: { Mood: [{ mood: 'calm' }] },
  },
  { kind: 'request', run: 'r-1', turn: 1, count: 2, messages: [{ ...message, parts, tools }] },
  {
    kind: 'answer',
    of: 3,
    run: 'r-1',
    turn: 1,
    durationMs: 3,
    text: null,
    toolCalls: [call],
    finishReason: 'tool_calls',
    usage,
    prefix: {
      keptBytes: 1,
      newBytes: 2,
      keptTokens: 3,
      changedBytes: 4,
      brokenAt: 'messages[1]',
      changedParameters: ['tool_choice'],
    },
  },
  { kind: 'answer', of: 3, run: 'r-1', turn: 1, durationMs: 3, problem: 'The provider is away.' },
  {
    ...{ kind: 'call', run: 'r-1', session: 's-1', turn: 1, callId: 'c-1', name: 'count', arguments: { by: 2 } },
    caller: 'direct',
    section: 'desk',
    parent: 1,
  },
  { kind: 'attempt', of: 6, attempt: 2 },
  {
    kind: 'resources',
    of: 6,
    attempt: 2,
    resources: [{ name: 'Orders', changes: [{ what: 'W1', before: 1, after: 2 }] }],
  },
  { kind: 'program', of: 6, attempt: 1, code: 'return 1;', tools: ['count'] },
  { kind: 'event', type: 'ToolInvoked', session: 's-1', of: 6, fields: { approved: true, repairs: ['x'] } },
  { kind: 'event', type: 'FeedbackGiven', session: 's-1', of: 6, fields: { text: 'Well done.' } },
  { kind: 'outcome', of: 6, outcome: 'failed', text: 'Counted.', durationMs: 4, effect: 'unknown', rolledBack: false },
  { kind: 'state', session: 's-1', of: 6, appended: { Note: [{ text: 'two' }] } },
  {
    kind: 'end',
    run: 'r-1',
    how: 'answered',
    durationMs: 9,
    problem: 'None.',
    code: 'E704',
    messages,
    usage,
    cost: 0.5,
    turns: 2,
  },
];

/** An entry of each kind, with every field that it may have. */
export const everyEntry = unplaced.map((entry, seq) => ({ ...entry, seq, time: seq + 1 })) as readonly BundleEntry[];

/** The text of a bundle. */
export function bundleOf(entries: readonly unknown[]): string {
  return [head, ...entries].map((line) => `${JSON.stringify(line)}\n`).join('');
}
