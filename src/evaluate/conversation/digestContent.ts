import { sha256 } from '../../common/builtins.js';
import { mapEntries } from '../../common/objects.js';
import type { LogEntry, LoweredForm, LoweredTools, ModelAnswered, ModelChosen } from '../../interface/RunStore.js';
import { canonicalJson } from '../../schema/write/plainJson.js';

const SHORT = 16;

/** An answer before its digest is known. */
type Answer = Omit<ModelAnswered, 'digest'>;
/** A choice of a model before its digest is known. */
type Choice = Omit<ModelChosen, 'digest'>;

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
export function findDigestProblem(entry: LogEntry): string | undefined {
  if ((entry.kind !== 'answer' && entry.kind !== 'model') || entry.digest === undefined) return undefined;
  if (entry.digest === digestContent(entry)) return undefined;
  const changed = entry.kind === 'model' ? 'adapter or means' : 'text, toolCalls, finishReason, native or lowered';
  return `expected the digest of the entry, got another one: ${changed} of it was changed after it was written`;
}

/**
 * Returns an answer with the details that its provider reported.
 *
 * @param isKept true to add its digest, which only a record needs
 */
export function addDetails(
  answered: ModelAnswered,
  { usage, native, sent, lowered }: Pick<ModelAnswered, 'usage' | 'native' | 'sent' | 'lowered'>,
  isKept: boolean,
): ModelAnswered {
  const whole = {
    ...answered,
    ...(native === undefined ? {} : { native }),
    ...(lowered === undefined ? {} : { lowered }),
  };
  const digest = isKept ? digestContent(whole) : undefined;
  return {
    ...whole,
    ...(usage === undefined ? {} : { usage }),
    ...(digest === undefined ? {} : { digest }),
    ...(sent === undefined ? {} : { sent }),
  };
}

/** Of each lowered tool: conversations of one process share the objects, and a large prompt has megabytes of them. */
function digestsOf(lowered: LoweredTools): unknown {
  return mapEntries(lowered, (_dialect, tools) => mapEntries(tools, (_name, form) => digestOfForm(form)));
}

const ofForms = new WeakMap<LoweredForm, string>();

function digestOfForm(form: LoweredForm): string {
  const known = ofForms.get(form);
  if (known !== undefined) return known;
  const digest = digestOf(form);
  ofForms.set(form, digest);
  return digest;
}

function digestOf(value: unknown): string {
  return sha256(canonicalJson(value, () => undefined)).slice(0, SHORT);
}
