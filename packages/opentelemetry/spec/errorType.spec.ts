import { SpanStatusCode } from '@opentelemetry/api';
import { PromptEvaluationError } from 'toolwright';
import { getOrder, tracedDesk } from './desk';

class Overloaded extends Error {
  override readonly name = 'Overloaded';
}
class Talkative extends Error {
  override readonly name = 'card 4111-1111 was refused';
}
const nameless: object = Object.defineProperty(new Error('x'), 'name', {
  get: () => {
    throw new Error('no name');
  },
});

test.each<[string, unknown, string]>([
  ['the code of an error of ours', new PromptEvaluationError('x', { phase: 'request', code: 'E704' }), 'E704'],
  ['the name of another', new Overloaded('x'), 'Overloaded'],
  ['the name of a kind of the language', new TypeError('x'), 'TypeError'],
  ['no name that is a sentence', new Talkative('x'), '_OTHER'],
  ['nothing of what is no error', 'card 4111-1111', '_OTHER'],
  ['nothing of an error without a name that can be read', nameless, '_OTHER'],
])('the attribute error.type is %s', async (_what, error, type) => {
  const { app, prompt, trace } = await tracedDesk([getOrder]);
  const stop = new AbortController();
  const adapter = {
    name: 'x:y',
    complete: async () => {
      stop.abort(error);
      return new Promise<never>(() => undefined);
    },
  };
  await app.evaluate(prompt, { adapter, signal: stop.signal }).catch(() => undefined);
  const { attributes, status } = trace.span('chat y');
  expect([attributes['error.type'], status]).toEqual([type, { code: SpanStatusCode.ERROR }]);
});
