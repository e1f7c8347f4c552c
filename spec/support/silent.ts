import type { Logger } from 'toolwright';

/** For tests whose tools fail on purpose. */
export const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
