// Plays Slack: keeps the messages that it gets, and presses buttons with Slack's signature.
import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

export interface SlackMessage {
  readonly text: string;
  readonly blocks?: readonly { readonly elements?: readonly { readonly value: string }[] }[];
}

/** A signed request, which can be sent again. */
interface Press {
  readonly user: string;
  readonly action: 'approve' | 'deny';
  readonly value: string;
  readonly secret: string;
  readonly timestamp?: number;
  /** The text of the message in the payload, which a person may have changed. */
  readonly text?: string;
}

export class SlackDouble {
  readonly messages: SlackMessage[] = [];
  /** An outage: each message is answered with this status. */
  status = 200;
  readonly #server: Server;
  readonly #arrivals = new EventEmitter();

  private constructor() {
    this.#server = createServer((request, response) => {
      void json(request).then((message) => {
        this.messages.push(message as SlackMessage);
        response.statusCode = this.status;
        response.setHeader('content-type', 'application/json').end('{"ok":true}');
        this.#arrivals.emit('message');
      });
    });
  }

  static async start(): Promise<SlackDouble> {
    const slack = new SlackDouble();
    await new Promise<void>((resolve) => slack.#server.listen(0, '127.0.0.1', resolve));
    return slack;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** Waits for a message by its number from 1, because the webhook is answered before its message is sent. */
  async waitForMessage(number: number): Promise<SlackMessage> {
    for (;;) {
      const message = this.messages[number - 1];
      if (message !== undefined) return message;
      await once(this.#arrivals, 'message');
    }
  }

  /** Creates the request that Slack sends when a person presses a button. */
  press({ user, action, value, secret, timestamp = Math.floor(Date.now() / 1000), text = '' }: Press): Request {
    const payload = {
      type: 'block_actions',
      user: { id: user },
      response_url: `${this.url}/response`,
      message: { text },
      actions: [{ action_id: action, value }],
    };
    const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
    const signature = createHmac('sha256', secret)
      .update(`v0:${String(timestamp)}:${body}`)
      .digest('hex');
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'x-slack-request-timestamp': String(timestamp),
      'x-slack-signature': `v0=${signature}`,
    };
    return new Request('http://127.0.0.1/slack', { method: 'POST', headers, body });
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
