import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import type { BoundPrompt } from 'toolwright';
import { MAX_STATE_CHARS } from '../../limits.js';
import type { AskingSubject } from '../McpRequest.js';
import { digest, type KeptAnswer } from './digest.js';
import type { McpStateStore } from './McpStateStore.js';

const PREFIX = 'tw1.';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The answers of a client so far, kept by the client between two rounds. */
export interface KeptAnswers {
  /** The id of the call's run, from which idempotency keys are derived. */
  readonly runId: string;
  /** The answers by key, each with the digest of its question. */
  readonly answers: Readonly<Record<string, KeptAnswer>>;
}

/** The reason why a state is refused. */
export type StateFault = 'forged' | 'expired' | 'used';

export interface AnswerVaultOptions {
  /** Keys of 32 bytes, newest first. Without any, a key is made that only this process has. */
  readonly keys: readonly Buffer[];
  readonly store: McpStateStore;
  readonly ttlMs: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * Encrypts the answers that a client keeps between two rounds, for one principal, prompt and request, for a limited time and a single
 * use. The client can neither read nor change them.
 */
export class AnswerVault {
  readonly #keys: readonly Buffer[];
  readonly #store: McpStateStore;
  readonly #ttlMs: number;
  readonly #now: () => number;

  constructor({ keys, store, ttlMs, now }: AnswerVaultOptions) {
    this.#keys = keys.length > 0 ? keys : [randomBytes(KEY_BYTES)];
    this.#store = store;
    this.#ttlMs = ttlMs;
    this.#now = now;
  }

  /** Encrypts answers. Returns undefined if they are too large. */
  close(answers: KeptAnswers, binding: string): string | undefined {
    const [key] = this.#keys;
    if (key === undefined) return undefined;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(binding));
    const text = JSON.stringify({ id: randomUUID(), until: this.#now() + this.#ttlMs, ...answers });
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
    const state = `${PREFIX}${Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64url')}`;
    return state.length > MAX_STATE_CHARS ? undefined : state;
  }

  /** Decrypts answers, and notes that their state is used. Returns the reason if it is refused. */
  async open(state: unknown, binding: string): Promise<KeptAnswers | StateFault> {
    const text = typeof state === 'string' ? this.#decrypt(state, binding) : undefined;
    if (text === undefined) return 'forged';
    const { id, until, runId, answers } = JSON.parse(text) as KeptAnswers & { id: string; until: number };
    if (until < this.#now()) return 'expired';
    return (await this.#store.use(id, until)) ? { runId, answers } : 'used';
  }

  #decrypt(state: string, binding: string): string | undefined {
    if (!state.startsWith(PREFIX) || state.length > MAX_STATE_CHARS) return undefined;
    const encoded = state.slice(PREFIX.length);
    const bytes = Buffer.from(encoded, 'base64url');
    // Decoding skips other characters, so that a changed text could decode to the same bytes.
    if (bytes.toString('base64url') !== encoded || bytes.length < IV_BYTES + TAG_BYTES) return undefined;
    for (const key of this.#keys) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
        decipher.setAAD(Buffer.from(binding)).setAuthTag(bytes.subarray(-TAG_BYTES));
        const body = bytes.subarray(IV_BYTES, -TAG_BYTES);
        return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
      } catch {
        // Another key may fit.
      }
    }
    return undefined;
  }
}

/** The client that answers, and the prompt that it was served. */
export interface AnswerOwner {
  readonly prompt: Pick<BoundPrompt, 'ns' | 'key'>;
  readonly principal: string | undefined;
}

/** Returns a text that only the same request of the same principal to the same prompt has. */
export function bindAnswers({ prompt, principal }: AnswerOwner, subject: AskingSubject): string {
  const { method, name, arguments: given } = subject;
  return JSON.stringify([prompt.ns, prompt.key, principal ?? null, method, name, digest(given)]);
}
