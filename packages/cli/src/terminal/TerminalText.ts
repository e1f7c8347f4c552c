import type colors from 'picocolors';
import { escapeBlock, escapeLine, cut } from 'toolwright/internal/light';

type Colors = ReturnType<typeof colors.createColors>;
type Style = 'bold' | 'cyan' | 'dim' | 'green' | 'magenta' | 'red' | 'yellow';

interface Piece {
  /** The text, without control characters other than line ends and tabs. */
  readonly text: string;
  /** The styles, innermost first. */
  readonly styles: readonly Style[];
}

/** A part of a line: plain text of any origin, which cannot begin another line, or text with styles. */
export type LinePart = string | number | TerminalText;

/** Text that is safe to write to a terminal. Rendered, it contains only the control characters of its own styles. */
export class TerminalText {
  readonly #pieces: readonly Piece[];

  private constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  static ofLine(text: string): TerminalText {
    return new TerminalText([{ text: escapeLine(text), styles: [] }]);
  }

  /** Creates a text of several lines. */
  static ofBlock(text: string): TerminalText {
    return new TerminalText([{ text: escapeBlock(text), styles: [] }]);
  }

  static concat(texts: readonly TerminalText[]): TerminalText {
    return new TerminalText(texts.flatMap((text) => text.#pieces));
  }

  withStyle(style: Style): TerminalText {
    return new TerminalText(this.#pieces.map(({ text, styles }) => ({ text, styles: [...styles, style] })));
  }

  /** Renders the text with the colours of a stream. */
  render(paint: Colors): string {
    return this.#pieces
      .map(({ text, styles }) => styles.reduce((painted, style) => paint[style](painted), text))
      .join('');
  }
}

/** Template tag for a line. Only the literals, which are text of this program, may contain line ends; values stay on their line. */
export function line(literals: TemplateStringsArray, ...values: readonly LinePart[]): TerminalText {
  const texts = literals.flatMap((literal, index) => {
    const value = values[index];
    return value === undefined ? [block(literal)] : [block(literal), textOf(value)];
  });
  return TerminalText.concat(texts);
}

/** Creates a text of several lines, such as the answer of a tool. */
export function block(text: string): TerminalText {
  return TerminalText.ofBlock(text);
}

export function joinLines(texts: readonly TerminalText[]): TerminalText {
  const end = block('\n');
  return TerminalText.concat(texts.flatMap((text, index) => (index === 0 ? [text] : [end, text])));
}

export const bold = styleWith('bold');
export const cyan = styleWith('cyan');
export const dim = styleWith('dim');
export const green = styleWith('green');
export const magenta = styleWith('magenta');
export const red = styleWith('red');
export const yellow = styleWith('yellow');

function styleWith(style: Style): (part: LinePart) => TerminalText {
  return (part) => textOf(part).withStyle(style);
}

function textOf(part: LinePart): TerminalText {
  return part instanceof TerminalText ? part : TerminalText.ofLine(String(part));
}

/** Puts text on one line and cuts it after `limit` characters. */
export function shorten(text: string, limit: number): string {
  const joined = text.replace(/\s+/g, ' ').trim();
  return joined.length > limit ? `${cut(joined, limit)}…` : joined;
}
