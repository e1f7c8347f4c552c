import type { Application, JsonValue } from 'toolwright';
import type { RunStore } from 'toolwright/conversations';
import { messageOf } from 'toolwright/internal/light';
import { type Rehearsal, rehearse, rehearses } from 'toolwright/own-loop';
import { digestChanges, findEdit, getApplicationParts, listOpenCalls, requireEdit } from 'toolwright/internal';
import type { OpenQuestion, RunRecord } from '../records/RunRecords.js';
import type { PromptEvaluator } from './PromptEvaluator.js';

/** A preview of a question for a person. */
export interface QuestionPreview {
  /** The arguments of the call, redacted and without secrets. */
  readonly arguments: unknown;
  /** The effect that the call would have now; undefined if it was not rehearsed. */
  readonly rehearsal: Rehearsal | undefined;
  /** The reason why the call could not be rehearsed; undefined if it was, or if no rehearsal was requested. */
  readonly problem: string | undefined;
  /**
   * A digest of the rehearsal. An approval with it, `{ kind: 'approved', seen }`, holds only for these changes: if the call would make
   * other changes when it runs, the person is asked again. Undefined without a rehearsal.
   */
  readonly seen: string | undefined;
}

/** Options of a preview. */
export interface PreviewOptions {
  /** False to skip the rehearsal and read only the arguments; true by default. */
  readonly rehearses?: boolean | undefined;
  /**
   * Shows the call with these arguments in place of the model's, for a person who edits them. `seen` then holds only for a reply with
   * the same arguments, `{ kind: 'approved', arguments, seen }`.
   */
  readonly arguments?: Readonly<Record<string, JsonValue>> | undefined;
}

/** The services of a preview. */
interface PreviewServices {
  readonly app: Application;
  readonly store: RunStore;
  readonly work: PromptEvaluator;
}

/**
 * Prepares the prompt and the session of a waiting run, and rehearses its call on copies.
 *
 * @throws PromptEvaluationError E735 for edited arguments that the tool refuses; errors of `prepare` and of rendering, unchanged
 */
export async function previewQuestion(
  { app, store, work }: PreviewServices,
  run: RunRecord,
  question: Pick<OpenQuestion, 'name' | 'arguments' | 'call'>,
  { rehearses: rehearsing = true, arguments: edited }: PreviewOptions,
): Promise<QuestionPreview> {
  const ready = await work.prepare(run);
  const { prompt, overridesTag } = ready;
  const entries = await store.entries(run.conversation);
  const { session } = await work.session(run, ready, entries);
  const rendered = await prompt.render({ session, overridesTag });
  const { name, call: id } = question;
  // The question about a cut-off call lacks its secrets, which are in the answer of the model.
  const begin = entries.map(({ kind }) => kind).lastIndexOf('run');
  const asked = listOpenCalls(entries.slice(begin)).find((open) => open.id === id)?.call ?? question;
  const call = { id, name, arguments: edited ?? findEdit(entries, id) ?? asked.arguments };
  const { redaction } = getApplicationParts(app).services;
  const tool = rendered.toolsByName.get(name);
  if (edited !== undefined && tool !== undefined) requireEdit('runs.preview', tool, edited, redaction);
  const shown = redaction.call(call, rendered.toolsByName).arguments;
  const nothing = { arguments: shown, rehearsal: undefined, problem: undefined, seen: undefined };
  if (!rehearsing) return nothing;
  if (rehearses(rendered, name) === undefined)
    return { ...nothing, problem: 'it may act outside, and declares no preview' };
  try {
    const rehearsal = await rehearse(app, rendered, call, { session, runMetadata: work.metadata(run, ready) });
    return { ...nothing, rehearsal, seen: digestChanges(rehearsal, edited) };
  } catch (error) {
    return { ...nothing, problem: messageOf(redaction.redact(error)) };
  }
}
