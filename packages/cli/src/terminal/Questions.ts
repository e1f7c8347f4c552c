import { stderr, stdin } from 'node:process';
import type { Terminal } from './Terminal.js';
import type { TerminalText } from './TerminalText.js';

/** Asks the person at the terminal, on standard error. Each question returns undefined once the person has left it. */
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
    return given(await confirm({ message: this.#shown(message), initialValue: false, output: stderr }));
  }

  async text(message: string, initialValue?: string): Promise<string | undefined> {
    const { text } = await import('@clack/prompts');
    const initial = initialValue === undefined ? {} : { initialValue };
    return given(await text({ message: this.#shown(message), ...initial, output: stderr }));
  }

  async select(
    message: string,
    options: readonly { readonly value: string; readonly hint: string }[],
  ): Promise<string | undefined> {
    const { select } = await import('@clack/prompts');
    const shown = options.map(({ value, hint }) => ({ value, label: value, hint }));
    return given(await select({ message: this.#shown(message), options: shown, output: stderr }));
  }

  async begin(title: TerminalText): Promise<void> {
    const { intro } = await import('@clack/prompts');
    intro(this.#shown(title), { output: stderr });
  }

  async end(text: string): Promise<void> {
    const { outro } = await import('@clack/prompts');
    outro(this.#shown(text), { output: stderr });
  }

  #shown(text: TerminalText | string): string {
    return this.#terminal.forNotes(text);
  }
}

/** Clack answers with a symbol when the person pressed Ctrl-C. */
function given<T>(answer: T): Exclude<T, symbol> | undefined {
  return typeof answer === 'symbol' ? undefined : (answer as Exclude<T, symbol>);
}
