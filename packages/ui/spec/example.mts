import { createApplication, Prompt, Section } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { chatHandler } from '@toolwright/ui';

@Section({ title: 'Hours', template: 'The shop is open from 9 to 5.' })
class Hours {}

@Prompt({ ns: 'shop', key: 'desk', sections: [Hours] })
class Desk {}

const app = await createApplication({ prompts: [Desk] });
// Stands for a model. Use OpenAIChatAdapter of @toolwright/openai, or another adapter.
const adapter = new ScriptedModel([{ text: 'Until five.' }]);

// Mount it at /api/chat: it is what `useChat` of the AI SDK calls.
const handler = chatHandler(
  { app, prepare: () => ({ prompt: Desk, adapter }) },
  { authenticate: (request) => ({ id: request.headers.get('x-user') ?? 'guest' }) },
);

const message = { id: 'm-1', role: 'user', parts: [{ type: 'text', text: 'Until when are you open?' }] };
const response = await handler(
  new Request('http://localhost/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: 'c-1', messages: [message] }),
  }),
);
const deltas = (await response.text()).matchAll(/"delta":"(.*?)"/g);
console.log([...deltas].map(([, delta]) => delta).join(''));
await handler.close();
await app.close();
