// A script plays the model, so that the sample runs the same each time, without network or key.
import { ScriptedModel, type ScriptStep } from 'toolwright/testing';

const call = (name: string, args: object): ScriptStep => ({ toolCalls: [{ name, arguments: JSON.stringify(args) }] });
const repeat: ScriptStep = ({ messages }) => ({ text: messages.at(-1)?.content ?? '' });

/** The first application, for three messages. */
export const before = (): ScriptedModel =>
  new ScriptedModel([
    ...[call('get_order', { orderId: 'W7' }), repeat],
    call('open_sections', { section_keys: ['returns'], reason: 'The customer wants to send it back.' }),
    ...[call('announce_return', { orderId: 'W7' }), repeat],
    ...[call('pay_back', { orderId: 'W7' }), repeat],
  ]);

/** The second one, for the fourth. */
export const after = (): ScriptedModel => new ScriptedModel([call('get_order', { orderId: 'W7' }), repeat]);

/** The function, for the last message. */
export const last = (): ScriptedModel => new ScriptedModel([{ text: 'You asked for order W7.' }]);
