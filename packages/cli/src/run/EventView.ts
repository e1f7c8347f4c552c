import type { StreamEvent } from 'toolwright';
import { MAX_EVENT_CHARS } from '../limits.js';
import { shorten, bold, cyan, dim, green, line, red, yellow, type TerminalText } from '../terminal/TerminalText.js';
import type { Terminal } from '../terminal/Terminal.js';

/** Shows the events of a run: the text of the model on standard output, everything else on standard error. */
export class EventView {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  #inText = false;
  /** A carriage return at the end of a part, until the next part shows whether it belongs to a line end. */
  #held = '';

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
  }

  show(event: StreamEvent): void {
    if (this.#json) {
      this.#writeJsonLine(event);
      return;
    }
    switch (event.kind) {
      case 'text':
        this.#inText = true;
        this.#say(event.text);
        return;
      case 'begun':
        this.#showNote(line`${cyan('→')} ${bold(event.name)} ${dim(shortenValue(event.arguments))}`);
        return;
      case 'outcome': {
        const { message, outcome, opened } = event;
        const sign = message.failed ? red(`✘ ${outcome}`) : green('✔');
        this.#showNote(line`${sign} ${dim(shortenValue(message.content))}`);
        if (opened !== undefined) this.#showNote(cyan(`opened ${opened.join(', ')}`));
        return;
      }
      case 'retry': {
        const next = event.adapter === undefined ? `again in ${String(event.waitMs)} ms` : `${event.adapter} goes on`;
        this.#showNote(yellow(`The provider failed (${event.problem}), ${next}.`));
        return;
      }
      case 'note':
        this.#showNote(yellow(shortenValue(event.message.content)));
        return;
      default:
    }
  }

  endText(): void {
    if (this.#inText) this.#terminal.write(`${this.#held}\n`);
    this.#held = '';
    this.#inText = false;
  }

  #say(text: string): void {
    const all = `${this.#held}${text}`;
    this.#held = all.endsWith('\r') ? '\r' : '';
    this.#terminal.write(all.slice(0, all.length - this.#held.length));
  }

  #showNote(text: TerminalText): void {
    this.endText();
    this.#terminal.note(text);
  }

  #writeJsonLine(event: StreamEvent): void {
    if (event.kind === 'done') {
      const { text, usage, output } = event.response;
      this.#terminal.jsonLine({ kind: 'done', text, usage, output });
      return;
    }
    this.#terminal.jsonLine(event);
  }
}

function shortenValue(value: unknown): string {
  return shorten(typeof value === 'string' ? value : JSON.stringify(value), MAX_EVENT_CHARS);
}
