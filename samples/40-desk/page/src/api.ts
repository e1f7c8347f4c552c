import type { UIMessage } from 'ai';
import type { ApprovalElement } from '@toolwright/ui/approval';

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: 'customer' | 'supervisor';
  readonly suggestions?: readonly string[];
}

export interface About {
  readonly people: readonly Person[];
  /** Who answers: the name of the model, or of the script. */
  readonly answeredBy: string;
}

export interface ChatSummary {
  readonly id: string;
  readonly title: string | null;
  readonly changedAt: number;
}

export interface ChatContent {
  readonly isRunning: boolean;
  readonly messages: UIMessage[];
}

export type Question = NonNullable<ApprovalElement['question']>;

/** A refusal of the server, with its text for the user. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/** Requests of one person. Each tab names its person, so that one browser can show several. */
export class Api {
  constructor(readonly person: Person) {}

  get headers(): Record<string, string> {
    return { 'x-desk-person': this.person.id };
  }

  async get<T>(path: string): Promise<T> {
    return (await this.#fetch(path, {})).json() as Promise<T>;
  }

  async post(path: string, body: object = {}): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    await this.#fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const response = await fetch(`/api/chat${path}`, { ...init, headers: { ...init.headers, ...this.headers } });
    if (!response.ok) throw new Refusal(response.status, await response.text());
    return response;
  }
}

/** Makes an id for a chat or a message. */
export function newId(): string {
  return crypto.randomUUID();
}
