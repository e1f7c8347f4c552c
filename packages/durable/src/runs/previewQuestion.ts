import type { Application } from 'toolwright';
import type { RunStore } from 'toolwright/conversations';
import { messageOf } from 'toolwright/internal/light';
import { type Rehearsal, rehearse, rehearses } from 'toolwright/own-loop';
import {
  digestChanges,
  getApplicationParts,
  listOpenCalls,
  type OpenQuestion,
  type RunRecord,
} from 'toolwright/internal';
import type { PromptRunner } from './PromptRunner.js';

/** What a person sees of a question. */
export interface QuestionPreview {
  /** The arguments of the call, without secrets and redacted. */
  readonly arguments: unknown;
  /** What the call would do now; undefined if it was not rehearsed. */
  readonly rehearsal: Rehearsal | undefined;
  /** Why it was not; undefined if it was, or if it was not asked for. */
  readonly problem: string | undefined;
  /**
   * A digest of the rehearsal. An approval with it, `{ kind: 'approved', seen }`, holds for these changes alone: if the call would do
   * something else when it runs, it is asked about again. Undefined without a rehearsal.
   */
  readonly seen: string | undefined;
}

/** The services of a preview. */
interface PreviewServices {
  readonly app: Application;
  readonly store: RunStore;
  readonly work: PromptRunner;
}

/**
 * Makes the prompt and the session of a waiting run ready, and rehearses its call on copies.
 *
 * @param rehearsing false to read the arguments alone
 * @throws what `prepare` and rendering throw
 */
export async function previewQuestion(
  { app, store, work }: PreviewServices,
  run: RunRecord,
  question: Pick<OpenQuestion, 'name' | 'arguments' | 'call'>,
  rehearsing: boolean,
): Promise<QuestionPreview> {
  const ready = await work.prepare(run);
  const { prompt, overridesTag } = ready;
  const entries = await store.entries(run.conversation);
  const { session } = await work.session(run, ready, entries);
  const rendered = await prompt.render({ session, overridesTag });
  const { name, call: id } = question;
  // The question about a call that was cut off leaves out its secrets; the answer of the model has them.
  const begin = entries.map(({ kind }) => kind).lastIndexOf('run');
  const asked = listOpenCalls(entries.slice(begin)).find((open) => open.id === id)?.call ?? question;
  const call = { id, name, arguments: asked.arguments };
  const { redaction } = getApplicationParts(app).services;
  const shown = redaction.call(call, rendered.toolsByName).arguments;
  const nothing = { arguments: shown, rehearsal: undefined, problem: undefined, seen: undefined };
  if (!rehearsing) return nothing;
  if (rehearses(rendered, name) === undefined)
    return { ...nothing, problem: 'it may act outside, and declares no preview' };
  try {
    const rehearsal = await rehearse(app, rendered, call, { session, runMetadata: work.metadata(run, ready) });
    return { ...nothing, rehearsal, seen: digestChanges(rehearsal) };
  } catch (error) {
    return { ...nothing, problem: messageOf(redaction.redact(error)) };
  }
}
