import { removedReasoning, signReasoning } from './boundReasoning';
import { isJson } from './json';
import { responseProblems } from './responseRules';
import { chatWire, type Wire } from './Wire';

/** OpenAI's Responses. */
export const responsesWire: Wire = {
  ...chatWire,
  path: '/v1/responses',
  problems: responseProblems,
  event: (event) => `event: ${isJson(event) ? String(event['type']) : 'message'}\ndata: ${JSON.stringify(event)}\n\n`,
  end: '',
  sign: signReasoning,
  removed: removedReasoning,
};
