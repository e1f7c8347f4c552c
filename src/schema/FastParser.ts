/** The fast parser's answer to everything that it does not accept at once. */
export const DECLINED: unique symbol = Symbol('declined');

/** Gives the instance, or declines; never wrong when it accepts (docs/decisions/0006). */
export type FastParser = (value: unknown) => unknown;
