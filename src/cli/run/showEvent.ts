import type { StreamEvent } from '../../evaluate/stream/StreamEvent.js';
import { printable, type Terminal } from '../Terminal.js';

const SHOWN = 200;

/** Shows the events of a run: what the model says on standard output, everything else beside it. */
export class EventView {
  readonly #terminal: Terminal;
  readonly #json: boolean;
  #inText = false;

  constructor(terminal: Terminal, json: boolean) {
    this.#terminal = terminal;
    this.#json = json;
  }

  show(event: StreamEvent): void {
    if (this.#json) {
      this.#line(event);
      return;
    }
    const { noteColors: colors } = this.#terminal;
    switch (event.kind) {
      case 'text':
        this.#inText = true;
        this.#terminal.write(printable(event.text));
        return;
      case 'tool_started':
        this.#note(`${colors.cyan('→')} ${colors.bold(event.call.name)} ${colors.dim(short(event.call.arguments))}`);
        return;
      case 'tool_ended': {
        const sign = event.success ? colors.green('✔') : colors.red(`✘ ${event.outcome}`);
        this.#note(`${sign} ${colors.dim(short(event.text))}`);
        return;
      }
      case 'retry': {
        const again = `again in ${String(event.waitMs)} ms`;
        this.#note(colors.yellow(`The provider failed (${event.problem}), ${again}.`));
        return;
      }
      case 'sections_opened':
        this.#note(colors.cyan(`opened ${event.sections.join(', ')}`));
        return;
      case 'note':
        this.#note(colors.yellow(short(event.text)));
        return;
      default:
    }
  }

  /** Ends the line of what the model says. */
  endText(): void {
    if (this.#inText) this.#terminal.write('\n');
    this.#inText = false;
  }

  #note(text: string): void {
    this.endText();
    this.#terminal.note(text);
  }

  #line(event: StreamEvent): void {
    if (event.kind === 'done') {
      const { text, usage, output } = event.response;
      this.#terminal.data(JSON.stringify({ kind: 'done', text, usage, output }));
      return;
    }
    this.#terminal.data(JSON.stringify(event));
  }
}

function short(value: unknown): string {
  const text = printable(typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}
