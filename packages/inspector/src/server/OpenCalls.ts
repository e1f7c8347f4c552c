import { Session } from 'toolwright';
import type { InterceptedToolCall, Interceptor, Next } from 'toolwright/policies';

/** A call that has not ended. */
export interface OpenCall {
  readonly session: Session | undefined;
  /** The arguments without secret params. */
  readonly arguments: unknown;
  /** Returns a text without the secrets of the call. */
  recorded(text: string): string;
}

/** Tracks the calls of an application that have not ended, for the approvals they wait for. */
export class OpenCalls implements Interceptor {
  readonly #calls = new Map<string, OpenCall>();

  async aroundCall(incoming: InterceptedToolCall, next: Next<unknown>): Promise<void> {
    const { call, session } = incoming;
    this.#calls.set(call.id, {
      session: session instanceof Session ? session : undefined,
      arguments: incoming.recordedCall().arguments,
      recorded: (text) => incoming.recorded(text),
    });
    try {
      await next();
    } finally {
      this.#calls.delete(call.id);
    }
  }

  of(callId: string): OpenCall | undefined {
    return this.#calls.get(callId);
  }
}
