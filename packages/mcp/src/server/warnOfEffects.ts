import type { Logger } from 'toolwright';

/** Warns once of each tool that asks after effects. */
export function warnOfEffects(
  { askedLate, logger }: { readonly askedLate: Set<string>; readonly logger: Logger },
  name: string,
): void {
  if (askedLate.has(name)) return;
  askedLate.add(name);
  logger.warn(
    `MCP: the handler of ${name} asked its client, and runs again from its start with the answer. Effects outside its transaction are repeated then. Let it ask before them, or declare the hint idempotent (effects with the idempotency key of the call) or openWorld: false (no effects elsewhere).`,
  );
}
