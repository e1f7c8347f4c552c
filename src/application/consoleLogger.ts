import type { Logger } from '../interface/Logger.js';

/** Writes warnings and errors to standard error, nothing else: the default logger of applications. */
export const consoleLogger: Logger = Object.freeze<Logger>({
  debug: () => undefined,
  info: () => undefined,
  warn: (message) => {
    console.warn(`toolwright: ${message}`);
  },
  error: (message) => {
    console.error(`toolwright: ${message}`);
  },
});
