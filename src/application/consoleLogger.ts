import { escapeLine } from '../common/escapeControls.js';
import type { Logger } from '../interface/ports.js';

/**
 * Writes warnings and errors to standard error, and nothing else: the default logger of applications. Each entry is one line, and
 * controls in it are visible: names and arguments of models cannot forge an entry, or act on the terminal.
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
  // The console reads a first argument as a format only where another one follows.
  return escapeLine(`toolwright: ${message}`);
}
