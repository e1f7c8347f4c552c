import { stderr, stdin } from 'node:process';
import type { Terminal } from './Terminal.js';
import type { TerminalText } from './TerminalText.js';

/** Asks the person at the terminal, on standard error. Each question returns undefined if the person cancels it. */
export class Questions {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** True if a person can answer. */
  static get canAsk(): boolean {
    return stdin.isTTY;
  }

  async confirm(message: TerminalText): Promise<boolean | undefined> {
    const { confirm } = await import('@clack/prompts');
    return toAnswer(await confirm({ message: this.#formatText(message), initialValue: false, output: stderr }));
  }

  async text(message: string, initialValue?: string): Promise<string | undefined> {
    const { text } = await import('@clack/prompts');
    const initial = initialValue === undefined ? {} : { initialValue };
    return toAnswer(await text({ message: this.#formatText(message), ...initial, output: stderr }));
  }

  async select(
    message: string,
    options: readonly { readonly value: string; readonly hint: string }[],
  ): Promise<string | undefined> {
    const { select } = await import('@clack/prompts');
    const shown = options.map(({ value, hint }) => ({ value, label: value, hint }));
    return toAnswer(await select({ message: this.#formatText(message), options: shown, output: stderr }));
  }

  async begin(title: TerminalText): Promise<void> {
    const { intro } = await import('@clack/prompts');
    intro(this.#formatText(title), { output: stderr });
  }

  async end(text: string): Promise<void> {
    const { outro } = await import('@clack/prompts');
    outro(this.#formatText(text), { output: stderr });
  }

  #formatText(text: TerminalText | string): string {
    return this.#terminal.forNotes(text);
  }
}

/** Converts the symbol that Clack returns after Ctrl-C to undefined. */
function toAnswer<T>(answer: T): Exclude<T, symbol> | undefined {
  return typeof answer === 'symbol' ? undefined : (answer as Exclude<T, symbol>);
}
