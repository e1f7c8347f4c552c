// Doubles of three services, over HTTP. Each remembers its effects by the key of the request, as payment services do.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from 'node:stream/consumers';

/** An effect of a service. */
export interface Effect {
  readonly service: string;
  readonly what: string;
  readonly orderId: string;
  readonly key: string;
  readonly text: string;
}

export class OutsideServices {
  /** The effects so far, by key. */
  readonly #done = new Map<string, Effect>();
  readonly #server: Server;
  /** Requests with a known key: they had no effect. */
  repeated = 0;

  private constructor(private readonly latencyMs: () => number) {
    this.#server = createServer((request, response) => {
      // A client that was killed does not read the answer.
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** @param latencyMs returns the time between an effect and its answer, in milliseconds */
  static async start(latencyMs: () => number = () => 10): Promise<OutsideServices> {
    const services = new OutsideServices(latencyMs);
    await new Promise<void>((resolve) => services.#server.listen(0, '127.0.0.1', resolve));
    return services;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  get effects(): readonly Effect[] {
    return [...this.#done.values()];
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const service = (request.url ?? '').slice(1);
    const key = request.headers['idempotency-key'];
    if (typeof key !== 'string') {
      response.writeHead(400).end('no idempotency-key');
      return;
    }
    const { what, orderId } = (await json(request)) as { readonly what: string; readonly orderId: string };
    const known = this.#done.get(key);
    if (known !== undefined) this.repeated += 1;
    const effect = known ?? { service, what, orderId, key, text: `${what} of ${orderId}: done.` };
    this.#done.set(key, effect);
    // The effect happens before the answer: a client that is killed now does not know about it.
    await sleep(this.latencyMs());
    response.end(effect.text);
  }
}
