import type { ModelAdapter } from 'toolwright';
import type { ProviderTurn } from 'toolwright/testing';
import type { RequestBody, Wire } from './Wire';

type AnswerTurn = Extract<ProviderTurn, { kind: 'answer' }>;

/** A provider as its adapter and a double of it see it, for specs that hold for every one. */
export interface ProviderDoor {
  readonly wire: Wire;
  /** The adapter with the true client, which speaks to whatever stands there. */
  adapter(baseURL: string): ModelAdapter;
  /** The body of an answer in one piece. */
  whole(turn: AnswerTurn): unknown;
  /** The same answer as it is streamed. */
  events(turn: AnswerTurn): readonly unknown[];
  /** What the tools told the model after its last words, in their order. */
  outputs(body: RequestBody): readonly string[];
}
