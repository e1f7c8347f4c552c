import { HttpAgent } from '@ag-ui/client';
import { HttpAgent as LegacyHttpAgent } from 'ag-ui-client-0';
import type { AgUiEvent, AgUiGeneration, AgUiMessage } from '../../src/agUi/agUiEvents';

/** An answer to an interrupt. */
export interface Resume {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What a client made of one stream. */
export interface Reading {
  /** The events that it took, in order. */
  readonly events: readonly AgUiEvent[];
  /** The reason for which it refused the stream. */
  readonly refusal: string | undefined;
  /** The warnings that it wrote, about forms that it does not know. */
  readonly warnings: readonly string[];
}

type Body = Readonly<Record<string, unknown>>;

/** A real client of AG-UI in Node. */
export class Client {
  readonly generation: AgUiGeneration;
  readonly agent: HttpAgent;

  /** @param respond answers its requests */
  constructor(generation: AgUiGeneration, respond: (request: Request) => Promise<Response>, threadId = 'thread') {
    this.generation = generation;
    const settings = {
      url: 'http://127.0.0.1/api/chat',
      threadId,
      fetch: async (url: string, init: RequestInit) => {
        const response = await respond(new Request(url, init));
        // A network closes the connection of a client that aborts.
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        void response.body?.pipeTo(writable, init.signal ? { signal: init.signal } : {}).catch(() => undefined);
        return new Response(readable, response);
      },
    };
    // The clients have the same methods.
    this.agent = generation === '1.0' ? new HttpAgent(settings) : (new LegacyHttpAgent(settings) as never);
  }

  /** The messages as the client shows them, without reasoning, which no server keeps. */
  get messages(): readonly AgUiMessage[] {
    return this.allMessages.filter(({ role }) => (role as string) !== 'reasoning');
  }

  get allMessages(): readonly AgUiMessage[] {
    return this.agent.messages as readonly AgUiMessage[];
  }

  /** The ids of the questions that the client has to answer. */
  get open(): readonly string[] {
    return this.agent.pendingInterrupts.map(({ id }) => id);
  }

  say(id: string, content: string | readonly unknown[]): void {
    this.agent.messages.push({ id, role: 'user', content } as never);
  }

  async run(
    parameters: { readonly runId?: string; readonly resume?: readonly Resume[] } & Body = {},
  ): Promise<Reading> {
    const events: AgUiEvent[] = [];
    const warnings: string[] = [];
    const warn = jest.spyOn(console, 'warn').mockImplementation((text: unknown) => void warnings.push(String(text)));
    const error = jest.spyOn(console, 'error').mockImplementation(() => undefined);
    let refusal: string | undefined;
    try {
      await this.agent.runAgent(parameters as never, {
        onEvent: ({ event }) => void events.push(event as unknown as AgUiEvent),
      });
    } catch (problem) {
      refusal = String(problem);
    } finally {
      warn.mockRestore();
      error.mockRestore();
    }
    return { events, refusal, warnings };
  }
}

/** Sends events as the handler does. */
export function respondWith(events: readonly AgUiEvent[]): () => Promise<Response> {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
}

export const generations: readonly AgUiGeneration[] = ['1.0', 'legacy'];
