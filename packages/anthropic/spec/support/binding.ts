import { createHash } from 'node:crypto';
import { isJson, list, objects, type Json } from '../../../openai/spec/support/json';
import { toolChanges } from './placementRules';

/** What one block is, and where it stood. */
interface Said {
  readonly role: unknown;
  readonly block: Json;
  readonly path: string;
  /** The message that it is a part of: what was two messages is not one. */
  readonly message: number;
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
      isJson(block) ? [{ role, block, path: `messages.${String(at)}.content.${String(index)}`, message: at }] : [],
    ),
  );
}

/** A value without marks for the cache, which may move. */
export function unmarked<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'cache_control' ? undefined : inner))) as T;
}

/** Kinds of blocks that are bound, and the field that holds the thought. */
const BOUND: Readonly<Record<string, string>> = { thinking: 'thinking', redacted_thinking: 'data' };

/** True for a block that is bound to what stands before it. */
function isThought({ type }: Json): boolean {
  return Object.hasOwn(BOUND, String(type));
}

/** The signature of a block; that of a redacted one is a part of its data. */
function signatureIn(block: Json): string {
  const given = block['type'] === 'thinking' ? block['signature'] : String(block['data']).split('~')[1];
  return typeof given === 'string' ? given : '';
}

/**
 * Signs a thought over everything before it: the prompt, the tools that the model is shown, and each earlier message with its
 * blocks, signatures included, so that signatures are chained. The name of the model comes first, since no other model can read the thought.
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
  const hash = createHash('sha256')
    .update(JSON.stringify(unmarked([prompt, first, later, messagesOf(before), thought])))
    .digest('base64');
  return `${String(body['model'])}:${hash}`;
}

/** Judges every thought of a request by what stands before it. What another model thought is left out, and is no fault. */
export function judgeBinding(body: Json): BindingVerdict {
  const said = blocksSaid(body);
  const isForeign = ({ block }: Said): boolean => {
    const [model, hash] = signatureIn(block).split(':');
    return isThought(block) && hash !== undefined && model !== String(body['model']);
  };
  const first = said.findIndex(
    (one, at) =>
      isThought(one.block) &&
      !isForeign(one) &&
      signatureIn(one.block) !== signatureOf(body, said.slice(0, at), thoughtIn(one.block)),
  );
  if (first < 0) return { mismatches: [], body };
  const dropped = new Set(said.slice(first).filter((one) => isThought(one.block) && !isForeign(one)));
  return {
    mismatches: [...dropped].map(({ path }) => ({ path })),
    body: { ...body, messages: messagesOf(said.filter((one) => !dropped.has(one))) },
  };
}

/** Signs the thoughts of an answer to a request, each over the blocks of the answer before it as well. */
export function signThinking(body: Json, content: readonly Json[]): readonly Json[] {
  const said = [...blocksSaid(body)];
  const message = list(body['messages']).length;
  return content.map((block) => {
    const whole = isThought(block) ? withSignature(block, signatureOf(body, said, thoughtIn(block))) : block;
    said.push({ role: 'assistant', block: whole, path: '', message });
    return whole;
  });
}

function thoughtIn(block: Json): unknown {
  return block['type'] === 'thinking' ? block['thinking'] : String(block['data']).split('~')[0];
}

function withSignature(block: Json, signature: string): Json {
  return block['type'] === 'thinking'
    ? { ...block, signature }
    : { ...block, data: `${String(block['data'])}~${signature}` };
}

function messagesOf(said: readonly Said[]): readonly Json[] {
  const messages: { readonly role: unknown; readonly content: Json[] }[] = [];
  said.forEach(({ role, block, message }, at) => {
    const last = messages.at(-1);
    if (last !== undefined && said[at - 1]?.message === message) last.content.push(block);
    else messages.push({ role, content: [block] });
  });
  return messages;
}
