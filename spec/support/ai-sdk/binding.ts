import { createHash } from 'node:crypto';
import { isJson, objects, type Json } from '../openai/json';
import type { RequestRule } from '../openai/RequestRule';

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

/** The tools, and the messages in order, as they are compared. */
function entriesOf({ tools, messages }: Json): readonly string[] {
  return [tools ?? [], ...objects(messages).map(([, message]) => message)].map((entry) =>
    JSON.stringify(withoutMarks(entry)),
  );
}

/** The signature of a thought that answers a request: over its tools and all of its messages. */
export function signatureAfter(body: Json): string {
  return `bound:${createHash('sha256').update(entriesOf(body).join('\n')).digest('hex').slice(0, 16)}`;
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
        .filter((signature) => signature?.startsWith('bound:') === true)
        .filter((signature) => {
          const messages = objects(body['messages']).map(([, message]) => message);
          return signature !== signatureAfter({ ...body, messages: messages.slice(0, index) });
        })
        .map(() => `messages[${String(index)}]: what stands before this thought was changed`),
    ),
};

function signatureOf({ providerOptions }: Json): string | undefined {
  for (const fields of Object.values(isJson(providerOptions) ? providerOptions : {}))
    if (isJson(fields) && typeof fields['signature'] === 'string') return fields['signature'];
  return undefined;
}
