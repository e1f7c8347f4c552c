import { type JSONRPCMessage, JSONRPCMessageSchema, type RequestId } from '@modelcontextprotocol/sdk/types.js';
import { isObject } from 'toolwright/internal/light';
import { MAX_BATCH_MESSAGES, MAX_ENVELOPE_NAME_CHARS } from '../../limits.js';
import { findEnvelopeFault } from './findEnvelopeFault.js';

/** The JSON-RPC error of a body that is not a message of the protocol. */
interface MessageFault {
  readonly code: number;
  readonly message: string;
  /** The id of the request, if it can be read. */
  readonly id?: RequestId | undefined;
}

/** The messages of a body, or its fault. */
type MessagesRead =
  | { readonly ok: true; readonly messages: readonly JSONRPCMessage[]; readonly isBatch: boolean }
  | { readonly ok: false; readonly fault: MessageFault };

/** Reads the messages of a parsed body: a single one or a batch. */
export function readMessages(body: unknown): MessagesRead {
  const isBatch = Array.isArray(body);
  const all: readonly unknown[] = isBatch ? body : [body];
  if (all.length === 0 || all.length > MAX_BATCH_MESSAGES)
    return {
      ok: false,
      fault: { code: -32600, message: `A batch holds 1 to ${String(MAX_BATCH_MESSAGES)} messages.` },
    };
  const messages: JSONRPCMessage[] = [];
  for (const each of all) {
    const excess = findEnvelopeFault(each);
    if (excess !== undefined) return { ok: false, fault: { code: -32600, message: excess, id: readId(each) } };
    const parsed = JSONRPCMessageSchema.safeParse(each);
    if (!parsed.success)
      return { ok: false, fault: { code: -32600, message: 'This is not a JSON-RPC 2.0 message.', id: readId(each) } };
    messages.push(parsed.data);
  }
  return { ok: true, messages, isBatch };
}

function readId(value: unknown): RequestId | undefined {
  if (!isObject(value) || !('id' in value)) return undefined;
  const { id } = value;
  return (typeof id === 'string' && id.length <= MAX_ENVELOPE_NAME_CHARS) || typeof id === 'number' ? id : undefined;
}
