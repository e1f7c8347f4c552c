import colors from 'picocolors';
import { escapeJson } from 'toolwright/internal/light';
import { block, type TerminalText, bold, joinLines, line } from './TerminalText.js';

type Colors = ReturnType<typeof colors.createColors>;

export interface OutStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Writes to standard output and standard error: data to the first, everything else to the second. Commands write only through it. It
 * makes control characters visible, so that names and texts of models, tools and files cannot control the terminal. A string may have
 * several lines; `line` keeps each value within one line, and supports colours.
 */
export class Terminal {
  readonly #out: OutStream;
  readonly #err: OutStream;
  readonly #paint: Colors;
  readonly #notePaint: Colors;

  constructor(out: OutStream, err: OutStream, environment: Readonly<Record<string, string | undefined>>) {
    this.#out = out;
    this.#err = err;
    this.#paint = colors.createColors(hasColors(out, environment));
    this.#notePaint = colors.createColors(hasColors(err, environment));
  }

  /** The width of standard output in columns; 80 if it is not a terminal or the width is not known. */
  get width(): number {
    const { columns = 0 } = this.#out;
    return columns > 0 ? columns : 80;
  }

  /** True if a person reads standard output. */
  get isInteractive(): boolean {
    return this.#out.isTTY === true;
  }

  /** True if a person reads both outputs, and neither goes to a pipe or file. */
  get isPrivate(): boolean {
    return this.#out.isTTY === true && this.#err.isTTY === true;
  }

  /** Standard error, for a progress bar that draws no texts of others. Everything else is written with `note`. */
  get progressStream(): OutStream {
    return this.#err;
  }

  /** Writes a part of the command's result without a line end. */
  write(text: TerminalText | string): void {
    this.#out.write(render(text, this.#paint));
  }

  /** Writes one or more lines of the command's result. */
  data(text: TerminalText | string): void {
    this.#out.write(endLine(render(text, this.#paint)));
  }

  /** Writes the command's result unchanged for a file or another program. On a terminal, control characters are made visible. */
  exact(text: string): void {
    if (this.isInteractive) this.data(text);
    else this.#out.write(endLine(text));
  }

  json(value: unknown): void {
    this.#out.write(`${escapeJson(JSON.stringify(value, null, 2))}\n`);
  }

  /** Writes a value as JSON of one line: an event of a stream. */
  jsonLine(value: unknown): void {
    this.#out.write(`${escapeJson(JSON.stringify(value))}\n`);
  }

  /** Writes a note to standard error. */
  note(text: TerminalText | string): void {
    this.#err.write(endLine(this.forNotes(text)));
  }

  /** Renders a text with the colours of standard error, for a library that writes to it. */
  forNotes(text: TerminalText | string): string {
    return render(text, this.#notePaint);
  }
}

function render(text: TerminalText | string, paint: Colors): string {
  return (typeof text === 'string' ? block(text) : text).render(paint);
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

function hasColors(
  stream: OutStream,
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && TERM !== 'dumb';
}

/** Says which commands to run next. */
export function showSteps(terminal: Terminal, steps: readonly string[]): void {
  terminal.note(line`\n${joinLines(steps.map((step) => line`  ${bold(step)}`))}`);
}
