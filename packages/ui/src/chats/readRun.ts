import { PromptEvaluationError } from 'toolwright';
import type { RunDelta, ShownEntry } from 'toolwright/conversations';
import type { ChatRequest } from './ChatService.js';
import type { MessagePlace } from './UserChats.js';

/** An entry of a run, or a piece of one that is coming. */
export type ChatEvent = ShownEntry | RunDelta;

/** An event of a run on its way to a client. */
export interface ChatStep {
  readonly event: ChatEvent;
  /** False for an event whose messages the client has: it only brings the writer of the protocol to its place. */
  readonly isNew: boolean;
}

/**
 * Reads the events of a run from its first one, up to its end or its next questions.
 *
 * @param signal ends the reading, not the run
 * @throws errors of the store, unchanged; the reason of the signal
 */
export async function* readRun(
  { runs }: Pick<ChatRequest, 'runs'>,
  { run, after }: MessagePlace,
  signal: AbortSignal,
): AsyncGenerator<ChatStep, void> {
  let isNew = after === 0;
  try {
    for await (const event of runs.stream(run, { signal })) {
      const seq = seqOf(event);
      // A place without an event of its own is passed with the next entry.
      yield { event, isNew: isNew || (seq !== undefined && seq > after) };
      isNew ||= seq !== undefined && seq >= after;
    }
  } catch (error) {
    // The chat was deleted meanwhile: nothing follows, and nothing has failed.
    if (!(error instanceof PromptEvaluationError && error.code === 'E738')) throw error;
  }
}

/** Returns the place of an event in the log; undefined for a piece of an entry. */
export function seqOf(event: ChatEvent): number | undefined {
  return 'seq' in event ? event.seq : undefined;
}
