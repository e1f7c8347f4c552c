export type Tone = 'plain' | 'quiet' | 'strong' | 'good' | 'bad';

// Codes of our own: util.styleText decides by itself whether colours are wanted, and differently in each Node.
const codes: Readonly<Record<Tone, number>> = { plain: 0, strong: 1, quiet: 90, good: 32, bad: 31 };
const width = 79;
const gutter = 10;

/** Prints lines for a person: a name in the left column, the text beside it, nothing wider than 80 columns. */
export class Terminal {
  constructor(
    private readonly print: (line: string) => void,
    private readonly colours: boolean,
  ) {}

  /** Prints a speaker or tool, and the wrapped text. */
  say(who: string, text: string, tone: Tone = 'plain'): void {
    const lines = escapeControls(text)
      .split('\n')
      .flatMap((line) => wrap(line, width - gutter));
    for (const [index, line] of lines.entries()) {
      const name = (index === 0 ? who : '').padEnd(gutter);
      this.print(`${this.paint('strong', name)}${this.paint(tone, line)}`.trimEnd());
    }
  }

  gap(): void {
    this.print('');
  }

  private paint(tone: Tone, text: string): string {
    return this.colours && tone !== 'plain' && text.trim() !== '' ? `\u001b[${codes[tone]}m${text}\u001b[0m` : text;
  }
}

/** Shows control characters instead of sending them: text of a model or a tool must not control the terminal. */
function escapeControls(text: string): string {
  return text.replace(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/g,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Breaks at spaces, and inside words that are longer than a line; each part keeps the indentation of the line. */
function wrap(text: string, room: number): readonly string[] {
  const indent = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = '';
  for (const word of text
    .trim()
    .split(/ +/)
    .flatMap((long) => pieces(long, room - indent.length))) {
    const longer = line === '' ? `${indent}${word}` : `${line} ${word}`;
    if (longer.length <= room) {
      line = longer;
      continue;
    }
    lines.push(line);
    line = `${indent}${word}`;
  }
  return [...lines, line];
}

function pieces(word: string, length: number): readonly string[] {
  return word.length <= length ? [word] : [word.slice(0, length), ...pieces(word.slice(length), length)];
}
