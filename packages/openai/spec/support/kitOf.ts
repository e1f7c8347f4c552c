import type { ModelAdapter } from 'toolwright';
import type { AdapterKit, ProviderTurn, ReceivedByProvider } from '@toolwright/contracts';
import type { Json } from './json';
import { hang, raw, type ProviderDouble, type ReceivedRequest, type ScriptedTurn } from './ProviderDouble';

/** A fake with an adapter, as the contract of adapters requires; `told` reads the tool results of a provider's body. */
export function kitOf(
  double: ProviderDouble,
  adapter: ModelAdapter,
  told: (request: ReceivedRequest) => Pick<ReceivedByProvider, 'answers' | 'wantsForm'>,
): AdapterKit {
  return {
    adapter,
    get received() {
      return double.requests.map((request) => ({
        ...told(request),
        problems: request.problems.map(({ rule, message }) => `${rule}: ${message}`),
        abandoned: request.abandoned,
      }));
    },
    close: () => double.stop(),
  };
}

/** The messages after the model's last one. */
export function afterLastAnswer(messages: readonly Json[]): readonly Json[] {
  return messages.slice(messages.map(({ role }) => role).lastIndexOf('assistant') + 1);
}

/** The form of a script's turns in a provider's protocol. */
export interface PlayedWords {
  error(message: string): unknown;
  cut(turn: Extract<ProviderTurn, { kind: 'cut' }>): ScriptedTurn;
  answer(turn: Extract<ProviderTurn, { kind: 'answer' }>): ScriptedTurn;
}

/** A turn of the contract's script, in the form of a provider. */
export function playedIn(words: PlayedWords, turn: ProviderTurn): ScriptedTurn {
  switch (turn.kind) {
    case 'hang':
      return hang;
    case 'nonsense':
      return raw(200, '{"object":"list","data":[]}');
    case 'error': {
      const headers = turn.retryAfter === undefined ? {} : { 'retry-after': String(turn.retryAfter) };
      return raw(turn.status, JSON.stringify(words.error(turn.message)), headers);
    }
    case 'cut':
      return words.cut(turn);
    case 'answer':
      return words.answer(turn);
  }
}
