import { sha256 } from '../common/builtins.js';
import { describeValue } from '../common/text.js';
import { ApprovalPendingError, type PendingCall } from '../error/ApprovalPendingError.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { ApprovalAnswer } from '../interface/Approver.js';
import type { RunMetadata } from '../interface/RunMetadata.js';
import { contractHash } from '../override/descriptor.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { holdsSecrets } from '../schema/secrets.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { CallPlace } from './CallRun.js';
import { canonical, idempotencyKey, identityOf } from './idempotencyKey.js';
import type { IncomingCall } from './IncomingCall.js';
import { denied, escaping, type CallResult } from './outcomes.js';
import type { ApprovalMissing } from './ProgramCaller.js';
import { withoutRepeatedKeys } from './repeatedKeys.js';

const VERSION = 2;

/**
 * Makes the record of a call that waits for its approval, to be continued later.
 *
 * @returns the reason why it cannot be continued, as a clause that follows "because"
 */
export function pendingCallOf({ call, run, place, tool }: IncomingCall, askedAt: number): PendingCall | string {
  if (place.parentCall !== undefined || run.parentCall !== undefined)
    return 'a handler made the call, and cannot be continued in its middle';
  const params = tool?.metadata.params ?? null;
  if (params !== null && holdsSecrets(params)) return 'the arguments may hold a secret, which must not be written down';
  const identity = identityOf(run, place);
  const given = copyOf(withoutRepeatedKeys(call).arguments);
  const key = given === undefined ? undefined : idempotencyKey(identity, { ...call, arguments: given });
  if (key === undefined || key !== idempotencyKey(identity, call))
    return 'the arguments are not what JSON would give back';
  return sealed({
    version: VERSION,
    prompt: nameOf(run.rendered),
    tool: call.name,
    toolHash: tool === undefined ? '' : contractHash(tool.metadata),
    ...boundTo(run.metadata),
    callId: call.id,
    arguments: given as PendingCall['arguments'],
    run: run.id(),
    turn: identity.turn,
    position: identity.position,
    idempotencyKey: key,
    askedAt,
    isLogged: place.record !== undefined,
  });
}

/**
 * The result of a call whose program made a call that waits for an approval: the program is rolled back, and is continued as a
 * whole. A call within a program leaves that to the program.
 */
export function suspended(incoming: IncomingCall, missing: ApprovalMissing): CallResult {
  if (incoming.place.program !== undefined) return escaping('denied', missing);
  const pending = pendingCallOf(incoming, missing.askedAt);
  if (typeof pending !== 'string') return escaping('denied', new ApprovalPendingError(pending));
  return denied(incoming.call, `a call of the program needs an approval at once, because ${pending}`);
}

/** The parts of a recorded call that is continued. */
export interface Continuation {
  readonly call: ToolCall;
  readonly run: string;
  readonly place: CallPlace;
}

/**
 * Reads a record that may come from anywhere.
 *
 * @throws PromptEvaluationError E712
 */
export function continuationOf(
  pending: PendingCall,
  rendered: RenderedPrompt,
  answer: ApprovalAnswer,
  metadata: RunMetadata = {},
): Continuation {
  const record = checked(pending);
  const { prompt, tool, callId, arguments: given, run, turn, position, idempotencyKey: key } = record;
  if (record.isLogged) throw misfit('its conversation asks for the answer, which is given to conversation.reply');
  if (prompt !== nameOf(rendered))
    throw misfit(`it is a call of ${describeValue(prompt)}, and the rendering is of ${nameOf(rendered)}`);
  for (const [field, here] of Object.entries(boundTo(metadata))) {
    const there = record[field as keyof Binding];
    if (there !== here)
      throw misfit(`its ${field} is ${describeValue(there)}, and runMetadata.${field} is ${describeValue(here)}`);
  }
  const current = rendered.toolsByName.get(tool);
  if (current !== undefined && contractHash(current.metadata) !== record.toolHash)
    throw misfit(
      `${tool} is not the tool any more that was to be approved: its description, schema or examples changed`,
    );
  const call: ToolCall = { id: callId, name: tool, arguments: given };
  const place = { turn, position, answer };
  if (record.digest !== digestOf(record) || key !== idempotencyKey({ run: () => run, turn, position }, call))
    throw misfit('a field is not what was written');
  return { call, run, place };
}

const kinds: Readonly<
  Record<Exclude<keyof PendingCall, 'version' | 'arguments' | keyof Binding>, 'string' | 'number' | 'boolean'>
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
  digest: 'string',
};

type Binding = Pick<PendingCall, 'principal' | 'conversation'>;

function boundTo({ principal, conversation }: RunMetadata): Binding {
  return { principal: principal ?? null, conversation: conversation ?? null };
}

function sealed(record: Omit<PendingCall, 'digest'>): PendingCall {
  return Object.freeze({ ...record, digest: digestOf(record) });
}

function digestOf(record: Partial<PendingCall>): string {
  return sha256(JSON.stringify(canonical({ ...record, digest: undefined })));
}

function checked(pending: unknown): PendingCall {
  if (typeof pending !== 'object' || pending === null)
    throw misfit(`expected what ApprovalPendingError held, got ${describeValue(pending)}`);
  const record = pending as Readonly<Record<string, unknown>>;
  const { version } = record;
  if (version !== VERSION) throw misfit(`its version is ${describeValue(version)}, and ${String(VERSION)} is known`);
  for (const [field, kind] of Object.entries(kinds)) {
    if (typeof record[field] !== kind) throw misfit(`${field} is ${describeValue(record[field])}, not a ${kind}`);
  }
  const { arguments: given } = record;
  if (typeof given !== 'string' && typeof given !== 'object')
    throw misfit(`arguments is ${describeValue(given)}, neither a text nor an object`);
  return pending as PendingCall;
}

/** Copies the arguments, those of a call without any as well; undefined if JSON cannot hold them. */
function copyOf(given: ToolCall['arguments'] | undefined): ToolCall['arguments'] | undefined {
  if (typeof given === 'string') return given;
  try {
    return JSON.parse(JSON.stringify(given ?? {})) as ToolCall['arguments'];
  } catch {
    return undefined;
  }
}

function nameOf({ prompt: { ns, key } }: RenderedPrompt): string {
  return `${ns}/${key}`;
}

function misfit(problem: string): PromptEvaluationError {
  return new PromptEvaluationError(`The pending call does not fit: ${problem}. Nothing was run.`, {
    phase: 'tool',
    code: 'E712',
  });
}
