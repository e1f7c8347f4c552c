import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import { isJson, list, objects, type Json } from '../../../openai/spec/support/json';
import { blocksSaid, judgeBinding, signThinking, unmarked } from './binding';
import { eventsOf, KEY, message } from './client';
import { hasBeta } from './placementRules';
import { requestProblems } from './requestRules';
import { messagesWire } from './wire';

/** An answer of the model: its thoughts are signed when it is given. */
export interface BoundAnswer {
  readonly content: readonly Json[];
  readonly stop_reason?: string;
}

/** An answer, a failure in place of one, or a function of the request. */
export type BoundTurn =
  BoundAnswer | { readonly status: number; readonly message: string } | ((body: Json) => BoundTurn);

const BINDING = 'thinking-binding-controls-2026-08-01';

/**
 * The Messages API on loopback as the newest models have it: a thought is bound to everything before it. Where that has changed,
 * the request is refused with the position, or the thought and all later ones are dropped, as the request says. Every other rule
 * is that of `requestRules`; betas count as they came in the header.
 */
export class BindingDouble {
  /** Requests that were answered or refused, with their betas. */
  readonly bodies: Json[] = [];
  /** Why requests were refused. */
  readonly refusals: string[] = [];
  /** The places of thoughts that were dropped, where requests allow it. */
  readonly drops: string[] = [];
  readonly #script: BoundTurn[];
  readonly #server: Server;
  /** The request that an answer was given to, by the id of the answer. */
  readonly #answered = new Map<string, Json>();
  /** The last block of a paused answer, which the model goes on with. */
  #paused: string | undefined;
  /** The paused pieces of answers: each goes back as a message of its own. */
  readonly #pieces: Json[][] = [];

  private constructor(script: readonly BoundTurn[]) {
    this.#script = [...script];
    this.#server = createServer((request, response) => void this.#receive(request, response));
  }

  static async start(...script: readonly BoundTurn[]): Promise<BindingDouble> {
    const double = new BindingDouble(script);
    await new Promise<void>((resolve) => double.#server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  get baseURL(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  /** The official client, connected to it. */
  get client(): Anthropic {
    return new Anthropic({ apiKey: KEY, baseURL: this.baseURL, maxRetries: 0, logLevel: 'off' });
  }

  /** Adds turns at the end of the script. */
  play(...turns: readonly BoundTurn[]): void {
    this.#script.push(...turns);
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #receive(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const sent = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Json;
    const header = String(incoming.headers['anthropic-beta'] ?? '');
    const betas = header.split(',').filter((beta) => beta !== '');
    const body = betas.length > 0 ? { ...sent, betas } : sent;
    this.bodies.push(body);
    const { mismatches, body: shown } = judgeBinding(body);
    const refusal = this.#refusal(body, incoming.url ?? '', mismatches[0]?.path);
    if (refusal !== undefined) {
      this.#fail(response, 400, refusal);
      return;
    }
    let turn = this.#script.shift() ?? { status: 500, message: 'The script is at its end.' };
    while (typeof turn === 'function') turn = turn(body);
    if ('status' in turn) {
      this.#fail(response, turn.status, turn.message);
      return;
    }
    this.drops.push(...mismatches.map(({ path }) => path));
    const dropped = mismatches.map(({ path }) => ({
      type: 'thinking_dropped',
      path,
      reason: 'prefix_binding_mismatch',
    }));
    const rest = { ...this.#diagnosis(body), ...(hasBeta(body, BINDING) ? { input_transformations: dropped } : {}) };
    this.#answer(
      response,
      sent['stream'] === true,
      body,
      { ...turn, content: signThinking(shown, turn.content) },
      rest,
    );
  }

  #refusal(body: Json, url: string, mismatch: string | undefined): string | undefined {
    if (url !== messagesWire.path) return `Invalid URL ${url}`;
    const [problem] = requestProblems(body);
    if (problem !== undefined) return `${problem.rule}: ${problem.message}`;
    const last = blocksSaid(body).at(-1);
    if (last?.role === 'assistant' && JSON.stringify(last.block) !== this.#paused)
      return 'This model does not support assistant message prefill.';
    const joined = this.#joined(body);
    if (joined !== undefined) return joined;
    const binding = isJson(body['thinking']) ? body['thinking']['block_binding'] : undefined;
    const isDropping = isJson(binding) && binding['prefix_mismatch_behavior'] === 'drop_block';
    if (mismatch === undefined || isDropping) return undefined;
    return `${mismatch}: this \`thinking\` block was created in a different conversation`;
  }

  /** Finds a paused piece that does not go back as the message that it was. */
  #joined({ messages }: Json): string | undefined {
    for (const piece of this.#pieces) {
      const text = (content: unknown): string => JSON.stringify(unmarked(content));
      const [first] = piece.map(text);
      for (const [at, { content }] of objects(messages))
        if (list(content).some((block) => text(block) === first) && text(content) !== text(piece))
          return `messages.${String(at)}: a paused turn must be sent back as it was, apart from what continues it`;
    }
    return undefined;
  }

  #fail(response: ServerResponse, status: number, words: string): void {
    this.refusals.push(words);
    const error = messagesWire.error(words, status === 400 ? 'invalid_request_error' : 'api_error', null);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(error));
  }

  #answer(
    response: ServerResponse,
    streams: boolean,
    body: Json,
    { content, stop_reason }: BoundAnswer,
    rest: Json,
  ): void {
    const id = `msg_${String(this.#answered.size + 1)}`;
    this.#answered.set(id, body);
    const reason = stop_reason ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn');
    this.#paused = reason === 'pause_turn' ? JSON.stringify(content.at(-1)) : undefined;
    if (reason === 'pause_turn') this.#pieces.push([...content]);
    const usage = { input_tokens: 5, cache_read_input_tokens: 2, cache_creation_input_tokens: 3, output_tokens: 7 };
    const whole = { id, ...rest, stop_reason: reason, usage };
    if (!streams) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(message(content, whole)));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of eventsOf(content, whole))
      response.write(messagesWire.event(writeStartEvent(event, { id, ...rest })));
    response.end();
  }

  /** Says what of the request named before has changed, as far as the cache is concerned. */
  #diagnosis(body: Json): Json {
    const { diagnostics } = body;
    const before = isJson(diagnostics) ? diagnostics['previous_message_id'] : undefined;
    if (typeof before !== 'string') return {};
    const earlier = this.#answered.get(before);
    return {
      diagnostics: {
        cache_miss_reason: earlier === undefined ? reason('previous_message_not_found') : findChange(earlier, body),
      },
    };
  }
}

/** Fields that a stream tells at its start. */
function writeStartEvent(event: unknown, fields: Json): unknown {
  if (!isJson(event) || event['type'] !== 'message_start' || !isJson(event['message'])) return event;
  return { ...event, message: { ...event['message'], ...fields } };
}

function findChange(earlier: Json, body: Json): Json | null {
  for (const field of ['model', 'system', 'tools']) {
    const same = (one: Json): string => JSON.stringify(unmarked([one[field]]));
    if (same(earlier) !== same(body)) return { ...reason(`${field}_changed`), cache_missed_input_tokens: 1 };
  }
  const said = (one: Json): readonly string[] =>
    list(unmarked(blocksSaid(one).map(({ role, block }) => ({ role, block })))).map((block) => JSON.stringify(block));
  const now = said(body);
  return said(earlier).every((block, at) => now[at] === block)
    ? null
    : { ...reason('messages_changed'), cache_missed_input_tokens: 1 };
}

function reason(type: string): Json {
  return { type };
}
