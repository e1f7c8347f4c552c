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

/** The same, for a host that refuses reasoning whose beginning has changed in place of dropping it. */
export const refusingResponsesWire: Wire = {
  ...responsesWire,
  problems: (body) => [
    ...responseProblems(body),
    ...(isJson(body) ? removedReasoning(body) : []).map((id) => ({
      rule: 'reasoning-bound',
      message: `Item '${id}' of type 'reasoning' was created in another conversation.`,
    })),
  ],
};
