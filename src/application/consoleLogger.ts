import type { Logger } from '../interface/Logger.js';

/** Warnings and errors to standard error, nothing else: the logger of applications that name none. */
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
