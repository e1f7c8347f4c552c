import { sha256 } from '../../../common/builtins.js';
import { RESULT_BEGINNING_CHARS, RESULT_CUE_CHARS } from '../../../common/limits.js';
import { cut } from '../../../common/text.js';
import type { RunEntry } from '../../../interface/RunEntry.js';
import type { TokenEstimator } from '../../../interface/ports.js';
import type { Message } from '../../../value/Message.js';
import { estimateMessage } from './shortenHistory.js';

/** The name of the tool that reads long results by their handles. */
export const READ_RESULT = 'read_result';

interface RecordedResult {
  /** The number of its run, its turn and its position, e.g. `17.2.0`. */
  readonly place: string;
  readonly message: Extract<Message, { readonly role: 'tool' }>;
}

/** A result that is longer than a history shows. */
interface LongResult extends RecordedResult {
  readonly handle: string;
}

/**
 * The long results of a conversation, which its log keeps: in a shorter history, each gives way to its beginning and a handle.
 * The handle is the place of the result in the log and a hash of its text, so that it is the same in every process and in a copy
 * of the conversation, and names nothing in any other (docs/contract.md, 17).
 */
export class LongResults {
  readonly #byText: ReadonlyMap<string, LongResult>;

  /** @param longest the most estimated tokens of a result that stays as it is */
  constructor(entries: readonly RunEntry[], longest: number, estimator: TokenEstimator) {
    const byText = new Map<string, LongResult>();
    for (const result of listLongResults(entries)) {
      const { content } = result.message;
      const isLong = content.length > RESULT_BEGINNING_CHARS && estimateMessage(result.message, estimator) > longest;
      if (isLong && !byText.has(content)) byText.set(content, { ...result, handle: createHandle(result) });
    }
    this.#byText = byText;
  }

  /** Returns the message with the beginning of its result; the message itself if that is not long. */
  shortenMessage(message: Message): Message {
    const result = message.role === 'tool' ? this.#byText.get(message.content) : undefined;
    if (result === undefined) return message;
    const { content } = result.message;
    const beginning = cut(content, RESULT_BEGINNING_CHARS);
    const rest = `handle ${result.handle}, offset ${String(beginning.length)}`;
    const notice = `[The beginning of ${String(content.length)} characters. ${READ_RESULT} reads on: ${rest}.]`;
    return { ...message, content: `${beginning}…\n\n${notice}` };
  }

  /**
   * Returns a message that lists the results that the messages neither hold nor name: the latest ones that there is room for.
   *
   * @param room for the message, in estimated tokens
   * @returns undefined if there are none, or no room
   */
  listResults(messages: readonly Message[], room: number, estimator: TokenEstimator): Message | undefined {
    const shown = new Set(messages.map(({ content }) => this.#byText.get(content ?? '')?.handle));
    const texts = messages.map(({ content }) => content ?? '').join('\n');
    const left = [...this.#byText.values()].filter(
      // A result that was read again is listed already, under its own handle.
      ({ handle, message }) => message.name !== READ_RESULT && !shown.has(handle) && !texts.includes(handle),
    );
    const lines: string[] = [];
    let tokens = estimator(TITLE);
    for (const result of left.reverse()) {
      const line = formatResultLine(result);
      tokens += estimator(JSON.stringify(line));
      if (tokens > room) break;
      lines.unshift(line);
    }
    if (lines.length === 0) return undefined;
    return { role: 'user', content: `[${[TITLE, ...lines].join('\n')}]`, note: 'application' };
  }
}

const TITLE = `Long results of earlier calls, by handle; ${READ_RESULT} reads them:`;

/** Returns the text of a result by its handle; undefined if the log has none that the handle names. */
export function findResult(entries: readonly RunEntry[], handle: string): string | undefined {
  const [place] = handle.split('-');
  for (const result of listLongResults(entries))
    if (result.place === place) return createHandle(result) === handle ? result.message.content : undefined;
  return undefined;
}

function* listLongResults(entries: readonly RunEntry[]): Generator<RecordedResult> {
  let run = 0;
  for (const entry of entries) {
    if (entry.kind === 'run') run++;
    if (entry.kind === 'outcome') yield { place: `${String(run)}.${entry.call}`, message: entry.message };
  }
}

function createHandle({ place, message }: RecordedResult): string {
  return `${place}-${sha256(message.content).slice(0, 8)}`;
}

/** With the text of the result, since arguments may hold secrets that are hidden only in their own call. */
function formatResultLine({ handle, message: { name, content } }: LongResult): string {
  return `${handle}: ${name}, ${String(content.length)} characters, ${JSON.stringify(`${cut(content, RESULT_CUE_CHARS)}…`)}`;
}
