import { escapeLine } from '../common/escapeControls.js';
import type { Logger } from '../interface/ports.js';

/**
 * Writes warnings and errors to standard error: the default logger of applications. Each entry is one line with visible
 * control characters, so that names and arguments of models cannot forge an entry or control the terminal.
 */
export const consoleLogger: Logger = Object.freeze<Logger>({
  debug: () => undefined,
  info: () => undefined,
  warn: (message) => {
    console.warn(formatLogLine(message));
  },
  error: (message) => {
    console.error(formatLogLine(message));
  },
});

function formatLogLine(message: string): string {
  // The console reads its first argument as a format only if another one follows.
  return escapeLine(`toolwright: ${message}`);
}
