import type { ModelAdapter } from 'toolwright';
import type { Awaitable } from 'toolwright/types';

/** A call that the provider's model makes. */
export interface ProviderToolUse {
  /** The answer has no id when left out. */
  readonly id?: string | undefined;
  readonly name: string;
  /** JSON text; may be malformed where the provider sends text. */
  readonly arguments: string;
}

/** Tokens as the provider counts them for one answer. */
export interface ProviderUsage {
  readonly input: number;
  readonly output: number;
  /** The part of the input that came from the provider's cache. */
  readonly cached: number;
}

/** The provider's reaction to one request. A double plays it in the provider's own form, streamed on request. */
export type ProviderTurn =
  | {
      readonly kind: 'answer';
      readonly text?: string | undefined;
      readonly calls?: readonly ProviderToolUse[] | undefined;
      /** The reason why the model stopped; `end` when left out, also for calls. */
      readonly stop?: 'end' | 'length' | 'refusal' | undefined;
      readonly usage?: ProviderUsage | undefined;
    }
  /** An error; `retryAfter`, in seconds, is sent as the header `Retry-After`. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message: string;
      readonly retryAfter?: number | undefined;
    }
  /** Status 200, and JSON that is not an answer. */
  | { readonly kind: 'nonsense' }
  /** Sends this text, begins a call, and loses the connection; without a stream, only loses the connection. */
  | { readonly kind: 'cut'; readonly text: string; readonly call: ProviderToolUse }
  /** Accepts the request and never answers. */
  | { readonly kind: 'hang' };

/** A request as the double received it. */
export interface ReceivedByProvider {
  /** Problems for which the provider would refuse the request; empty for a valid one. */
  readonly problems: readonly string[];
  /** The results of tools in the last turn, in order. */
  readonly answers: readonly string[];
  /** True if the request holds the schema of the answer, in the provider's own field or in the text. */
  readonly wantsForm: boolean;
  /** Resolves when the connection closes: to true if the client closed it before the answer was complete. */
  readonly abandoned: Promise<boolean>;
}

/** An adapter in front of a double of its provider. */
export interface AdapterKit {
  readonly adapter: ModelAdapter;
  /** Every request so far. */
  readonly received: readonly ReceivedByProvider[];
  /** Closes the double. */
  close(): Awaitable<void>;
}

/** Sets up a double that plays the script, one turn for each request, with a new adapter in front of it. */
export type OpenAdapterKit = (script: readonly ProviderTurn[]) => Awaitable<AdapterKit>;
