import { describeValue, joinBounded, quote } from '../../../common/text.js';
import type { RunEntry } from '../../../interface/RunEntry.js';
import { findFirstPositions } from '../../../value/ToolCall.js';
import type { Message } from '../../../value/Message.js';
import { createCallId, parsePosition } from './listOpenCalls.js';

/**
 * Follows the entries of a log, and says where some must be missing: what is recorded of a run is served in its place, and with a
 * gap it would be taken for what the run did next. The cost of an entry does not depend on the number of entries before it.
 */
export class EntrySequence {
  #run: string | undefined;
  #answer: RunEntry<'answer'> | undefined;
  /** The ids of its calls without an outcome. */
  readonly #open = new Set<string>();
  /** The ids of its calls with one. */
  readonly #ended = new Set<string>();
  /** The ids of the questions about its calls that have a reply. */
  readonly #replied = new Set<string>();
  /** The ids of the questions of any run whose denial holds until it is lifted. */
  readonly #held = new Set<string>();

  /** Finds the problem of the place of an entry, whose fields are of the right types; undefined if there is none. */
  next(entry: RunEntry): string | undefined {
    switch (entry.kind) {
      case 'conversation':
      case 'model':
        return undefined;
      case 'run':
        return this.#checkBegin(entry.run);
      case 'segment':
        return this.#run === undefined ? undefined : this.#checkTurn('a segment', entry.turn, this.#turn + 1);
      case 'end':
        return this.#checkEnd(entry);
      case 'answer':
        return this.#checkAnswer(entry);
      case 'verdict':
      case 'note':
      case 'steering':
        return (
          this.#checkRun(entry) ??
          this.#checkTurn(`a ${entry.kind}`, entry.turn, this.#turn) ??
          this.#checkUnanswered(`a ${entry.kind}`)
        );
      case 'reply':
        return entry.reply.kind === 'lifted'
          ? this.#checkLift(entry)
          : (this.#checkRun(entry) ?? this.#checkCall(entry.kind, entry.call) ?? this.#checkReply(entry));
      case 'outcome':
        return this.#checkRun(entry) ?? this.#checkCall(entry.kind, entry.call) ?? this.#checkOutcome(entry);
      default:
        return this.#checkRun(entry) ?? this.#checkCall(entry.kind, entry.call);
    }
  }

  get #turn(): number {
    return this.#answer?.turn ?? 0;
  }

  #checkBegin(run: string): string | undefined {
    const problem =
      this.#run === undefined ? undefined : `the run ${quote(run)} begins before ${quote(this.#run)} ends`;
    this.#run = run;
    this.#setAnswer(undefined);
    return problem;
  }

  #checkAnswer(answer: RunEntry<'answer'>): string | undefined {
    const problem =
      this.#checkRun(answer) ??
      this.#checkTurn('an answer', answer.turn, this.#turn + 1) ??
      this.#checkUnanswered('an answer');
    this.#setAnswer(answer);
    return problem;
  }

  #setAnswer(answer: RunEntry<'answer'> | undefined): void {
    this.#answer = answer;
    this.#open.clear();
    this.#ended.clear();
    this.#replied.clear();
    if (answer === undefined) return;
    for (const position of findFirstPositions(answer.toolCalls)) this.#open.add(createCallId(answer.turn, position));
  }

  #checkRun({ kind }: RunEntry): string | undefined {
    return this.#run === undefined ? `an entry "${kind}" outside of a run` : undefined;
  }

  #checkTurn(what: string, turn: number, expected: number): string | undefined {
    if (turn === expected && turn > 0) return undefined;
    const last = this.#answer === undefined ? 'no answer' : `the answer of turn ${String(this.#turn)}`;
    return `${what} of turn ${describeTurn(turn)} follows ${last}: entries are missing, or of another run`;
  }

  #checkUnanswered(what: string): string | undefined {
    const [open] = this.#open;
    return open === undefined ? undefined : `${what} follows the call ${open}, whose outcome is missing`;
  }

  #checkCall(kind: string, call: string): string | undefined {
    const position = parsePosition(call);
    const { toolCalls = [] } = this.#answer ?? {};
    // Written otherwise, such as 2.01, it would name no call to those who look it up.
    if (toolCalls[position] === undefined || call !== createCallId(this.#turn, position)) {
      const last =
        this.#answer === undefined
          ? 'there is no answer before it'
          : `the last answer is of turn ${String(this.#turn)}`;
      return `an entry "${kind}" about the call ${quote(call)}: ${last}, and has no such call`;
    }
    return undefined;
  }

  #checkOutcome({ call }: RunEntry<'outcome'>): string | undefined {
    if (this.#ended.has(call)) return `a second outcome of the call ${call}`;
    this.#ended.add(call);
    this.#open.delete(call);
    return undefined;
  }

  /** A provider refuses a result for a call that it has not made. */
  #checkSameCall(message: Message, call: string, place: string): string | undefined {
    const expected = this.#answer?.toolCalls[parsePosition(call)]?.id;
    const got = message.role === 'tool' ? message.toolCallId : undefined;
    if (got === expected) return undefined;
    return `${place}.toolCallId: expected ${describeValue(expected)}, the id of the call ${call}, got ${describeValue(got)}`;
  }

  #checkReply({ question, reply }: RunEntry<'reply'>): string | undefined {
    if (this.#replied.has(question)) return `a second reply to the question ${quote(question)}`;
    this.#replied.add(question);
    if (reply.kind === 'denied' && reply.until === 'lifted') this.#held.add(question);
    return undefined;
  }

  /** A denial may be lifted long after its run. */
  #checkLift({ question }: RunEntry<'reply'>): string | undefined {
    if (this.#held.delete(question)) return undefined;
    return `a reply that lifts a denial of the question ${quote(question)}, where no denial holds`;
  }

  #checkEnd({ run, messages }: RunEntry<'end'>): string | undefined {
    const isOther = run !== this.#run;
    this.#run = undefined;
    if (isOther) return 'a run ends that has not begun';
    if (isStoppedAnswer(messages) && this.#open.size === 0) return undefined;
    if (this.#open.size === messages.length) {
      const problems = [...this.#open].map((call, at) => {
        const message = messages[at];
        return message && this.#checkSameCall(message, call, `messages[${String(at)}]`);
      });
      return problems.find((problem) => problem !== undefined);
    }
    const calls = this.#open.size === 0 ? '0' : joinBounded([...this.#open]);
    return `the end answers ${String(messages.length)} calls, and without an outcome are ${calls}: entries are missing`;
  }
}

/** True for the text of an answer during which the run was stopped. */
function isStoppedAnswer([message, ...others]: readonly Message[]): boolean {
  if (message?.role !== 'assistant' || others.length > 0) return false;
  return message.content !== null && (message.toolCalls ?? []).length === 0;
}

function describeTurn(turn: number): string {
  return Number.isSafeInteger(turn) ? String(turn) : describeValue(turn);
}
