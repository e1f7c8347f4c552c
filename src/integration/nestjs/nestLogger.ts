import { Logger as HostLogger } from '@nestjs/common';
import type { Logger } from '../../interface/Logger.js';

/** Logs to Nest's own logger, without the fields, which may hold whole errors. */
export function nestLogger(): Logger {
  const host = new HostLogger('Toolwright');
  return {
    debug: (message) => {
      host.debug(message);
    },
    info: (message) => {
      host.log(message);
    },
    warn: (message) => {
      host.warn(message);
    },
    error: (message) => {
      host.error(message);
    },
  };
}
