import type { RunEntry } from 'toolwright/conversations';

/** An entry that is told apart by its text. */
export const note = (text: string): RunEntry => ({
  kind: 'note',
  turn: 1,
  about: 'limits',
  message: { role: 'user', content: text },
});

export const notes = (...texts: readonly string[]): readonly RunEntry[] => texts.map(note);

/** The texts of notes; the kinds of other entries. */
export const textsOf = (entries: readonly RunEntry[]): readonly string[] =>
  entries.map((entry) => (entry.kind === 'note' ? entry.message.content : entry.kind));

/** The id of the question about a call. */
export const idOf = (call: string): string => `question ${call}`;

export const question = (call: string): RunEntry => ({
  kind: 'question',
  id: idOf(call),
  call,
  name: 'ship',
  arguments: {},
  about: 'approval',
  askedAt: 0,
});

export const end = (run = 'r'): RunEntry => ({ kind: 'end', run, how: 'answered', messages: [] });
