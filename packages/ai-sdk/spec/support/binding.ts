import { createHash } from 'node:crypto';
import { isJson, list, objects, type Json } from '../../../openai/spec/support/json';
import type { RequestRule } from '../../../openai/spec/support/RequestRule';

/** Options that only mark the end of a prefix for a cache: they move. */
const MARKS = ['cacheControl', 'cachePoint', 'caching'];

/** Returns a value of a request without marks for a cache. */
function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isJson(value)) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !MARKS.includes(key))
    .map(([key, each]) => [key, withoutMarks(each)] as const)
    .filter(([key, each]) => !isEmpty(key, each));
  return Object.fromEntries(entries);
}

/** Options of which nothing but a mark was there are none. */
function isEmpty(key: string, value: unknown): boolean {
  if (!isJson(value)) return false;
  const isOption = key === 'providerOptions' || key === 'anthropic' || key === 'bedrock' || key === 'gateway';
  return isOption && Object.keys(value).length === 0;
}

/** True for the Responses API, to whose form of the answer reasoning is bound as well. */
function isResponses({ provider }: Json): boolean {
  return String(provider).startsWith('openai.responses');
}

/** The tools, and the messages in order, as they are compared. */
function entriesOf(body: Json): readonly string[] {
  const { tools, messages, responseFormat } = body;
  const first = isResponses(body) ? [tools ?? [], responseFormat ?? null] : (tools ?? []);
  return [first, ...objects(messages).map(([, message]) => message)].map((entry) =>
    JSON.stringify(withoutMarks(entry)),
  );
}

/** The signature of a thought that answers a request: over its tools and all of its messages. */
export function signatureAfter(body: Json): string {
  const { model } = body;
  return `bound:${String(model)}:${createHash('sha256').update(entriesOf(body).join('\n')).digest('hex').slice(0, 16)}`;
}

/** True if encrypted reasoning was asked for. */
function isEncrypted({ providerOptions }: Json): boolean {
  const options = isJson(providerOptions) ? providerOptions['openai'] : undefined;
  return isJson(options) && list(options['include']).includes('reasoning.encrypted_content');
}

/** Reasoning goes back encrypted, unless the provider has stored it. */
export const storeRule: RequestRule = {
  id: 'stored',
  what: 'Reasoning that the provider did not store comes back with its encrypted content.',
  check: (body) => {
    const { providerOptions, messages } = body;
    const options = isJson(providerOptions) ? providerOptions['openai'] : undefined;
    if (!isResponses(body) || !isJson(options) || options['store'] !== false) return [];
    return objects(messages).flatMap(([index, { content }]) =>
      objects(content).flatMap(([, part]) =>
        part['type'] === 'reasoning' && signatureOf(part) === undefined
          ? [`messages[${String(index)}]: an item of reasoning was not found: nothing is stored`]
          : [],
      ),
    );
  },
};

/** Signs the thoughts of an answer to a request, in the fields of the provider's package. */
export function signedParts(parts: readonly Json[], body: Json): readonly Json[] {
  const signature = signatureAfter(body);
  const metadata = isResponses(body)
    ? {
        openai: {
          itemId: `rs_${signature.slice(-8)}`,
          reasoningEncryptedContent: isEncrypted(body) ? signature : null,
        },
      }
    : { anthropic: { signature } };
  return parts.map((part) => (part['type'] === 'reasoning' ? { ...part, providerMetadata: metadata } : part));
}

/** How many entries of a request are other ones in the next request, or missing. */
export function changedEntries(bodies: readonly Json[]): number {
  const all = bodies.map(entriesOf);
  return all.slice(1).reduce((sum, entries, index) => {
    return sum + (all[index] ?? []).filter((entry, at) => entries[at] !== entry).length;
  }, 0);
}

/** A thought is bound to everything before it, as those of the newest models of Anthropic are. */
export const bindingRule: RequestRule = {
  id: 'binding',
  what: 'What stands before a bound thought is what stood there when it was thought.',
  check: (body) =>
    objects(body['messages']).flatMap(([index, { content }]) =>
      objects(content)
        .filter(([, { type }]) => type === 'reasoning')
        .map(([, part]) => signatureOf(part))
        // No other model can read a thought, and it is left out without a fault.
        .filter((signature) => signature?.startsWith('bound:') === true && !isForeign(signature, body))
        .filter((signature) => {
          const messages = objects(body['messages']).map(([, message]) => message);
          return signature !== signatureAfter({ ...body, messages: messages.slice(0, index) });
        })
        .map(() => `messages[${String(index)}]: what stands before this thought was changed`),
    ),
};

/** True for the thought of another model. */
function isForeign(signature: string, { model }: Json): boolean {
  const [, thinker, hash] = signature.split(':');
  return hash !== undefined && thinker !== String(model);
}

function signatureOf({ providerOptions }: Json): string | undefined {
  for (const fields of Object.values(isJson(providerOptions) ? providerOptions : {}))
    if (isJson(fields))
      for (const field of ['signature', 'reasoningEncryptedContent'])
        if (typeof fields[field] === 'string') return fields[field];
  return undefined;
}
