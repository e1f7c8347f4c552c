import { sha256 } from '../common/builtins.js';
import { className, isClass } from '../common/classes.js';
import { isObject } from '../common/guards.js';
import { copyOwnOptions } from '../common/objects.js';
import { trimCommonEnds } from '../common/trimCommonEnds.js';
import type { AbstractConstructor } from '../common/types.js';
import type { ChangedSlice, DigestRequest, DispatchServices, RehearsalRecord } from '../dispatch/DispatchContext.js';
import { sortKeys } from '../dispatch/idempotencyKey.js';
import { InterceptorList } from '../dispatch/attempt/InterceptorList.js';
import { getRehearsalKind } from '../dispatch/rehearse/prepareRehearsal.js';
import { ToolDispatcher } from '../dispatch/ToolDispatcher.js';
import { createEvaluationError, type PromptEvaluationError } from '../error/PromptError.js';
import { requireOptionNames, type OptionNames } from '../error/optionNames.js';
import { createRun } from '../evaluate/createRun.js';
import { requireCall, requireRendering } from '../evaluate/check/requireArguments.js';
import type { CallOptions } from '../evaluate/RunOptions.js';
import { InProcessEventBus } from '../event/EventBus.js';
import type { Interceptor } from '../interface/Interceptor.js';
import type { StateChange } from '../interface/Transactional.js';
import { FeedbackSchedules } from '../policy/FeedbackSchedule.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { dump } from '../schema/write/createSerialiser.js';
import type { ResourceChanges } from '../resource/Overlays.js';
import { Session } from '../session/Session.js';
import { StateWriter } from '../session/state/StateWriter.js';
import { StatePath } from '../session/state/StatePath.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import { getApplicationParts, type Application } from './Application.js';
import { SecretCollector } from './SecretCollector.js';
import { narrowChange } from './narrowChange.js';

/** Options of a rehearsal. */
export interface RehearsalOptions extends Pick<CallOptions, 'session' | 'deadline' | 'signal' | 'runMetadata'> {
  /** Returns secrets unmasked, for a person who asked to see them. */
  readonly showSecrets?: boolean | undefined;
}

const optionNames: OptionNames<RehearsalOptions> = {
  session: 1,
  deadline: 1,
  signal: 1,
  runMetadata: 1,
  showSecrets: 1,
};

/** A slice of the session, or a resource, that a call would change. */
export interface ChangedPart {
  readonly part: 'session' | 'resource';
  /** The name of the slice in JSON, or the name of the class. */
  readonly name: string;
  /**
   * The values before and after, as plain JSON data without secrets. The values of a slice are named by their places
   * from 0 on. Undefined for a resource that cannot list its changes (`Transactional.changes`).
   */
  readonly changes: readonly StateChange[] | undefined;
}

/** The result of a rehearsed call. */
export interface Rehearsal {
  /** Says whether the handler of the tool ran, or its preview. */
  readonly ran: 'handler' | 'preview';
  /**
   * The outcome as the model would get it, without secrets and redacted. Includes the value and the error, which the
   * model does not read.
   */
  readonly outcome: ToolOutcome;
  /** Everything that would have been committed; empty unless the call succeeded. */
  readonly changed: readonly ChangedPart[];
}

/** Returns whether a rehearsal runs the handler of a tool or its preview; undefined if the tool cannot be rehearsed. */
export function rehearses(rendered: RenderedPrompt, name: string): Rehearsal['ran'] | undefined {
  const tool = rendered.toolsByName.get(name);
  return tool === undefined ? undefined : getRehearsalKind(tool);
}

/**
 * Runs one tool call and rolls it back. Returns the result and the changes that it would have made. Arguments, limits
 * and policies are checked as in a real call. No approver is asked, no interceptor runs, no event is published, and the
 * session is a copy. A resource that is changed in place is changed and restored.
 *
 * @throws PromptEvaluationError E610 for a tool that may act outside and has no preview; the errors of `app.callTool`
 * @example
 * const { outcome, changed } = await rehearse(app, rendered, { id: '1', name: 'add_to_cart', arguments: { sku: 'A1' } });
 */
export async function rehearse(
  app: Application,
  rendered: RenderedPrompt,
  call: ToolCall,
  options: RehearsalOptions = {},
): Promise<Rehearsal> {
  requireRendering('rehearse', rendered);
  requireCall('rehearse', call);
  requireOptionNames('rehearse', options, optionNames);
  const { lifetime, services } = getApplicationParts(app);
  return lifetime.run(() => rehearseCall(services, rendered, call, options));
}

/** @throws the errors of `rehearse` */
async function rehearseCall(
  services: DispatchServices,
  rendered: RenderedPrompt,
  call: ToolCall,
  options: RehearsalOptions,
): Promise<Rehearsal> {
  const tool = rendered.toolsByName.get(call.name);
  const ran = tool === undefined ? 'handler' : getRehearsalKind(tool);
  if (ran === undefined) throw createRehearsalError(tool?.metadata.place ?? call.name);
  const session = (options.session ?? new Session()).clone();
  const record: RehearsalRecord = { slices: [], resources: [] };
  const secrets = new SecretCollector(services.redaction);
  const dispatcher = new ToolDispatcher(createRehearsalServices(services, [secrets]));
  const { showSecrets = false, ...rest } = copyOwnOptions(options);
  const run = { ...createRun(rendered, { ...rest, session }, services.ids), rehearsal: record };
  const outcome = await dispatcher.dispatch(call, run);
  const found = { outcome, changed: listChangedParts(record, session) };
  return { ran, ...(showSecrets ? found : secrets.hideSecrets(found)) };
}

/**
 * Returns the services of an application for a rehearsal: without its events and interceptors, and with every approval
 * given.
 */
export function createRehearsalServices<S extends DispatchServices>(
  services: S,
  around: readonly Interceptor[] = [],
): S {
  return {
    ...services,
    eventBus: new InProcessEventBus(),
    interceptors: new InterceptorList(around),
    schedules: new FeedbackSchedules(),
    errorMask: services.errorMask.ofRehearsals(),
    approver: { approve: () => ({ kind: 'approved' }) },
  };
}

/** Lists the resources that would change, as plain JSON data without secrets. */
export function listResourceChanges(resources: readonly ResourceChanges[]): readonly ChangedPart[] {
  return resources.flatMap(({ name, changes }): readonly ChangedPart[] => {
    if (changes === undefined) return [{ part: 'resource', name, changes }];
    const differing = changes.flatMap((change) => narrowChange(writePlainChange(change, name)) ?? []);
    return differing.length === 0 ? [] : [{ part: 'resource', name, changes: differing }];
  });
}

function listChangedParts(
  { slices, tables = [], resources }: RehearsalRecord,
  session: Session,
): readonly ChangedPart[] {
  const nameOf = (key: ChangedSlice['key']): string => session.registry.ofType(key)?.name ?? className(key);
  const ofSession = slices.map((slice): ChangedPart => {
    const name = nameOf(slice.key);
    return { part: 'session', name, changes: listSliceChanges(slice, name) };
  });
  const ofTables = listResourceChanges(tables.map(({ key, changes }) => ({ name: nameOf(key), changes })));
  return [
    ...ofSession.filter(({ changes }) => changes?.length !== 0),
    ...ofTables.map((table): ChangedPart => ({ ...table, part: 'session' })),
    ...listResourceChanges(resources),
  ];
}

/** Lists the changed values of a slice. Values that only moved because others came or went are not listed. */
function listSliceChanges(slice: ChangedSlice, name: string): readonly StateChange[] {
  const { start, before, after } = trimCommonEnds(slice.before, slice.after);
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => {
    return writePlainChange({ what: String(start + at), before: before[at], after: after[at] }, name);
  }).flatMap((change) => narrowChange(change) ?? []);
}

/** Returns a change as plain JSON data without secrets. */
export function writePlainChange({ what, before, after }: StateChange, name: string): StateChange {
  return { what, before: writePlainData(before, name), after: writePlainData(after, name) };
}

/** Returns the value as logs record it, without secrets. If it could not be read back, it is written like a result. */
export function writePlainData(value: unknown, name: string): unknown {
  if (!isObject(value)) return dump(value);
  const type: unknown = value.constructor;
  if (!isClass(type) || type === Object || type === Array) return dump(value);
  try {
    return new StateWriter().writeInstance(type as AbstractConstructor as never, value, StatePath.of(name));
  } catch {
    return dump(value);
  }
}

/**
 * Returns a digest of a rehearsal. Two rehearsals that show the same have the same digest.
 *
 * @param edited the arguments, if a person wrote them: the digest then holds only for them
 */
export function digestChanges(
  { ran, outcome: { kind, text }, changed }: Rehearsal,
  edited?: ToolCall['arguments'],
): string {
  const shown = [ran, kind, text, changed];
  return sha256(JSON.stringify(edited === undefined ? shown : [...shown, sortKeys(edited)]));
}

/**
 * Rehearses a call of a run as `runs.preview` does, and returns the digest of the rehearsal. Returns undefined if the
 * call cannot be rehearsed or the rehearsal fails: then nothing proves that the call is the one that was shown.
 */
export async function digestCall(
  services: DispatchServices,
  { call, run, isEdited }: DigestRequest,
): Promise<string | undefined> {
  const { rendered, metadata, signal, deadline } = run;
  const session = run.observer?.session;
  // A run within a call has no own session, and its calls do not wait for replies.
  if (session?.base !== run.session || rehearses(rendered, call.name) === undefined) return undefined;
  try {
    return digestChanges(
      await rehearseCall(services, rendered, call, { session, runMetadata: metadata, signal, deadline }),
      isEdited ? call.arguments : undefined,
    );
  } catch {
    signal?.throwIfAborted();
    return undefined;
  }
}

function createRehearsalError(place: string): PromptEvaluationError {
  const problem = 'it may act outside, and declares no preview';
  return createEvaluationError(problem, { code: 'E610', place, phase: 'tool' });
}
