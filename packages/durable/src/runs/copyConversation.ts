import { PromptEvaluationError } from 'toolwright';
import type { RunEntry } from 'toolwright/conversations';
import { keyText } from 'toolwright/internal/light';
import { removeOpenQuestions } from 'toolwright/internal';
import type { DurableStore, RunRecord } from '../records/RunRecords.js';
import { MAX_COPY_ATTEMPTS } from '../limits.js';
import { createWrongStateError } from './runErrors.js';

/** The source, the extent and the target of a copy. */
export interface ConversationCopy {
  readonly from: Pick<RunRecord, 'id' | 'conversation'>;
  readonly to: Pick<RunRecord, 'id' | 'conversation'>;
  /** The place of the last entry of the run that is kept; undefined to keep only the entries before the run. */
  readonly last: number | undefined;
  /** True if the same request may have been made before, so that it finds its copy. */
  readonly repeats: boolean;
}

/**
 * Copies the log of a conversation up to one of its runs, or to an entry of it, to a new conversation.
 *
 * @throws PromptEvaluationError E743 if the run does not have the entry, if the entry is its end, and for an existing conversation; E709
 */
export async function copyConversation(
  store: DurableStore,
  { from, to, last, repeats }: ConversationCopy,
): Promise<void> {
  const entries = await store.entries(from.conversation);
  const begin = entries.findIndex((entry) => entry.kind === 'run' && entry.run === from.id);
  const end = entries.findIndex((entry) => entry.kind === 'end' && entry.run === from.id);
  if (last !== undefined && (begin < 0 || last <= begin || last > (end < 0 ? entries.length : end)))
    throw createWrongStateError(from.id, `the entry ${String(last)} is not one of it that something follows`);
  const kept = removeOpenQuestions(entries.slice(0, last ?? (begin < 0 ? undefined : begin)));
  const copy = kept.map(renameEntries(from, to));
  // This is checked before the log is opened, because opening would shut out the writer of a running conversation.
  if (!repeats && (to.conversation === from.conversation || (await hasBegun(store, to.conversation))))
    throw createExistsError(from, to);
  for (let attempt = 1; ; attempt++) {
    const { epoch, entries: there } = await store.open(to.conversation);
    // A repetition finds the copy of the earlier attempt. Its run may have continued already.
    if ((repeats || attempt > 1) && isCopy(there, copy)) return;
    if (there.length > 0) throw createExistsError(from, to);
    try {
      await store.append({ conversation: to.conversation, epoch, after: 0 }, copy);
      return;
    } catch (error) {
      if (!(error instanceof PromptEvaluationError) || error.code !== 'E709' || attempt >= MAX_COPY_ATTEMPTS)
        throw error;
    }
  }
}

/** Checks for a conversation with entries, or with runs that may write entries at any time. */
async function hasBegun(store: DurableStore, conversation: string): Promise<boolean> {
  if ((await store.records.list({ conversation, limit: 1 })).length > 0) return true;
  return (await store.entries(conversation)).length > 0;
}

function createExistsError({ id }: ConversationCopy['from'], { conversation }: ConversationCopy['to']): Error {
  return createWrongStateError(
    id,
    `the conversation ${keyText(conversation)} has begun already, so nothing was copied into it`,
  );
}

/** Checks whether a conversation begins with the copied entries. */
function isCopy(there: readonly RunEntry[], copy: readonly RunEntry[]): boolean {
  return (
    there.length >= Math.max(1, copy.length) &&
    copy.every((entry, index) => JSON.stringify(entry) === JSON.stringify(there[index]))
  );
}

function renameEntries(from: ConversationCopy['from'], to: ConversationCopy['to']): (entry: RunEntry) => RunEntry {
  return (entry) => {
    if (entry.kind === 'conversation') return { ...entry, id: to.conversation };
    return entry.kind === 'run' && entry.run === from.id ? { ...entry, run: to.id } : entry;
  };
}
