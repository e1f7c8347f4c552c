import type { ModelAdapter } from 'toolwright';
import type { ProviderTurn } from '@toolwright/contracts';
import type { RequestBody, Wire } from './Wire';

type AnswerTurn = Extract<ProviderTurn, { kind: 'answer' }>;

/** A provider as its adapter and a double of it see it, for specs that hold for every one. */
export interface ProviderDoor {
  readonly wire: Wire;
  /** The adapter with the real client, connected to this server. */
  adapter(baseURL: string): ModelAdapter;
  /** The body of an answer in one piece. */
  whole(turn: AnswerTurn): unknown;
  /** The same answer as it is streamed. */
  events(turn: AnswerTurn): readonly unknown[];
  /** The results of tools after the model's last message, in their order. */
  outputs(body: RequestBody): readonly string[];
}
