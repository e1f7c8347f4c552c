import { MAX_ANSWER_ISSUE_CHARS } from '../../common/limits.js';
import { OutputParseError } from '../../error/OutputParseError.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { FinishReason, ModelResponse } from '../../interface/ModelAdapter.js';
import type { OutputMetadata } from '../../metadata/OutputMetadata.js';

/** Finish reasons after which asking again would not help. */
const STOPPED: Partial<Record<FinishReason, string>> = {
  refusal: 'the model declined to answer',
  length: 'the answer was cut short by the output limit',
  content_filter: 'the answer was stopped by a content filter',
};

/** The parsed answer, or the feedback for the model if it cannot be parsed. */
export type ReadAnswer = { readonly output: unknown } | { readonly feedback: string };

/** Parses the final answers of one run into the output that was asked for (docs/contract.md, 14). */
export class AnswerReader {
  readonly #output: OutputMetadata | null;
  #isReturned = false;

  /** @param output null if any text is an answer */
  constructor(output: OutputMetadata | null) {
    this.#output = output;
  }

  /**
   * Parses an answer. The model gets feedback on a wrong answer once.
   *
   * @param mayAsk true if the run has another request left
   * @throws OutputParseError for the second answer that cannot be parsed, and if feedback would not help
   */
  read({ text, finishReason }: ModelResponse, mayAsk: boolean): ReadAnswer {
    if (this.#output === null) return { output: undefined };
    const rawText = text ?? '';
    const parsed = this.#output.read(rawText);
    if (parsed.ok) {
      this.#isReturned = false;
      return { output: parsed.value };
    }
    const { label } = this.#output;
    const { issues } = parsed;
    const stopped = STOPPED[finishReason];
    if (this.#isReturned || !mayAsk || stopped !== undefined) {
      throw new OutputParseError({ expected: label, rawText, issues, stopped });
    }
    this.#isReturned = true;
    return { feedback: describeUnreadable(label, issues) };
  }
}

function describeUnreadable(label: string, issues: readonly ParamIssue[]): string {
  const lines = issues.map(({ path, message }) => `- ${path === '' ? 'answer' : path}: ${message}`.slice(0, 300));
  const shown: string[] = [];
  let room = MAX_ANSWER_ISSUE_CHARS;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    shown.push(line);
  }
  if (shown.length < lines.length) shown.push(`- and ${String(lines.length - shown.length)} more`);
  return `[Your answer could not be read as ${label}:\n${shown.join('\n')}\nGive your whole answer again, corrected, as JSON and nothing else.]`;
}
