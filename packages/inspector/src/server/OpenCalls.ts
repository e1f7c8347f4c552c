import type { InterceptedToolCall, Interceptor, Next } from 'toolwright/policies';

/** Tracks the calls of an application that have not ended, for the approvals they wait for. */
export class OpenCalls implements Interceptor {
  readonly #calls = new Map<string, InterceptedToolCall>();

  async aroundCall(open: InterceptedToolCall, next: Next<unknown>): Promise<void> {
    this.#calls.set(open.call.id, open);
    try {
      await next();
    } finally {
      this.#calls.delete(open.call.id);
    }
  }

  of(callId: string): InterceptedToolCall | undefined {
    return this.#calls.get(callId);
  }
}
