import { ignoreRejection } from '../common/classes.js';
import type { Logger } from '../interface/ports.js';

/** Wraps the logger of the host so that it cannot break a run: its errors are dropped. */
export function guardLogger(logger: Logger): Logger {
  const quietly =
    (level: keyof Logger): Logger['warn'] =>
    (message, fields) => {
      try {
        const write: (message: string, fields?: Readonly<Record<string, unknown>>) => unknown =
          logger[level].bind(logger);
        ignoreRejection(write(message, fields));
      } catch {
        // A full disk must not end a tool call, and there is no other place to report it.
      }
    };
  return Object.freeze({
    debug: quietly('debug'),
    info: quietly('info'),
    warn: quietly('warn'),
    error: quietly('error'),
  });
}
