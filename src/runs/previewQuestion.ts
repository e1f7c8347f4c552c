import { rehearse, rehearses, type Rehearsal } from '../application/rehearse.js';
import { messageOf } from '../common/text.js';
import type { OpenQuestion, RunRecord } from '../interface/RunRecords.js';
import type { RunsParts } from './healthOf.js';

/** What a person sees of a question. */
export interface QuestionPreview {
  /** The arguments of the call, without secrets and redacted. */
  readonly arguments: unknown;
  /** What the call would do now; undefined if it was not rehearsed. */
  readonly rehearsal: Rehearsal | undefined;
  /** Why it was not; undefined if it was, or if it was not asked for. */
  readonly problem: string | undefined;
}

/**
 * Makes the prompt and the session of a waiting run ready, and rehearses its call on copies.
 *
 * @param rehearsing false to read the arguments alone
 * @throws what `prepare` and rendering throw
 */
export async function previewQuestion(
  { app, store, work }: Pick<RunsParts, 'app' | 'store' | 'work'>,
  run: RunRecord,
  { name, arguments: given, call: id }: Pick<OpenQuestion, 'name' | 'arguments' | 'call'>,
  rehearsing: boolean,
): Promise<QuestionPreview> {
  const ready = await work.prepare(run);
  const { prompt, overridesTag, runMetadata } = ready;
  const session = work.session(run.conversation, ready, await store.entries(run.conversation));
  const rendered = await prompt.render({ session, overridesTag });
  const call = { id, name, arguments: given };
  const shown = app.parts.services.redaction.call(call, rendered.toolsByName).arguments;
  const nothing = { arguments: shown, rehearsal: undefined, problem: undefined };
  if (!rehearsing) return nothing;
  if (rehearses(rendered, name) === undefined)
    return { ...nothing, problem: 'it may act outside, and declares no preview' };
  try {
    return { ...nothing, rehearsal: await rehearse(app, rendered, call, { session, runMetadata }) };
  } catch (error) {
    return { ...nothing, problem: messageOf(error) };
  }
}
