import type { ModelAdapter } from 'toolwright';
import type { AdapterKit, ReceivedByProvider } from 'toolwright/testing';
import type { Json } from './json';
import type { ProviderDouble, ReceivedRequest } from './ProviderDouble';

/** A double with an adapter before it, as the contract of adapters wants it; `told` reads what a provider's body tells. */
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
