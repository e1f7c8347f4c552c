import { OpenAIResponsesAdapter, type OpenAIResponsesOptions } from '@toolwright/openai';
import { clientOver } from './client';
import { objects, type Json } from './json';
import { responsesWire } from './responsesWire';

/** An adapter over the official client, in front of a function in place of the network. */
export function responsesOver(
  fetch: Parameters<typeof clientOver>[0],
  options: Partial<OpenAIResponsesOptions> = {},
): OpenAIResponsesAdapter {
  return new OpenAIResponsesAdapter({ client: clientOver(fetch), model: 'm', ...options });
}

/** A response that consists of these items. */
export function responseOf(output: readonly unknown[], rest: object = {}): object {
  return { id: 'resp_1', object: 'response', status: 'completed', error: null, output, ...rest };
}

/** A message of the model. */
export function saidItem(text: string, rest: object = {}): object {
  const content = [{ type: 'output_text', text, annotations: [] }];
  return { id: 'msg_1', type: 'message', role: 'assistant', status: 'completed', content, ...rest };
}

/** A call of the model. */
export function callItem(call_id: string | undefined, name: string, args = '{}', rest: object = {}): object {
  const id = call_id === undefined ? {} : { call_id };
  return { id: 'fc_1', type: 'function_call', status: 'completed', ...id, name, arguments: args, ...rest };
}

/** A search of the model that the client answers. */
export function searchItem(call_id: unknown, args: unknown, rest: object = {}): object {
  const common = { id: 'tsc_1', type: 'tool_search_call', status: 'completed', execution: 'client' };
  return { ...common, call_id, arguments: args, ...rest };
}

/** True for a request whose model sends its searches to the client. */
export function declaresSearch(body: Json): boolean {
  return objects(body['tools']).some(([, tool]) => tool['type'] === 'tool_search' && tool['execution'] === 'client');
}

/** Reasoning that can be sent back. */
export function reasoningItem(id: string, encrypted_content: string | null = `gAAAA-${id}`): object {
  return { id, type: 'reasoning', summary: [], encrypted_content };
}

/** An answer that streams these events. */
export function sseOf(events: readonly unknown[]): Response {
  const text = events.map((event) => responsesWire.event(event)).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

/** The events of a response whose items come one after the other, each letter of a text and each half of arguments alone. */
export function eventsOf(output: readonly object[], rest: object = {}): readonly unknown[] {
  const end = responseOf(output, rest);
  const { status } = end as { readonly status: string };
  return [
    { type: 'response.created', response: responseOf([], { status: 'in_progress' }) },
    ...output.flatMap((item, output_index) => [
      { type: 'response.output_item.added', output_index, item: begun(item) },
      ...deltasOf(item, output_index),
      { type: 'response.output_item.done', output_index, item },
    ]),
    { type: `response.${status}`, response: end },
  ];
}

function begun(item: object): object {
  if ('execution' in item) return { ...item, arguments: {}, status: 'in_progress' };
  if ('arguments' in item) return { ...item, arguments: '', status: 'in_progress' };
  return 'content' in item ? { ...item, content: [], status: 'in_progress' } : item;
}

function deltasOf(item: object, output_index: number): readonly object[] {
  // A search comes in one piece.
  if ('execution' in item) return [];
  if ('arguments' in item) {
    const args = String(item.arguments);
    return [args.slice(0, 5), args.slice(5)].map((delta) => ({
      type: 'response.function_call_arguments.delta',
      output_index,
      delta,
    }));
  }
  const parts = 'content' in item ? (item.content as readonly Readonly<Record<string, string>>[]) : [];
  return parts.flatMap(({ text, refusal }, content_index) =>
    Array.from(text ?? refusal ?? '', (delta) => ({
      type: text === undefined ? 'response.refusal.delta' : 'response.output_text.delta',
      output_index,
      content_index,
      delta,
    })),
  );
}
