import { Logger as HostLogger } from '@nestjs/common';
import type { Logger } from 'toolwright';

/**
 * Returns a logger that writes to Nest's logger. Of the fields, it writes only the stack of the error, because errors may hold values
 * such as the parameters of a statement.
 */
export function createNestLogger(): Logger {
  const host = new HostLogger('Toolwright');
  return {
    debug: (message) => {
      host.debug(message);
    },
    info: (message) => {
      host.log(message);
    },
    warn: (message, fields) => {
      host.warn(withStack(message, fields));
    },
    error: (message, fields) => {
      host.error(withStack(message, fields));
    },
  };
}

function withStack(message: string, { error }: Readonly<Record<string, unknown>> = {}): string {
  const stack = error instanceof Error && typeof error.stack === 'string' ? error.stack : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return [message, ...frames].join('\n');
}
