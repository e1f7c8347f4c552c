import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as the fake received it. */
export interface Received {
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role: string }[];
  readonly input?: readonly { readonly role?: string; readonly type?: string }[];
  readonly text?: object;
}

/** Not a model: looks two articles up at once, then answers. It speaks both APIs of the provider. */
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
        if (body.stream === true) {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const event of events(body)) response.write(`data: ${JSON.stringify(event)}\n\n`);
          response.end();
          return;
        }
        const answer = request.url === '/v1/responses' ? responseTo(body) : completionTo(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/v1`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

const calls = [
  { id: 'call_1', name: 'in_stock', arguments: '{"sku":"A-1"}' },
  { id: 'call_2', name: 'in_stock', arguments: '{"sku":"B-2"}' },
];
const said = 'There are 4 of A-1, and none of B-2.';

function completionTo({ messages = [] }: Received): object {
  const asked = messages.at(-1)?.role !== 'tool';
  const tool_calls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
  const message = { role: 'assistant', content: asked ? null : said, ...(asked ? { tool_calls } : {}) };
  return {
    choices: [{ index: 0, message, finish_reason: asked ? 'tool_calls' : 'stop' }],
    usage: { prompt_tokens: 80, completion_tokens: 20, total_tokens: 100 },
  };
}

function responseTo({ input = [], text }: Received): object {
  const asked = input.at(-1)?.type !== 'function_call_output';
  const report = '{"lines":[{"sku":"A-1","count":4},{"sku":"B-2","count":0}]}';
  const content = [{ type: 'output_text', text: text === undefined ? said : report }];
  const output = asked
    ? [
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'only the provider reads this' },
        ...calls.map(({ id, ...call }) => ({ type: 'function_call', call_id: id, ...call })),
      ]
    : [{ type: 'message', role: 'assistant', content }];
  const usage = { input_tokens: 80, output_tokens: 20, total_tokens: 100, input_tokens_details: { cached_tokens: 64 } };
  return { object: 'response', status: 'completed', output, usage };
}

function events(body: Received): readonly object[] {
  const response = responseTo(body) as { readonly output: readonly { readonly type: string }[] };
  const words = response.output.some(({ type }) => type === 'message') ? said.split(/(?<= )/) : [];
  return [
    { type: 'response.created' },
    ...words.map((delta) => ({ type: 'response.output_text.delta', output_index: 0, delta })),
    { type: 'response.completed', response },
  ];
}
