import { MAX_PROGRESS_CHARS } from '../../common/limits.js';
import { omitUndefined } from '../../common/objects.js';
import { cut } from '../../common/text.js';
import type { Redaction } from '../../dispatch/redact/Redaction.js';
import type {
  HistoryEntry,
  ProgressDelta,
  QuestionReply,
  RunDelta,
  RunEntry,
  ShownEntry,
} from '../../interface/RunEntry.js';
import type { ToolProgress } from '../../event/ToolProgressed.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { ContentPart } from '../../value/ContentPart.js';
import type { Message } from '../../value/Message.js';
import type { ToolCall } from '../../value/ToolCall.js';
import { holdsSecrets } from '../../schema/write/secrets.js';
import { upgradeEntry } from '../conversation/log/entryFormat.js';
import { createCallId, parsePosition } from '../conversation/log/listOpenCalls.js';

/**
 * Shows the entries of one run to clients, in their order: the only place that says which fields they get, and without which secrets.
 * `app.stream` and the events of durable runs both use it.
 */
export class EntryView {
  readonly #redaction: Redaction;
  /** Its tools say which arguments are secret. */
  readonly #offer: Pick<RenderedPrompt, 'toolsByName'>;
  readonly #keepsBytes: boolean;
  #answer: Pick<RunEntry<'answer'>, 'turn' | 'toolCalls'> = { turn: 0, toolCalls: [] };

  /** @param keepsBytes true for the readers of a chat, who see its files; others get a line of text in place of the bytes of a part */
  constructor(redaction: Redaction, offer: Pick<RenderedPrompt, 'toolsByName'>, keepsBytes = false) {
    this.#redaction = redaction;
    this.#offer = offer;
    this.#keepsBytes = keepsBytes;
  }

  /** Returns a call without its secret arguments. */
  showCall(call: ToolCall): ToolCall {
    return this.#redaction.call(call, this.#offer.toolsByName);
  }

  /** True if clients may see the arguments of a call while the model writes them. */
  showsInput(name: string): boolean {
    const tool = this.#offer.toolsByName.get(name);
    // A part of a secret, or of a text that the hook removes, cannot be recognised; a call through a bridge names an unknown tool.
    if (this.#redaction.hasHook || tool === undefined) return false;
    return tool.metadata.params === null || !holdsSecrets(tool.metadata.params);
  }

  /** Returns the event that the provider failed and the request is repeated. */
  showRetry(turn: number, problem: string, waitMs: number, adapter?: string): RunDelta {
    return omitUndefined({ kind: 'retry', turn, waitMs, problem: this.#redaction.redact(problem), adapter });
  }

  /** Returns the event that a call is about to run. @param position its place in the answer, from 0 */
  showBegun(turn: number, position: number, call: ToolCall): RunDelta {
    return { ...this.showCall(call), kind: 'begun', turn, call: createCallId(turn, position) };
  }

  /** Returns the event that a handler reported progress. @param progress without secrets */
  showProgress(
    turn: number,
    position: number,
    { id, name }: ToolCall,
    { fraction, message }: ToolProgress,
  ): RunDelta & ProgressDelta {
    const value = omitUndefined({ fraction, message: message && cut(message, MAX_PROGRESS_CHARS) });
    return { kind: 'progress', turn, call: createCallId(turn, position), id, name, value };
  }

  /** Returns an entry as clients get it; undefined for one that is not shown. @param seq its place in the log */
  show(given: RunEntry, seq: number | undefined): ShownEntry | undefined {
    const entry = upgradeEntry(given);
    if (entry.kind === 'answer') this.#answer = entry;
    const place = omitUndefined({ turn: this.#answer.turn, seq });
    switch (entry.kind) {
      case 'answer': {
        const { kind, text, toolCalls, finishReason, usage } = entry;
        return { kind, ...place, text, toolCalls: toolCalls.map((call) => this.showCall(call)), finishReason, usage };
      }
      case 'outcome': {
        const { kind, call, name, outcome, opened } = entry;
        const message = this.#message(entry.message, this.#answer.toolCalls[parsePosition(call)]);
        return omitUndefined({ kind, ...place, call, name, outcome, message, opened });
      }
      case 'note':
        return { kind: 'note', ...place, about: entry.about, message: this.#message(entry.message) };
      case 'steering':
        return { kind: 'steering', ...place, id: entry.id, message: this.#message(entry.message) };
      case 'question': {
        const { kind, id, call, name, arguments: given, about, askedAt, shown, reason } = entry;
        const args = this.showCall({ id, name, arguments: given }).arguments;
        const question = { kind, ...place, id, call, name, arguments: args };
        const why = reason && this.#redaction.redact(reason);
        return omitUndefined({ ...question, about, askedAt, shown, reason: why });
      }
      case 'reply': {
        const { kind, question, call, reply } = entry;
        return { kind, ...place, question, call, reply: this.#showReply(call, reply) };
      }
      case 'end': {
        const { kind, run, how, problem } = entry;
        const messages = entry.messages.map((message) => this.#message(message));
        const why = problem && this.#redaction.redact(problem);
        return omitUndefined({ kind, ...place, run, how, problem: why, messages });
      }
      default:
        return undefined;
    }
  }

  /** Returns an entry for a reader of the whole conversation; undefined for one that is not shown. */
  showInHistory(given: RunEntry, seq: number): HistoryEntry | undefined {
    if (given.kind !== 'run') return this.show(given, seq);
    // Turns are counted anew in each run.
    this.#answer = { turn: 0, toolCalls: [] };
    const { kind, run, messages } = given;
    return { kind, turn: 0, seq, run, messages: messages.map((message) => this.#message(message)) };
  }

  /** Returns a reply without secrets: arguments that a person wrote are hidden as the model's own. */
  #showReply(call: string, reply: QuestionReply): QuestionReply {
    if (reply.kind !== 'approved' || reply.arguments === undefined) return this.#redaction.redact(reply);
    const { arguments: edited, ...rest } = reply;
    const { id = '', name = '' } = this.#answer.toolCalls[parsePosition(call)] ?? {};
    const shown = this.showCall({ id, name, arguments: edited }).arguments as typeof edited;
    return { ...this.#redaction.redact(rest), arguments: shown };
  }

  /** Returns a message as the transcript has it. @param call the call that it answers */
  #message<M extends Message>(message: M, call?: ToolCall): M {
    const calls: readonly Message[] =
      call === undefined ? [] : [{ role: 'assistant', content: null, toolCalls: [call] }];
    const shown = this.#redaction.redactTranscript([...calls, message], this.#offer.toolsByName).at(-1) as M;
    return this.#keepsBytes ? { ...shown, ...this.#findBytes(message, shown) } : shown;
  }

  /** Returns the parts of a message with their bytes, which are not searched for secrets. */
  #findBytes(message: Message, shown: Message): { readonly parts?: readonly ContentPart[] } {
    if (!('parts' in message) || message.parts === undefined || !('parts' in shown)) return {};
    return {
      parts: message.parts.flatMap((part, index) =>
        'data' in part && part.data !== undefined ? this.#showFile(part) : (shown.parts?.[index] ?? []),
      ),
    };
  }

  #showFile(part: ContentPart): ContentPart {
    if (part.kind !== 'file' || part.name === undefined) return part;
    return { ...part, name: this.#redaction.redact(part.name) };
  }
}
