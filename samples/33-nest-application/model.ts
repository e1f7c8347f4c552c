// Scripts play the model and choose by the user's text, so that the sample runs the same each time, without network or key.
import type { ModelAdapter, ModelRequest } from 'toolwright';
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';

const lastOf = ({ messages }: ModelRequest): string => messages.at(-1)?.content ?? '';
const call = (name: string, args: object = {}): ScriptStep => ({
  toolCalls: [{ name, arguments: JSON.stringify(args) }],
});
const repeat: ScriptStep = (request) => ({ text: `The tool says: ${lastOf(request).split('\n')[0] ?? ''}` });

const scripts: Readonly<Record<string, readonly ScriptStep[]>> = {
  'What has Ada ordered?': [call('find_customers', { name: 'ada' }), call('get_order', { orderId: 'W1' }), repeat],
  'Cancel W3.': [call('get_order', { orderId: 'W3' }), call('cancel_order', { orderId: 'W3' }), repeat],
  'Look W9 up.': [call('get_order', { orderId: 'W9' }), repeat],
  'Write W1 off.': [call('write_off', { orderId: 'W1' }), repeat],
  'Remind everybody.': [call('remind_all'), repeat],
};

export function modelFor(message: string): ModelAdapter {
  return new ScriptedModel(scripts[message] ?? [{ text: 'The script has no line for that.' }]);
}
