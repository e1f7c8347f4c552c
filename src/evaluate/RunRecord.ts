import type { JsonValue } from '../common/types.js';
import type { TurnRecord } from '../dispatch/TurnRecord.js';
import { textWithFeedback } from '../dispatch/messages.js';
import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { VisibilityExpansionRequired } from '../error/VisibilityExpansionRequired.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { CompletionVerdict } from '../interface/CompletionChecker.js';
import type {
  AnswerJudged,
  CallEnded,
  CallGuided,
  Journal,
  JournalEntry,
  ModelAnswered,
  RunBegan,
} from '../interface/Journal.js';
import type { ModelResponse } from '../interface/ModelAdapter.js';
import type { Session } from '../session/Session.js';
import type { SessionTransaction } from '../session/SessionTransaction.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import { ToolResult } from '../value/ToolResult.js';

/** What a run is recorded with. */
export interface RecordOptions {
  readonly journal: Journal;
  /** Continue the run that the journal holds, if it holds one. */
  readonly resume: boolean;
  readonly session: Session;
  /** `ns/key`. */
  readonly prompt: string;
}

/**
 * The record of one run: what an earlier process has written down is answered from it, and everything new is written down
 * (docs/contract.md, 10 and 16).
 */
export class RunRecord {
  readonly #journal: Journal;
  readonly #session: Session;
  readonly #prompt: string;
  readonly #began: RunBegan | undefined;
  readonly #answers = new Map<number, ModelAnswered>();
  readonly #calls = new Map<string, CallEnded>();
  readonly #guidance = new Map<string, readonly CallGuided[]>();
  readonly #verdicts = new Map<number, AnswerJudged>();

  /**
   * Reads the journal, and gives the session the state that it had last.
   *
   * @throws PromptEvaluationError E709, SessionError E806
   */
  constructor({ journal, resume, session, prompt }: RecordOptions) {
    this.#journal = journal;
    this.#session = session;
    this.#prompt = prompt;
    const entries = journal.entries();
    if (entries.length > 0 && !resume) throw misfit('the journal holds a run already, and resume is not set');
    this.#began = this.#read(entries);
    const state = stateAfter(entries);
    if (state !== null) session.load(state);
  }

  /** The id of the run that is continued. */
  get run(): string | undefined {
    return this.#began?.run;
  }

  /** The system message of the run that is continued. */
  get text(): string | undefined {
    return this.#began?.text;
  }

  /** Writes down that a run begins, unless it is continued. */
  begin(run: string, text: string): void {
    if (this.#began !== undefined) return;
    this.#append({ kind: 'run', version: 1, run, prompt: this.#prompt, text, session: this.#state(undefined) });
  }

  /** What the model answered to a request: from the record, or asked now and written down. */
  async answer(turn: number, ask: () => Promise<ModelResponse>): Promise<ModelResponse> {
    const recorded = this.#answers.get(turn);
    if (recorded !== undefined) return recorded;
    const response = await ask();
    const { text, toolCalls, finishReason, usage, native } = response;
    const entry = { kind: 'answer', turn, text, toolCalls, finishReason, usage } as const;
    this.#append(native === undefined ? entry : { ...entry, native });
    return response;
  }

  /** What was found of the answer to a request in an earlier process. */
  verdict(turn: number): CompletionVerdict | undefined {
    return this.#verdicts.get(turn);
  }

  /** Writes down what was found of an answer. */
  judged(turn: number, { complete, feedback = '' }: CompletionVerdict): void {
    this.#append({ kind: 'verdict', turn, complete, feedback });
  }

  turn(turn: number): TurnRecord {
    const guidance = (position: number): readonly CallGuided[] => this.#guidance.get(placeOf(turn, position)) ?? [];
    return {
      recorded: (position) => {
        const ended = this.#calls.get(placeOf(turn, position));
        return ended === undefined ? undefined : outcomeOf(ended, guidance(position));
      },
      spoke: (position) => guidance(position).map(({ by }) => by),
      guide: (position, by, text) => {
        this.#append({ kind: 'feedback', turn, position, by, text });
      },
      opened: (position) => this.#calls.get(placeOf(turn, position))?.opened ?? 0,
      record: (position, { name }, outcome, changes) => {
        const { kind, text } = outcome;
        const session = changes === undefined ? null : this.#state(changes);
        const opened = kind === 'expanded' ? openedBy(outcome.error) : undefined;
        const entry = { kind: 'call', turn, position, name, outcome: kind, text, session } as const;
        this.#append(opened === undefined ? entry : { ...entry, opened });
      },
    };
  }

  #read(entries: readonly JournalEntry[]): RunBegan | undefined {
    const [began, ...rest] = entries;
    if (began === undefined) return undefined;
    if (began.kind !== 'run' || (began.version as number) !== 1)
      throw misfit('it does not begin with a run of version 1');
    if (began.prompt !== this.#prompt)
      throw misfit(`it holds a run of ${began.prompt}, and this one is of ${this.#prompt}`);
    for (const entry of rest) this.#keep(entry);
    return began;
  }

  #keep(entry: JournalEntry): void {
    switch (entry.kind) {
      case 'answer':
        this.#answers.set(entry.turn, entry);
        return;
      case 'call':
        this.#calls.set(placeOf(entry.turn, entry.position), entry);
        return;
      case 'feedback': {
        const place = placeOf(entry.turn, entry.position);
        this.#guidance.set(place, [...(this.#guidance.get(place) ?? []), entry]);
        return;
      }
      case 'verdict':
        this.#verdicts.set(entry.turn, entry);
        return;
      default:
        throw misfit('it holds more than one run');
    }
  }

  #state(changes: SessionTransaction | undefined): JsonValue {
    try {
      return this.#session.toJSON({ with: changes }) as unknown as JsonValue;
    } catch (cause) {
      throw misfit(`the session could not be written down: ${messageOf(cause)}`, cause);
    }
  }

  #append(entry: JournalEntry): void {
    try {
      this.#journal.append(entry);
    } catch (cause) {
      if (ToolwrightError.is(cause)) throw cause;
      throw misfit(`it could not be written: ${messageOf(cause)}`, cause);
    }
  }
}

/** A call that was recorded as successful and then failed to commit has a second entry, and has changed nothing. */
function stateAfter(entries: readonly JournalEntry[]): JsonValue {
  const last = new Map(
    entries.map((entry) => [entry.kind === 'call' ? placeOf(entry.turn, entry.position) : entry, entry]),
  );
  return [...last.values()].reduce<JsonValue>(
    (state, entry) => ('session' in entry ? (entry.session ?? state) : state),
    null,
  );
}

function openedBy(request: unknown): number | undefined {
  return VisibilityExpansionRequired.is(request) ? Object.keys(request.requestedOverrides).length : undefined;
}

function placeOf(turn: number, position: number): string {
  return `${String(turn)}/${String(position)}`;
}

function outcomeOf({ outcome: kind, text: own }: CallEnded, guidance: readonly CallGuided[]): ToolOutcome {
  const text = textWithFeedback(
    own,
    guidance.map((given) => given.text),
  );
  return {
    kind,
    text,
    result: new ToolResult({ message: text, success: kind === 'succeeded' || kind === 'expanded' }),
  };
}

function misfit(problem: string, cause?: unknown): PromptEvaluationError {
  return new PromptEvaluationError(`The journal does not fit: ${problem}.`, { phase: 'tool', code: 'E709', cause });
}
