import type { Terminal } from './Terminal.js';
import { bold, joinLines, line } from './TerminalText.js';

/** Says which commands to run next. */
export function showSteps(terminal: Terminal, steps: readonly string[]): void {
  terminal.note(line`\n${joinLines(steps.map((step) => line`  ${bold(step)}`))}`);
}
