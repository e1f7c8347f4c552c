import Anthropic from '@anthropic-ai/sdk';
import { AnthropicAdapter, type AnthropicOptions } from '@toolwright/anthropic';
import { messagesWire } from './wire';

/** A key of the true form, which must turn up nowhere. */
export const KEY = 'sk-ant-api03-0123456789abcdefABCDEF';

/** The official client in front of a function in place of the network; it repeats nothing. */
export function clientOver(fetch: (body: unknown, init: RequestInit) => Response | Promise<Response>): Anthropic {
  return new Anthropic({
    apiKey: KEY,
    maxRetries: 0,
    logLevel: 'off',
    fetch: async (_url, init = {}) => fetch(JSON.parse(init.body as string), init),
  });
}

/** An adapter over that client. */
export function adapterOver(
  fetch: Parameters<typeof clientOver>[0],
  options: Partial<AnthropicOptions> = {},
): AnthropicAdapter {
  return new AnthropicAdapter({ client: clientOver(fetch), model: 'm', ...options });
}

/** A message that consists of these blocks. */
export function message(content: readonly unknown[], rest: object = {}): unknown {
  return { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content, stop_reason: 'end_turn', ...rest };
}

/** An answer that streams these events. */
export function sse(events: readonly unknown[]): Response {
  const text = events.map((event) => messagesWire.event(event)).join('');
  return new Response(text, { headers: { 'content-type': 'text/event-stream' } });
}

/** The events of a message whose blocks come one after the other, each in a few parts. */
export function eventsOf(content: readonly object[], rest: object = {}): readonly unknown[] {
  const { usage = { input_tokens: 3, output_tokens: 2 }, stop_reason = 'end_turn' } = rest as {
    readonly usage?: unknown;
    readonly stop_reason?: string;
  };
  return [
    { type: 'message_start', message: { type: 'message', role: 'assistant', content: [], usage } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: begun(block) },
      ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { ...rest, stop_reason }, usage },
    { type: 'message_stop' },
  ];
}

function begun(block: object): object {
  if ('input' in block) return { ...block, input: {} };
  if ('thinking' in block) return { ...block, thinking: '', signature: '' };
  return 'text' in block ? { ...block, text: '' } : block;
}

function deltasOf(block: object): readonly object[] {
  if ('input' in block)
    return inHalves(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
  if ('thinking' in block) {
    const { thinking, signature } = block as { readonly thinking: string; readonly signature: string };
    return [
      ...inHalves(thinking).map((half) => ({ type: 'thinking_delta', thinking: half })),
      { type: 'signature_delta', signature },
    ];
  }
  return 'text' in block ? inHalves(String(block.text)).map((text) => ({ type: 'text_delta', text })) : [];
}

function inHalves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '');
}
