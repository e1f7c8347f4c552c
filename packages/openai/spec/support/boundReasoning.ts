import { createHash } from 'node:crypto';
import { isJson, list, objects, shown, type Json } from './json';

/** A signature behind encrypted reasoning: how many items stood before the answer, and a hash of all that it is bound to. */
const SIGNED = /^(.*)\.(\d+)\.([0-9a-f]{16})$/;

function prefixHash({ instructions, tools, text, input }: Json, count: number): string {
  const format = isJson(text) ? text['format'] : undefined;
  const bound = [instructions ?? null, tools ?? null, format ?? null, list(input).slice(0, count)];
  return createHash('sha256').update(JSON.stringify(bound)).digest('hex').slice(0, 16);
}

/** Signs the reasoning in an answer, or in an event of a streamed one, over the request that it answers. */
export function signReasoning<Value>(value: Value, body: Json): Value {
  const count = list(body['input']).length;
  const signature = `${String(count)}.${prefixHash(body, count)}`;
  const sign = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(sign);
    if (!isJson(one)) return one;
    const members = Object.entries(one).map(([key, member]): [string, unknown] => [key, sign(member)]);
    const { type, encrypted_content: content } = one;
    if (type !== 'reasoning' || typeof content !== 'string') return Object.fromEntries(members);
    return { ...Object.fromEntries(members), encrypted_content: `${content}.${signature}` };
  };
  return sign(value) as Value;
}

/** The ids of reasoning that the provider drops from a request, since something before its answer has changed. */
export function removedReasoning(body: Json): readonly string[] {
  return objects(body['input']).flatMap(([index, { type, id, encrypted_content: content }]) => {
    const [, , count, hash] = SIGNED.exec(shown(content)) ?? [];
    if (type !== 'reasoning' || count === undefined) return [];
    const between = objects(list(body['input']).slice(Number(count), index));
    const isThere = between.every(([, item]) => isOfModel(item)) && prefixHash(body, Number(count)) === hash;
    return isThere ? [] : [shown(id)];
  });
}

/** True for what may be in an answer beside reasoning. */
function isOfModel({ type, role, execution }: Json): boolean {
  if (role !== undefined) return role === 'assistant';
  return !shown(type).endsWith('_call_output') && !(type === 'tool_search_output' && execution === 'client');
}
