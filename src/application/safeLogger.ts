import type { Logger } from '../interface/Logger.js';

/** A logger that cannot break a run: what the host's logger throws goes nowhere. */
export function safeLogger(logger: Logger): Logger {
  const quietly =
    (level: keyof Logger): Logger['warn'] =>
    (message, fields) => {
      try {
        logger[level](message, fields);
      } catch {
        // A full disk must not end a tool call, and there is nowhere left to say so.
      }
    };
  return Object.freeze({
    debug: quietly('debug'),
    info: quietly('info'),
    warn: quietly('warn'),
    error: quietly('error'),
  });
}
