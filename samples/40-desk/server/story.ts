// A short story over HTTP, with the handler that the page uses.
import assert from 'node:assert/strict';
import { people, shopData, type Person } from './people.js';
import type { ServedDesk } from './serveDesk.js';

/** A chunk of the AI SDK's stream, as far as the story reads it. */
interface Chunk {
  readonly type: string;
  readonly delta?: string;
  readonly toolName?: string;
  readonly approvalId?: string;
  readonly data?: { readonly path?: string };
}

interface Question {
  readonly question: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly seen: string;
  readonly effect: {
    readonly changed: readonly { readonly name: string; readonly changes: readonly { readonly what: string }[] }[];
  };
}

/** @param start starts a desk whose script waits so many milliseconds between two words */
export async function runStory(start: (paceMs: number) => Promise<ServedDesk>, tell: (line: string) => void) {
  const desk = await start(0);
  try {
    const [first, second, supervisor] = await Promise.all(people.map((person) => Visitor.signIn(desk.url, person)));
    await returnAnOrder(first!, second!, supervisor!, tell);
    await cancelAnOrder(second!, tell);
  } finally {
    await desk.close();
  }
}

async function returnAnOrder(customer: Visitor, other: Visitor, supervisor: Visitor, tell: (line: string) => void) {
  tell('--- A large refund ---');
  const wish = customer.person.suggestions?.find((text) => text.includes('gift card')) ?? '';
  await customer.say(wish, tell);
  await customer.say('Yes, please.', tell);
  const [{ question }] = (await supervisor.questions()) as [Question];
  // Neither the customer nor another one may decide, or even see the question; nor does another one see the chat.
  for (const visitor of [customer, other])
    assert.equal((await visitor.post(`questions/${question}`, { approved: true })).status, 404);
  assert.equal((await customer.decide(question)).status, 403);
  assert.deepEqual(await customer.questions(), []);
  assert.equal((await other.get(customer.chat)).status, 404);

  const asked = (await (await supervisor.get(`questions/${question}`)).json()) as Question;
  const changes = asked.effect.changed.flatMap((part) => part.changes.map(({ what }) => `${part.name}: ${what}`));
  tell(`${supervisor.person.name} is asked about ${asked.tool}, which would change ${changes.join(', ')}`);
  const paidWith = findPayment(String(asked.arguments['order_id']));
  const edited = { ...asked.arguments, payment_method_id: paidWith };
  assert.equal((await supervisor.post(`questions/${question}`, { approved: true, arguments: edited })).status, 204);
  tell(`${supervisor.person.name} approves it, but with the refund to ${paidWith}`);
  await customer.readOn(tell);
  // The question is answered: a second decision comes too late.
  assert.equal((await supervisor.post(`questions/${question}`, { approved: false })).status, 404);
}

async function cancelAnOrder(customer: Visitor, tell: (line: string) => void) {
  tell('--- A small one ---');
  await customer.say(customer.person.suggestions?.[1] ?? '', tell);
  await customer.say('Yes.', tell);
  const { chats } = (await (await customer.get('')).json()) as {
    readonly chats: readonly { readonly title: string }[];
  };
  tell(`Chats of ${customer.person.name}: ${chats.map(({ title }) => title).join(', ')}`);
}

/** A person with a browser, without the browser. */
class Visitor {
  /** The id of their chat. */
  readonly chat = 'c-1';
  #messages = 0;

  private constructor(
    private readonly url: string,
    readonly person: Person,
    private readonly cookie: string,
  ) {}

  static async signIn(url: string, person: Person): Promise<Visitor> {
    assert.equal((await fetch(`${url}/api/chat`, { headers: { 'x-desk-person': person.id } })).status, 401);
    const response = await fetch(`${url}/api/people/${person.id}/sign-in`, { method: 'POST' });
    return new Visitor(url, person, response.headers.get('set-cookie')?.split(';')[0] ?? '');
  }

  get(path: string): Promise<Response> {
    return fetch(`${this.url}/api/chat/${path}`, { headers: this.#headers });
  }

  post(path: string, body: object): Promise<Response> {
    const headers = { ...this.#headers, 'content-type': 'application/json' };
    return fetch(`${this.url}/api/chat/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async questions(): Promise<readonly Question[]> {
    const { questions } = (await (await this.get('questions')).json()) as { readonly questions: readonly Question[] };
    return questions;
  }

  /** Tries to decide about a question of the own chat, as a page would whose users approve calls themselves. */
  async decide(question: string): Promise<Response> {
    const { messages } = (await (await this.get(this.chat)).json()) as { readonly messages: readonly { id: string }[] };
    const part = { type: 'dynamic-tool', state: 'approval-responded', approval: { id: question, approved: true } };
    const message = { id: messages.at(-1)?.id, role: 'assistant', parts: [part] };
    return this.post('', { id: this.chat, message, trigger: 'submit-message' });
  }

  /** Sends a message, and tells what comes back. */
  async say(text: string, tell: (line: string) => void): Promise<void> {
    tell(`${this.person.name}: ${text}`);
    const id = `m-${String(++this.#messages)}`;
    const message = { id, role: 'user', parts: [{ type: 'text', text }] };
    await tellChunks(await this.post('', { id: this.chat, message, trigger: 'submit-message' }), tell);
  }

  /** Reads the message that is being written, from its beginning, and tells its text. */
  async readOn(tell: (line: string) => void): Promise<void> {
    tell(`  ${readText(await readChunks(await this.get(`${this.chat}/stream`)))}`);
  }

  get #headers(): Readonly<Record<string, string>> {
    return { cookie: this.cookie, 'x-desk-person': this.person.id };
  }
}

/** Returns the method by which an order was paid. */
function findPayment(orderId: string): string {
  return shopData.orders[orderId]?.payment_history[0]?.payment_method_id ?? '';
}

async function tellChunks(response: Response, tell: (line: string) => void): Promise<void> {
  const chunks = await readChunks(response);
  const calls = chunks.flatMap(({ type, toolName }) => (type === 'tool-input-available' ? [toolName] : []));
  if (calls.length > 0) tell(`  calls ${calls.join(', ')}`);
  const opened = chunks.flatMap(({ type, data }) => (type === 'data-section' ? [data?.path] : []));
  if (opened.length > 0) tell(`  opens ${opened.join(', ')}`);
  const text = readText(chunks);
  if (text !== '') tell(`  ${text}`);
  if (chunks.some(({ type }) => type === 'tool-approval-request')) tell('  A supervisor has to look at this first.');
}

async function readChunks(response: Response): Promise<readonly Chunk[]> {
  const body = await response.text();
  assert.equal(response.status, 200, body);
  return [...body.matchAll(/^data: (\{.*\})$/gm)].map(([, json = '']) => JSON.parse(json) as Chunk);
}

function readText(chunks: readonly Chunk[]): string {
  return chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('');
}
