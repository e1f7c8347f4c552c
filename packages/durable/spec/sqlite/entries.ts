import type { LogEntry } from 'toolwright/conversations';

/** An entry that is told apart by its text. */
export const note = (text: string): LogEntry => ({
  kind: 'note',
  turn: 1,
  about: 'limits',
  message: { role: 'user', content: text },
});

export const notes = (...texts: readonly string[]): readonly LogEntry[] => texts.map(note);

/** The texts of notes; the kinds of other entries. */
export const textsOf = (entries: readonly LogEntry[]): readonly string[] =>
  entries.map((entry) => (entry.kind === 'note' ? entry.message.content : entry.kind));

/** The id of the question about a call. */
export const idOf = (call: string): string => `question ${call}`;

export const question = (call: string): LogEntry => ({
  kind: 'question',
  id: idOf(call),
  call,
  name: 'ship',
  arguments: {},
  about: 'approval',
  askedAt: 0,
});

export const end = (run = 'r'): LogEntry => ({ kind: 'end', run, how: 'answered', messages: [] });
