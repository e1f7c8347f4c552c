import colors from 'picocolors';
import { escapeJson } from 'toolwright/internal/light';
import { block, type TerminalText, bold, joinLines, line } from './TerminalText.js';

type Colors = ReturnType<typeof colors.createColors>;

/** The parts of a stream that are written to. */
export interface OutStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/**
 * Standard output and standard error of a command: data on the first, everything else on the second. It is the only way to both,
 * and makes controls visible: names and texts of models, tools and files cannot act on the terminal. A string may have several
 * lines; `line` keeps values within theirs, and has colours.
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

  /** The width of standard output in columns; 80 if it is not a terminal, or does not say. */
  get width(): number {
    const { columns = 0 } = this.#out;
    return columns > 0 ? columns : 80;
  }

  /** True if a person reads standard output. */
  get isInteractive(): boolean {
    return this.#out.isTTY === true;
  }

  /** True if a person reads both outputs, and no pipe or file gets any of them. */
  get isPrivate(): boolean {
    return this.#out.isTTY === true && this.#err.isTTY === true;
  }

  /** Writes a part of the command's result, which may be a part of a line. */
  write(text: TerminalText | string): void {
    this.#out.write(render(text, this.#paint));
  }

  /** Writes a line of the command's result, or several. */
  data(text: TerminalText | string): void {
    this.#out.write(endLine(render(text, this.#paint)));
  }

  /** Writes the command's result for a file or another program, byte for byte; visible controls where a person reads it. */
  exact(text: string): void {
    if (this.isInteractive) this.data(text);
    else this.#out.write(endLine(text));
  }

  /** Writes a value as JSON. */
  json(value: unknown): void {
    this.#out.write(`${escapeJson(JSON.stringify(value, null, 2))}\n`);
  }

  /** Writes a value as JSON of one line: an event of a stream. */
  jsonLine(value: unknown): void {
    this.#out.write(`${escapeJson(JSON.stringify(value))}\n`);
  }

  /** Writes something beside the result. */
  note(text: TerminalText | string): void {
    this.#err.write(endLine(this.forNotes(text)));
  }

  /** Renders a text with the colours of standard error, for a library that writes there itself. */
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
