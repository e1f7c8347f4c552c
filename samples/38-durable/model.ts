// A script plays the model: it chooses by the conversation so far, so that every process continues alike.
import type { ModelAdapter, ModelRequest } from 'toolwright';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';

export function modelFor(orderId: string): ModelAdapter {
  return {
    name: 'scripted (not a model)',
    complete: (request) => new ScriptedModel([turnOf(orderId, request)]).complete(request),
  };
}

const turns = [
  ['get_order', 'reserve', 'quote'],
  ['charge', 'send_receipt'],
  ['print_label', 'book_courier', 'note_shipped'],
] as const;

function turnOf(orderId: string, { messages }: ModelRequest): ScriptedTurn {
  const begin = messages.map(({ role }) => role).lastIndexOf('user');
  const turn = messages.slice(begin).filter(({ role }) => role === 'assistant').length;
  const names = turns[turn];
  if (names === undefined) return { text: `Done: ${messages.at(-1)?.content ?? ''}` };
  return {
    toolCalls: names.map((name, index) => ({
      id: `call-${String(turn + 1)}-${String(index + 1)}`,
      name,
      arguments: JSON.stringify({ orderId }),
    })),
  };
}
