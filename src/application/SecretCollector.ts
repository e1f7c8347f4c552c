import type { Redaction } from '../dispatch/redact/Redaction.js';
import type { InterceptedToolCall, Interceptor, Next } from '../interface/Interceptor.js';

/**
 * Collects the secrets of calls, including calls of handlers, and hides them in the results, changes and messages that
 * the calls share.
 */
export class SecretCollector implements Interceptor {
  readonly #redaction: Redaction;
  readonly #texts = new Set<string>();

  constructor(redaction: Redaction) {
    this.#redaction = redaction;
  }

  async aroundCall({ secrets }: InterceptedToolCall, next: Next<unknown>): Promise<void> {
    for (const text of secrets?.() ?? []) this.#texts.add(text);
    await next();
  }

  /** Returns a redacted copy of the value without the secrets of the calls so far. */
  hideSecrets<T>(value: T): T {
    return this.#redaction.ofTexts(this.#texts)?.redact(value) ?? value;
  }
}
