import { OutputParseError } from '../error/OutputParseError.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { FinishReason, ModelResponse } from '../interface/ModelAdapter.js';
import type { OutputMetadata } from '../metadata/OutputMetadata.js';

/** Why a model could not finish, or would not: asked again, it would do the same. */
const STOPPED: Partial<Record<FinishReason, string>> = {
  refusal: 'the model declined to answer',
  length: 'the answer was cut short by the output limit',
  content_filter: 'the answer was stopped by a content filter',
};

/** Characters of issues that the model reads. */
const MOST = 2_000;

/** What an answer was read into, or what the model is told of one that cannot be read. */
export type ReadAnswer = { readonly output: unknown } | { readonly feedback: string };

/** Reads the final answers of one run in the form that was asked for (docs/contract.md, 14). */
export class AnswerReader {
  readonly #output: OutputMetadata | null;
  #told = false;

  /** @param output null when any text is an answer */
  constructor(output: OutputMetadata | null) {
    this.#output = output;
  }

  /**
   * The model is told once what is wrong with an answer.
   *
   * @param mayAsk whether the run has another request left
   * @throws OutputParseError for the next unreadable one, and when telling would not help
   */
  read({ text, finishReason }: ModelResponse, mayAsk: boolean): ReadAnswer {
    if (this.#output === null) return { output: undefined };
    const rawText = text ?? '';
    const parsed = this.#output.read(rawText);
    if (parsed.ok) {
      this.#told = false;
      return { output: parsed.value };
    }
    const { label } = this.#output;
    const { issues } = parsed;
    const stopped = STOPPED[finishReason];
    if (this.#told || !mayAsk || stopped !== undefined) {
      throw new OutputParseError({ expected: label, rawText, issues, stopped });
    }
    this.#told = true;
    return { feedback: unreadableText(label, issues) };
  }
}

function unreadableText(label: string, issues: readonly ParamIssue[]): string {
  const lines = issues.map(({ path, message }) => `- ${path === '' ? 'answer' : path}: ${message}`.slice(0, 300));
  const shown: string[] = [];
  let room = MOST;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    shown.push(line);
  }
  if (shown.length < lines.length) shown.push(`- and ${String(lines.length - shown.length)} more`);
  return `[Your answer could not be read as ${label}:\n${shown.join('\n')}\nGive your whole answer again, corrected, as JSON and nothing else.]`;
}
