/** The fast parser's answer to everything that it does not accept at once. */
export const DECLINED: unique symbol = Symbol('declined');

/** Gives the instance, or declines; never wrong when it accepts (architecture, decision 6). */
export type FastParser = (value: unknown) => unknown;
