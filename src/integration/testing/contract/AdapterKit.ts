import type { Awaitable } from '../../../common/types.js';
import type { ModelAdapter } from '../../../interface/ModelAdapter.js';

/** A call that the provider's model makes. */
export interface ProviderCall {
  /** Left out: the answer holds none. */
  readonly id?: string | undefined;
  readonly name: string;
  /** JSON text, which may be malformed where the provider sends text. */
  readonly arguments: string;
}

/** Tokens as the provider counts them for one answer. */
export interface ProviderUsage {
  readonly input: number;
  readonly output: number;
  /** The part of the input that came from the provider's cache. */
  readonly cached: number;
}

/** What a provider does with one request. A double plays it in the provider's own form, streamed where that was asked for. */
export type ProviderTurn =
  | {
      readonly kind: 'answer';
      readonly text?: string | undefined;
      readonly calls?: readonly ProviderCall[] | undefined;
      /** Why the model stopped; `end` when left out, which is the word for calls as well. */
      readonly stop?: 'end' | 'length' | 'refusal' | undefined;
      readonly usage?: ProviderUsage | undefined;
    }
  /** An error; `retryAfter`, in seconds, goes into the header `Retry-After`. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly message: string;
      readonly retryAfter?: number | undefined;
    }
  /** Status 200, and JSON that is no answer. */
  | { readonly kind: 'nonsense' }
  /** Says this text, begins a call, and loses the connection; without a stream, there is nothing but the loss. */
  | { readonly kind: 'cut'; readonly text: string; readonly call: ProviderCall }
  /** Takes the request and never says anything. */
  | { readonly kind: 'hang' };

/** A request as the double got it. */
export interface ReceivedByProvider {
  /** What the provider would refuse the request for; nothing for a good one. */
  readonly problems: readonly string[];
  /** What tools said to the model, in their order, without the turns before the last. */
  readonly answers: readonly string[];
  /** True when the request says, in the provider's own way or in words, which form the answer must have. */
  readonly wantsForm: boolean;
  /** Settles when the connection closes: true when the client gave up before it had its answer. */
  readonly abandoned: Promise<boolean>;
}

/** An adapter in front of a double of its provider. */
export interface AdapterKit {
  readonly adapter: ModelAdapter;
  /** Every request so far. */
  readonly received: readonly ReceivedByProvider[];
  /** Ends the double. */
  close(): Awaitable<void>;
}

/** Sets up a double that plays the script, one turn for each request, with a new adapter in front of it. */
export type OpenAdapterKit = (script: readonly ProviderTurn[]) => Awaitable<AdapterKit>;
