import { Deadline, type BoundPrompt, type RunMetadata } from 'toolwright';
import { recordBundle, replayOf, type BundleEntry, type BundleReplay } from 'toolwright/bundles';
import { getApplicationParts } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import { rehearseRun } from 'toolwright/own-loop';
import { ScriptedModel } from 'toolwright/testing';
import { bindRecorded } from '../bindParams.js';
import { CliError } from '../CliError.js';
import type { Loaded } from '../load/loadApplication.js';
import { nameOf } from '../load/withApplication.js';
import { openSession } from '../replay/openSession.js';
import { listCalls, type RecordedCall } from './recordedCalls.js';
import { RecordedAnswers } from './RecordedAnswers.js';
import type { RecordedRun } from './readRuns.js';

export interface ReplayLimits {
  /** The longest time of one replay, in milliseconds; at least 1,000. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** A run that was carried out again with the recorded answers. */
export interface Replayed {
  readonly run: string;
  /** The calls of the recorded run by their ids. */
  readonly calls: ReadonlyMap<string, RecordedCall>;
  /** Everything that the replay recorded. */
  readonly entries: readonly BundleEntry[];
  /** The names of the tools that were answered from the record, by the ids of the calls. */
  readonly answered: ReadonlyMap<string, string>;
  readonly isStateKnown: boolean;
  /** The slices that are logs. */
  readonly logs: ReadonlySet<string>;
  /** The error that ended the replay. */
  readonly error?: unknown;
}

/**
 * Carries a recorded run out again with the present application: a rehearsal with the recorded answers. Nothing that it does stays, and
 * calls that may act outside are answered from the record.
 *
 * @throws CliError E968, E982, ToolwrightError E752, SessionError E806 for a run that cannot be replayed
 */
export async function replayRun(
  loaded: Pick<Loaded, 'app' | 'session'>,
  { bundle, begun }: RecordedRun,
  { timeoutMs, signal }: ReplayLimits,
): Promise<Replayed> {
  const replay = replayOf(bundle, begun.run);
  const prompt = bindRecorded(requirePrompt(loaded, replay.prompt), replay.params);
  const session = await openSession(loaded, replay.session);
  const calls = listCalls(bundle, replay.run);
  const tools = prompt.metadata.allSections.flatMap((section) => section.tools);
  const answers = new RecordedAnswers({
    calls,
    entries: bundle.entries,
    session: begun.session,
    tools: new Map(tools.map((tool) => [tool.name, tool])),
  });
  const logs = new Set(session.registry.all.flatMap(({ name, policy }) => (policy === 'log' ? [name] : [])));
  const recording = recordBundle(loaded.app);
  const adapter = createAdapter(replay);
  let error: unknown;
  try {
    await rehearseRun(loaded.app, prompt, {
      adapter,
      session,
      messages: replay.messages,
      runId: replay.run,
      runMetadata: isRecord(begun.metadata) ? (begun.metadata as RunMetadata) : undefined,
      deadline: Deadline.in(timeoutMs),
      signal,
      maxTurns: adapter.script.length + 1,
      interceptors: [answers, recording.interceptor],
      onEvent: recording.onEvent,
    });
  } catch (thrown) {
    signal?.throwIfAborted();
    error = thrown;
  } finally {
    recording.stop();
  }
  const [, ...lines] = recording.lines();
  const entries = lines.map((line) => JSON.parse(line) as BundleEntry);
  const { answered, isStateKnown } = answers;
  return { run: replay.run, calls, entries, answered, isStateKnown, logs, error };
}

/** Answers each request as the model did, whatever the tools say now. */
function createAdapter({ transcript }: BundleReplay): ScriptedModel {
  const script = transcript.flatMap((message) =>
    message.role === 'assistant' ? [{ text: message.content ?? undefined, toolCalls: message.toolCalls }] : [],
  );
  return new ScriptedModel(script, { by: 'position' });
}

/** @throws CliError E982 */
function requirePrompt({ app }: Pick<Loaded, 'app'>, name: string): BoundPrompt {
  const prompts = [...getApplicationParts(app).prompts.values()];
  const found = prompts.find((prompt) => nameOf(prompt) === name);
  if (found !== undefined) return found;
  const names = prompts.map(nameOf).join(', ');
  throw new CliError(`the application has no prompt ${name}, but ${names}`, { code: 'E982', place: name });
}
