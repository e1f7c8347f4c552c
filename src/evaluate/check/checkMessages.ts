import { isThenable } from '../../common/classes.js';
import { isArray } from '../../common/guards.js';
import { DEFAULT_PART_BYTES, MAX_NAMED_MESSAGES } from '../../common/limits.js';
import { describeValue, didYouMean, joinBounded, quote } from '../../common/text.js';
import { createPromptError, PromptError } from '../../error/PromptError.js';
import type { Message } from '../../value/Message.js';
import { getFirstLine, MessageReader, type ReaderOptions } from '../../value/MessageReader.js';
import type { ToolCall } from '../../value/ToolCall.js';

type GivenRules = Omit<ReaderOptions, 'fail'>;
type Fail = ReaderOptions['fail'];

export interface MessageRules {
  /** The most bytes that the parts of one message have together; 20 MiB when left out. */
  readonly partLimit?: number | undefined;
  /** True for messages of a record, in which the fields `note` and `tools` may occur. False when left out. */
  readonly recorded?: boolean | undefined;
}

/** An assistant message with calls, and the calls that no message has answered yet. */
interface Turn {
  /** The message's index. */
  readonly at: number;
  readonly calls: ReadonlyMap<string, ToolCall>;
  readonly open: Set<string>;
}

/**
 * Checks messages that come from outside before any of them is sent: each for its form, and all together for calls that are
 * answered once, directly after they were made (docs/contract.md, 16).
 *
 * @param place the method that was called, e.g. `app.evaluate`
 * @returns frozen copies, so that later changes of the caller are not sent
 * @throws PromptError E412 with the index of each message that is wrong
 */
export function checkMessages(place: string, given: unknown, rules: MessageRules = {}): readonly Message[] {
  const fail = (path: string, problem: string, remedy?: string, cause?: unknown): never => {
    throw createPromptError(`${path}: ${problem}`, { code: 'E412', place, remedy, cause });
  };
  const { partLimit = DEFAULT_PART_BYTES, recorded = false } = rules;
  try {
    return given === undefined ? Object.freeze([]) : readMessages(given, { partLimit, recorded }, fail);
  } catch (thrown) {
    if (thrown instanceof PromptError && thrown.code === 'E412') throw thrown;
    return fail('messages', `could not be read: ${getFirstLine(thrown)}`, undefined, thrown);
  }
}

function readMessages(given: unknown, rules: GivenRules, fail: Fail): readonly Message[] {
  if (!isArray(given)) {
    const came = isThenable(given) ? 'a promise that was not awaited' : describeValue(given);
    return fail('messages', `expected a list of messages, got ${came}`);
  }
  const messages = readEach(given, rules, fail);
  let turn: Turn | undefined;
  for (const [index, message] of messages.entries()) {
    const path = `messages[${String(index)}]`;
    if (message.role === 'tool') answer(turn, message, path, fail);
    else {
      refuseOpenCalls(turn, `${path} of the role ${message.role}`, fail);
      turn = readTurn(message, index);
    }
  }
  refuseOpenCalls(turn, 'the end', fail);
  return Object.freeze(messages);
}

class MessageFault {
  constructor(readonly given: Parameters<Fail>) {}
}

/** Reads each message by itself, and refuses all that have faults at once. */
function readEach(given: readonly unknown[], rules: GivenRules, fail: Fail): readonly Message[] {
  const reader = new MessageReader({
    ...rules,
    fail: (...fault) => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- caught below
      throw new MessageFault(fault);
    },
  });
  const faults: Parameters<Fail>[] = [];
  const messages: Message[] = [];
  // Not `map`, which leaves out holes.
  for (let index = 0; index < given.length && faults.length < MAX_NAMED_MESSAGES; index++) {
    try {
      messages.push(reader.read(given[index], `messages[${String(index)}]`));
    } catch (thrown) {
      if (!(thrown instanceof MessageFault)) throw thrown;
      faults.push(thrown.given);
    }
  }
  const [first, ...others] = faults;
  if (first === undefined) return messages;
  const also = others.map(([path, problem]) => `; ${path}: ${problem}`).join('');
  const [path, problem, remedy] = first;
  return fail(path, problem + also, remedy);
}

function readTurn(message: Message, at: number): Turn | undefined {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return undefined;
  const calls = new Map(message.toolCalls.map((call) => [call.id, call]));
  return { at, calls, open: new Set(calls.keys()) };
}

function answer(
  turn: Turn | undefined,
  { toolCallId: id, name }: Extract<Message, { readonly role: 'tool' }>,
  path: string,
  fail: Fail,
): void {
  if (turn === undefined) {
    const remedy = 'Put it directly after the message of the assistant that makes the call, or leave it out.';
    return fail(path, 'expected a call before it that it answers, and the message before it makes none', remedy);
  }
  const call = turn.calls.get(id);
  const made = `messages[${String(turn.at)}]`;
  if (call === undefined) {
    const ids = [...turn.calls.keys()];
    const hint = didYouMean(id, ids);
    const problem = `expected the id of a call of ${made} (${listNames(ids)}), got the string ${quote(id)}.${hint}`;
    return fail(`${path}.toolCallId`, problem, 'Give it the id of the call that it answers.');
  }
  if (!turn.open.delete(id))
    fail(`${path}.toolCallId`, `expected one answer to each call, got a second one to ${quote(id)}`, 'Leave it out.');
  if (name !== call.name && name !== call.wireName) {
    const problem = `expected ${quote(call.name)}, the tool that the call ${quote(id)} of ${made} names, got ${quote(name)}`;
    fail(`${path}.name`, problem, 'Give it the name of the called tool.');
  }
}

function refuseOpenCalls(turn: Turn | undefined, before: string, fail: Fail): void {
  if (turn === undefined || turn.open.size === 0) return;
  const problem = `expected an answer to each call before ${before}, got none to ${listNames([...turn.open])}`;
  const remedy =
    "Answer each call directly after it: { role: 'tool', toolCallId, name, content, failed }; or leave the calls out.";
  fail(`messages[${String(turn.at)}].toolCalls`, problem, remedy);
}

function listNames(ids: readonly string[]): string {
  const quoted = ids.map((id) => quote(id));
  return joinBounded(quoted, 5);
}
