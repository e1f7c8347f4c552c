import { describeValue, quote } from '../../common/text.js';
import type { LogEntry, ModelAnswered, RunEnded } from '../../interface/RunStore.js';
import { openCalls } from './openCalls.js';

/**
 * Follows the entries of a log, and says where some must be missing: what is recorded of a run is served in its place, and with a
 * gap it would be taken for what the run did next.
 */
export class EntrySequence {
  #run: string | undefined;
  /** Those of the run that has not ended. */
  #entries: LogEntry[] = [];
  #answer: ModelAnswered | undefined;

  /** Returns what is wrong with the place of an entry, whose fields are of the right types; undefined if nothing is. */
  next(entry: LogEntry): string | undefined {
    if (entry.kind === 'conversation' || entry.kind === 'model') return undefined;
    if (entry.kind === 'run') return this.#begins(entry.run);
    const problem = this.#problem(entry);
    if (entry.kind === 'end') this.#run = undefined;
    if (entry.kind === 'answer') this.#answer = entry;
    this.#entries.push(entry);
    return problem;
  }

  get #turn(): number {
    return this.#answer?.turn ?? 0;
  }

  #begins(run: string): string | undefined {
    const problem =
      this.#run === undefined ? undefined : `the run ${quote(run)} begins before ${quote(this.#run)} ends`;
    this.#run = run;
    this.#entries = [];
    this.#answer = undefined;
    return problem;
  }

  #problem(entry: Exclude<LogEntry, { readonly kind: 'conversation' | 'model' | 'run' }>): string | undefined {
    switch (entry.kind) {
      case 'segment':
        return this.#run === undefined ? undefined : this.#follows('a segment', entry.turn, this.#turn + 1);
      case 'end':
        return this.#ends(entry);
      case 'answer':
        return (
          this.#inRun(entry) ?? this.#follows('an answer', entry.turn, this.#turn + 1) ?? this.#unanswered('an answer')
        );
      case 'verdict':
      case 'note':
        return (
          this.#inRun(entry) ??
          this.#follows(`a ${entry.kind}`, entry.turn, this.#turn) ??
          this.#unanswered(`a ${entry.kind}`)
        );
      default:
        return this.#inRun(entry) ?? this.#ofCall(entry.kind, entry.call);
    }
  }

  #inRun({ kind }: LogEntry): string | undefined {
    return this.#run === undefined ? `an entry "${kind}" outside of a run` : undefined;
  }

  #follows(what: string, turn: number, expected: number): string | undefined {
    if (turn === expected && turn > 0) return undefined;
    const last = this.#answer === undefined ? 'no answer' : `the answer of turn ${String(this.#turn)}`;
    return `${what} of turn ${describeTurn(turn)} follows ${last}: entries are missing, or of another run`;
  }

  #unanswered(what: string): string | undefined {
    const [open] = openCalls(this.#entries);
    return open === undefined ? undefined : `${what} follows the call ${open.id}, whose outcome is missing`;
  }

  #ofCall(kind: string, call: string): string | undefined {
    const [turn, position, ...rest] = call.split('.').map(Number);
    const { toolCalls = [] } = this.#answer ?? {};
    if (turn !== this.#turn || position === undefined || rest.length > 0 || toolCalls[position] === undefined) {
      const last =
        this.#answer === undefined
          ? 'there is no answer before it'
          : `the last answer is of turn ${String(this.#turn)}`;
      return `an entry "${kind}" about the call ${quote(call)}: ${last}, and has no such call`;
    }
    const isEnded = kind === 'outcome' && this.#entries.some((one) => one.kind === 'outcome' && one.call === call);
    return isEnded ? `a second outcome of the call ${call}` : undefined;
  }

  #ends({ run, messages }: RunEnded): string | undefined {
    if (run !== this.#run) return 'a run ends that has not begun';
    const open = openCalls(this.#entries);
    if (open.length === messages.length) return undefined;
    const calls = open.map(({ id }) => id).join(', ');
    return `the end answers ${String(messages.length)} calls, and without an outcome are ${calls === '' ? '0' : calls}: entries are missing`;
  }
}

function describeTurn(turn: number): string {
  return Number.isSafeInteger(turn) ? String(turn) : describeValue(turn);
}
