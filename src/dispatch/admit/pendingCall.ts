import { sha256 } from '../../common/builtins.js';
import { isObject } from '../../common/guards.js';
import { PENDING_CALL_EXTENT } from '../../common/limits.js';
import { describeValue } from '../../common/text.js';
import { walkValue } from '../../common/walkValue.js';
import { ApprovalPendingError, type PendingCall } from '../../error/ApprovalPendingError.js';
import { createEvaluationError, type PromptEvaluationError } from '../../error/PromptError.js';
import type { ApprovalAnswer } from '../../interface/Approver.js';
import type { RunMetadata } from '../../interface/CallContext.js';
import { hashContract } from '../../override/getDescriptor.js';
import { getEffect } from '../../value/ToolHints.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import { holdsSecrets } from '../../schema/write/secrets.js';
import type { ToolCall } from '../../value/ToolCall.js';
import type { Placement, Home } from '../DispatchContext.js';
import { sortKeys, getHome, createIdempotencyKey, createIdentity } from '../idempotencyKey.js';
import type { IncomingCall } from './IncomingCall.js';
import { createDenied, createEscaping, type AttemptResult } from '../finish/outcomes.js';
import type { ApprovalMissing } from '../attempt/ProgramScope.js';
import { dropRepeatedKeys } from './parseArguments.js';
import type { Seals } from './Seals.js';

const VERSION = 4;

/**
 * Creates the record with which a call that waits for approval can be continued later.
 *
 * @returns the record, or the reason why the call cannot be continued, as a clause that follows "because"
 */
export function createPendingCall(
  { call: made, run, place, tool, services }: IncomingCall,
  askedAt: number,
): PendingCall | string {
  // A person is asked about the model's own call, also after approving it with other arguments.
  const call = place.asked ?? made;
  if (place.parentCall !== undefined || run.parentCall !== undefined)
    return 'a handler made the call, and cannot be continued in its middle';
  const params = tool?.metadata.params ?? null;
  if (params !== null && holdsSecrets(params)) return 'the arguments may hold a secret, which must not be written down';
  const identity = createIdentity(run, place);
  const given = copyPlainArguments(dropRepeatedKeys(call).arguments);
  const key = given === undefined ? undefined : createIdempotencyKey(identity, { ...call, arguments: given });
  if (key === undefined || key !== createIdempotencyKey(identity, call))
    return 'the arguments are not what JSON would give back';
  const record = {
    version: VERSION,
    prompt: formatPromptName(run.rendered),
    tag: run.rendered.tag,
    tool: call.name,
    toolHash: tool === undefined ? '' : hashDeclaration(tool),
    ...createBinding(run.metadata, identity.home),
    callId: call.id,
    arguments: given as PendingCall['arguments'],
    run: identity.run(),
    turn: identity.turn,
    position: identity.position,
    idempotencyKey: key,
    askedAt,
    isLogged: run.home !== undefined,
  } as const;
  return sealRecord(services.seals, record);
}

/** Checks that the question would be the same now: nothing that its seal covers has changed. */
export function wasShown(incoming: IncomingCall, seal: unknown, askedAt: number): boolean {
  const now = createPendingCall(incoming, askedAt);
  return typeof now !== 'string' && incoming.services.seals.verify('question', serialiseShown(now), seal);
}

/**
 * Creates the error that says that the call waits for approval.
 *
 * @param reason why the call is asked about again; undefined the first time
 */
export function createPendingError(
  { services: { seals }, redaction }: IncomingCall,
  pending: PendingCall,
  reason?: string,
): ApprovalPendingError {
  const shown = seals.seal('question', serialiseShown(pending));
  if (!pending.isLogged || redaction === undefined) return new ApprovalPendingError(pending, shown, reason);
  // A logged call continues with the arguments of the log; the question and this record are only shown.
  const { seal: _seal, ...asked } = {
    ...pending,
    arguments: redaction.redactArguments(pending.arguments) as PendingCall['arguments'],
  };
  return new ApprovalPendingError(sealRecord(seals, asked), shown, reason && redaction.redact(reason));
}

/** Serialises the facts that an approval covers, without the rendering: later messages and sections do not end it. */
function serialiseShown({ seal: _seal, version: _version, isLogged: _isLogged, ...shown }: PendingCall): string {
  return JSON.stringify(sortKeys(shown));
}

/**
 * Creates the result for a program that made a call which waits for approval: the program is rolled back, and later continued as
 * a whole. A call within a program leaves this to the program.
 */
export function suspendCall(incoming: IncomingCall, missing: ApprovalMissing): AttemptResult {
  if (incoming.place.program !== undefined) return createEscaping('denied', missing);
  const pending = createPendingCall(incoming, missing.askedAt);
  const { asked } = incoming.place;
  const reason = asked && 'the program that a person wrote instead makes a call that needs an approval itself';
  if (typeof pending !== 'string') return createEscaping('denied', createPendingError(incoming, pending, reason));
  return createDenied(incoming.call, `a call of the program needs an approval at once, because ${pending}`);
}

/** The parts of a recorded call that are needed to continue it. */
export interface Continuation {
  readonly call: ToolCall;
  readonly run: string;
  readonly place: Placement;
}

/** Reads a pending call from an untrusted source. @throws PromptEvaluationError E712 */
export function readContinuation(
  pending: PendingCall,
  rendered: RenderedPrompt,
  answer: ApprovalAnswer,
  seals: Seals,
  metadata: RunMetadata = {},
): Continuation {
  const record = requirePendingRecord(pending);
  const { prompt, tool, callId, run, turn, position } = record;
  if (record.isLogged)
    throw createMisfitError('its conversation waits for the answer; pass the answer to conversation.reply');
  if (prompt !== formatPromptName(rendered))
    throw createMisfitError(
      `it is a call of ${describeValue(prompt)}, and the rendering is of ${formatPromptName(rendered)}`,
    );
  for (const [field, here] of Object.entries(createBinding(metadata, getHome(undefined, metadata)))) {
    const there = record[field as keyof Binding];
    if (there !== here)
      throw createMisfitError(
        `its ${field} is ${describeValue(there)}, and runMetadata.${field} is ${describeValue(here)}`,
      );
  }
  const current = rendered.toolsByName.get(tool);
  if (current !== undefined && hashDeclaration(current) !== record.toolHash) {
    const changed = 'its description, schema, examples or effect changed';
    throw createMisfitError(`${tool} is no longer the tool that was to be approved: ${changed}`);
  }
  if (rendered.tag !== record.tag)
    throw createMisfitError(
      `its tag is ${describeValue(record.tag)}, and the rendering's is ${describeValue(rendered.tag)}`,
    );
  const call: ToolCall = { id: callId, name: tool, arguments: record.arguments };
  if (!isUnchanged(record, call, seals)) throw createMisfitError('a field was changed');
  return { call, run, place: { turn, position, answer } };
}

const kinds: Readonly<
  Record<Exclude<keyof PendingCall, 'version' | 'arguments' | 'tag' | keyof Binding>, 'string' | 'number' | 'boolean'>
> = {
  prompt: 'string',
  tool: 'string',
  toolHash: 'string',
  callId: 'string',
  run: 'string',
  turn: 'number',
  position: 'string',
  idempotencyKey: 'string',
  askedAt: 'number',
  isLogged: 'boolean',
  seal: 'string',
};

type Binding = Pick<PendingCall, 'principal' | 'conversation' | 'tenant'>;

function createBinding({ principal }: RunMetadata, { conversation, tenant }: Home): Binding {
  return { principal: principal ?? null, conversation, tenant };
}

function sealRecord(seals: Seals, record: Omit<PendingCall, 'seal'>): PendingCall {
  return Object.freeze({ ...record, seal: seals.seal('pending call', serialiseRecord(record)) });
}

function serialiseRecord(record: Partial<PendingCall>): string {
  return JSON.stringify(sortKeys({ ...record, seal: undefined }));
}

/** Hashes the tool's declaration for the model, and the effect that a person decides by. */
function hashDeclaration({ metadata, hints }: RenderedTool): string {
  const { destructive = null } = hints;
  return sha256(JSON.stringify([hashContract(metadata), getEffect(hints), destructive]));
}

function requirePendingRecord(pending: unknown): PendingCall {
  if (!isObject(pending))
    throw createMisfitError(`expected the pending call of an ApprovalPendingError, got ${describeValue(pending)}`);
  const record = pending as Readonly<Record<string, unknown>>;
  const { version } = record;
  if (version !== VERSION)
    throw createMisfitError(`its version is ${describeValue(version)}, and ${String(VERSION)} is known`);
  for (const [field, kind] of Object.entries(kinds)) {
    if (typeof record[field] !== kind)
      throw createMisfitError(`${field} is ${describeValue(record[field])}, not a ${kind}`);
  }
  const excess = walkValue(record, PENDING_CALL_EXTENT);
  if (excess === 'depth') throw createMisfitError('it is nested too deeply');
  if (excess === 'values') throw createMisfitError('it holds too many values');
  const { arguments: given } = record;
  if (typeof given !== 'string' && typeof given !== 'object')
    throw createMisfitError(`arguments is ${describeValue(given)}, neither a text nor an object`);
  return pending as PendingCall;
}

/** Checks that no field has changed since the record was sealed. */
function isUnchanged(record: PendingCall, call: ToolCall, seals: Seals): boolean {
  const { run, turn, position, conversation, tenant, seal, idempotencyKey: key } = record;
  const home = { conversation, tenant };
  try {
    const isKey = key === createIdempotencyKey({ home, run: () => run, turn, position }, call);
    return isKey && seals.verify('pending call', serialiseRecord(record), seal);
  } catch {
    // JSON cannot hold the value, so the record never did.
    return false;
  }
}

/** Copies the arguments, `{}` by default; returns undefined if JSON cannot hold them. */
function copyPlainArguments(given: ToolCall['arguments'] | undefined): ToolCall['arguments'] | undefined {
  if (typeof given === 'string') return given;
  try {
    return JSON.parse(JSON.stringify(given ?? {})) as ToolCall['arguments'];
  } catch {
    return undefined;
  }
}

function formatPromptName({ prompt: { ns, key } }: RenderedPrompt): string {
  return `${ns}/${key}`;
}

function createMisfitError(problem: string): PromptEvaluationError {
  const whole = `the pending call does not fit, and nothing was run: ${problem}`;
  return createEvaluationError(whole, { phase: 'tool', code: 'E712' });
}
