import { createHash } from 'node:crypto';
import { isJson, list, objects, type Json } from '../openai/json';
import { toolChanges } from './placementRules';

/** What one block is, and where it stood. */
interface Said {
  readonly role: unknown;
  readonly block: Json;
  readonly path: string;
}

/** A thinking block that does not fit what stands before it. */
interface Mismatch {
  readonly path: string;
}

/** The thinking of a request, judged. */
export interface BindingVerdict {
  /** The first block that does not fit, and all later ones: each signature covers those before it. */
  readonly mismatches: readonly Mismatch[];
  /** The request without them. */
  readonly body: Json;
}

/** The request's blocks in their order; a text in place of blocks is one. */
export function blocksSaid({ messages }: Json): readonly Said[] {
  return objects(messages).flatMap(([at, { role, content }]) =>
    (typeof content === 'string' ? [{ type: 'text', text: content }] : list(content)).flatMap((block, index) =>
      isJson(block) ? [{ role, block, path: `messages.${String(at)}.content.${String(index)}` }] : [],
    ),
  );
}

/** A value without marks for the cache, which may move. */
export function unmarked<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner))) as T;
}

/**
 * Signs a thought over everything before it: the prompt, the tools that the model is shown, and each earlier block, signatures
 * included, so that signatures are chained.
 */
function signatureOf(body: Json, before: readonly Said[], thought: unknown): string {
  const added = new Set(toolChanges({ ...body, messages: messagesOf(before) }).map(({ tool }) => tool['name']));
  const shown = objects(body['tools']).flatMap(([, tool]) =>
    tool['defer_loading'] !== true || added.has(tool['name']) ? [tool] : [],
  );
  const { system } = body;
  const prompt = typeof system === 'string' ? [{ type: 'text', text: system }] : list(system);
  // Tools that were added since stand where they were added, not among the first.
  const first = shown.filter((tool) => tool['defer_loading'] !== true);
  const later = shown.filter((tool) => tool['defer_loading'] === true);
  const said = before.map(({ role, block }) => [role, block]);
  return createHash('sha256')
    .update(JSON.stringify(unmarked([prompt, first, later, said, thought])))
    .digest('base64');
}

/** Judges every thought of a request by what stands before it. */
export function judgeBinding(body: Json): BindingVerdict {
  const said = blocksSaid(body);
  const first = said.findIndex(
    ({ block }, at) =>
      block['type'] === 'thinking' && block['signature'] !== signatureOf(body, said.slice(0, at), block['thinking']),
  );
  if (first < 0) return { mismatches: [], body };
  const dropped = new Set(said.slice(first).filter(({ block }) => block['type'] === 'thinking'));
  return {
    mismatches: [...dropped].map(({ path }) => ({ path })),
    body: { ...body, messages: messagesOf(said.filter((one) => !dropped.has(one))) },
  };
}

/** Signs the thoughts of an answer to a request, each over the blocks of the answer before it as well. */
export function signed(body: Json, content: readonly Json[]): readonly Json[] {
  const said = [...blocksSaid(body)];
  return content.map((block) => {
    const whole =
      block['type'] === 'thinking' ? { ...block, signature: signatureOf(body, said, block['thinking']) } : block;
    said.push({ role: 'assistant', block: whole, path: '' });
    return whole;
  });
}

function messagesOf(said: readonly Said[]): readonly Json[] {
  const messages: { role: unknown; content: Json[] }[] = [];
  for (const { role, block } of said) {
    const last = messages.at(-1);
    if (last !== undefined && last.role === role) last.content.push(block);
    else messages.push({ role, content: [block] });
  }
  return messages;
}
