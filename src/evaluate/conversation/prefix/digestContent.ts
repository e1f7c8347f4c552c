import { sha256 } from '../../../common/builtins.js';
import { getOrCreate } from '../../../common/memoize.js';
import { mapEntries } from '../../../common/objects.js';
import type { ModelResponse } from '../../../interface/ModelAdapter.js';
import type { RunEntry, LoweredForm, LoweredTools } from '../../../interface/RunEntry.js';
import { canonicalJson } from '../../../schema/write/plainJson.js';

const SHORT = 16;

type Answer = Omit<RunEntry<'answer'>, 'digest'>;
type Choice = Omit<RunEntry<'model'>, 'digest'>;

/**
 * Returns the digest of an answer with native content or lowered tools, or of a choice of a model with means: a provider refuses the whole
 * conversation if one of them has changed, and only the adapter knows their form. Undefined for all other entries.
 */
export function digestContent(entry: Answer | Choice): string | undefined {
  if (entry.kind === 'model') return entry.means === null ? undefined : digestOf([entry.adapter, entry.means]);
  const { text, toolCalls, finishReason, native, lowered } = entry;
  const written = lowered === undefined ? [] : [digestsOf(lowered)];
  // Without native content, a provider takes any words.
  if (native === undefined) return written.length === 0 ? undefined : digestOf(written);
  return digestOf([text, toolCalls, finishReason, native, ...written]);
}

/** Explains why the digest of an entry does not fit it; undefined if it does, or has none, as in records of older versions. */
export function findDigestProblem(entry: RunEntry): string | undefined {
  if ((entry.kind !== 'answer' && entry.kind !== 'model') || entry.digest === undefined) return undefined;
  if (entry.digest === digestContent(entry)) return undefined;
  const changed = entry.kind === 'model' ? 'adapter or means' : 'text, toolCalls, finishReason, native or lowered';
  return `expected the digest of the entry, got another one: ${changed} of it was changed after it was written`;
}

/**
 * Creates the entry of an answer, without empty fields.
 *
 * @param isKept true to add the digest of the entry, which only a record needs
 */
export function createAnswerEntry(
  turn: number,
  { text, toolCalls, finishReason, native, usage }: ModelResponse,
  { sent, lowered }: Pick<RunEntry<'answer'>, 'sent' | 'lowered'>,
  isKept: boolean,
): RunEntry<'answer'> {
  const entry: { -readonly [K in keyof RunEntry<'answer'>]: RunEntry<'answer'>[K] } = {
    kind: 'answer',
    turn,
    text,
    toolCalls,
    finishReason,
  };
  // Field by field, since spreads of objects cost more than all else that a run in memory does for its log.
  if (native !== undefined) entry.native = native;
  if (lowered !== undefined) entry.lowered = lowered;
  const digest = isKept ? digestContent(entry) : undefined;
  if (usage !== undefined) entry.usage = usage;
  if (digest !== undefined) entry.digest = digest;
  if (sent !== undefined) entry.sent = sent;
  return entry;
}

/** Of each lowered tool: conversations of one process share the objects, and a large prompt has megabytes of them. */
function digestsOf(lowered: LoweredTools): unknown {
  return mapEntries(lowered, (_dialect, tools) =>
    mapEntries(tools, (_name, form) => getOrCreate(ofForms, form, digestOf)),
  );
}

const ofForms = new WeakMap<LoweredForm, string>();

function digestOf(value: unknown): string {
  return sha256(canonicalJson(value, () => undefined)).slice(0, SHORT);
}
