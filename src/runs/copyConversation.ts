import type { RunRecord } from '../interface/RunRecords.js';
import type { LogEntry, RunStore } from '../interface/RunStore.js';
import { openQuestions } from '../evaluate/questions.js';
import { notPossible } from './runFaults.js';

/** What is copied, and whereto. */
export interface ConversationCopy {
  readonly from: Pick<RunRecord, 'id' | 'conversation'>;
  readonly to: Pick<RunRecord, 'id' | 'conversation'>;
  /** The place of the last entry of the run that is kept; only what was before the run when undefined. */
  readonly last: number | undefined;
}

/**
 * Copies the log of a conversation up to one of its runs, or to an entry of it, to a new conversation.
 *
 * @throws PromptEvaluationError E743 if the entry is not one of the run, or its end; E709
 */
export async function copyConversation(store: RunStore, { from, to, last }: ConversationCopy): Promise<void> {
  const entries = await store.entries(from.conversation);
  const begin = entries.findIndex((entry) => entry.kind === 'run' && entry.run === from.id);
  const end = entries.findIndex((entry) => entry.kind === 'end' && entry.run === from.id);
  if (last !== undefined && (begin < 0 || last <= begin || last > (end < 0 ? entries.length : end)))
    throw notPossible(from.id, `the entry ${String(last)} is not one of it that something follows`);
  const upTo = entries.slice(0, last ?? (begin < 0 ? undefined : begin));
  // Questions without a reply are asked again.
  const open = new Set<string>(openQuestions(upTo).map(({ call }) => call));
  const kept = upTo.filter((entry, at) => entry.kind !== 'question' || at < begin || !open.has(entry.call));
  const { epoch, entries: there } = await store.open(to.conversation);
  if (there.length > 0) throw notPossible(from.id, `the conversation ${to.conversation} has begun already`);
  await store.append({ conversation: to.conversation, epoch, after: 0 }, kept.map(renamed(from, to)));
}

function renamed(from: ConversationCopy['from'], to: ConversationCopy['to']): (entry: LogEntry) => LogEntry {
  return (entry) => {
    if (entry.kind === 'conversation') return { ...entry, id: to.conversation };
    return entry.kind === 'run' && entry.run === from.id ? { ...entry, run: to.id } : entry;
  };
}
