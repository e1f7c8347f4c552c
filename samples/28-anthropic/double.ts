import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Block {
  readonly type: string;
  readonly cache_control?: object;
}

/** A request as the fake received it. */
export interface Received {
  readonly stream?: boolean;
  readonly system?: readonly Block[];
  readonly tools?: readonly { readonly name: string; readonly defer_loading?: boolean }[];
  readonly messages: readonly { readonly role: string; readonly content: readonly Block[] }[];
}

/** Not a model: is overloaded at first, thinks, looks two articles up at once, then answers. */
export class ProviderDouble {
  readonly requests: Received[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Received;
        this.requests.push(body);
        if (this.requests.length === 1) {
          const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
          response
            .writeHead(529, { 'content-type': 'application/json', 'retry-after': '0' })
            .end(JSON.stringify(error));
        } else if (body.stream === true) {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const event of events(body)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
          response.end();
        } else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(messageTo(body)));
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const said = 'There are 4 of A-1, and none of B-2.';

interface SentMessage {
  readonly content: readonly object[];
  readonly stop_reason: string;
  readonly [field: string]: unknown;
}

interface SentEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

function messageTo({ messages }: Received): SentMessage {
  const asked = messages.at(-1)?.content.at(0)?.type !== 'tool_result';
  const content = asked
    ? [
        { type: 'thinking', thinking: 'Two articles.', signature: 'only the provider reads this' },
        { type: 'tool_use', id: 'toolu_1', name: 'in_stock', input: { sku: 'A-1' } },
        { type: 'tool_use', id: 'toolu_2', name: 'in_stock', input: { sku: 'B-2' } },
      ]
    : [{ type: 'text', text: said }];
  const usage = { input_tokens: 10, cache_read_input_tokens: asked ? 0 : 70, output_tokens: 20 };
  return { type: 'message', role: 'assistant', usage, content, stop_reason: asked ? 'tool_use' : 'end_turn' };
}

function events(body: Received): readonly SentEvent[] {
  const { content, stop_reason } = messageTo(body);
  return [
    { type: 'message_start', message: { role: 'assistant', content: [], usage: {} } },
    ...content.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: 'text' in block ? { ...block, text: '' } : block },
      ...('text' in block ? said.split(/(?<= )/) : []).map((text) => ({
        type: 'content_block_delta',
        index,
        delta: { type: 'text_delta', text },
      })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 20 } },
    { type: 'message_stop' },
  ];
}
