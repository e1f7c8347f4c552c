import { inspect } from 'node:util';
import colors from 'picocolors';

type Colors = ReturnType<typeof colors.createColors>;

/** The parts of a stream that are written to. */
export interface OutStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

/** Standard output and standard error of a command: data on the first, everything else on the second. */
export class Terminal {
  readonly #out: OutStream;
  readonly #err: OutStream;
  /** Colours of standard output. */
  readonly colors: Colors;
  /** Colours of standard error. */
  readonly noteColors: Colors;

  constructor(out: OutStream, err: OutStream, environment: Readonly<Record<string, string | undefined>>) {
    this.#out = out;
    this.#err = err;
    this.colors = colors.createColors(hasColors(out, environment));
    this.noteColors = colors.createColors(hasColors(err, environment));
  }

  /** The width of standard output in columns; 80 where it is no terminal, or one that does not say. */
  get width(): number {
    const { columns = 0 } = this.#out;
    return columns > 0 ? columns : 80;
  }

  /** True if a person reads standard output. */
  get isInteractive(): boolean {
    return this.#out.isTTY === true;
  }

  /** Writes text of the command's result, as it is. */
  write(text: string): void {
    this.#out.write(text);
  }

  /** Writes a line, or several, of the command's result. */
  data(text: string): void {
    this.#out.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  json(value: unknown): void {
    this.data(JSON.stringify(value, null, 2));
  }

  /** Writes something beside the result. */
  note(text: string): void {
    this.#err.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** Shows a value as a person reads it. */
  shown(value: unknown): string {
    return inspect(value, {
      depth: 6,
      breakLength: Math.max(40, this.width - 8),
      colors: this.colors.isColorSupported,
    });
  }
}

function hasColors(
  stream: OutStream,
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
): boolean {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '' && FORCE_COLOR !== '0') return true;
  return stream.isTTY === true && TERM !== 'dumb';
}

/** Text of a model or a file without the controls that a terminal would act on; line ends and tabs stay. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (control) =>
    control === '\r' ? '' : `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
