import { mapStrings } from '../../common/mapStrings.js';
import { TimeSlice } from '../../common/TimeSlice.js';
import { isObject, isRecord } from '../../common/guards.js';
import { MAX_VALUES, MIN_SECRET_CHARS } from '../../common/limits.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { RenderedPrompt } from '../../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import { findDepthIssue, findTextIssue } from '../../schema/limits.js';
import { readAlmostJson } from '../../schema/repair/readAlmostJson.js';
import { HIDDEN, holdsSecrets, SecretHider } from '../../schema/write/secrets.js';
import { removeBytes } from '../../value/describePart.js';
import type { Message } from '../../value/Message.js';
import type { ToolCall } from '../../value/ToolCall.js';
import { SecretRedaction, createKeyRedactor, type RedactHook } from './SecretRedaction.js';
import { readArguments } from '../admit/parseArguments.js';
import { SecretTexts } from './SecretTexts.js';

const tooManySecrets: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message:
    `the secret params hold too much to be kept out of results and logs: expected at most ${String(MAX_VALUES)} values of JSON, got more; ` +
    'send less, or the name of the place where the secrets are',
});

const NO_TOOLS: RenderedPrompt['toolsByName'] = new Map();

/**
 * Keeps secrets out of records: events, logs and transcripts (docs/contract.md, 2 and 9). Costs nothing for tools without secret
 * params in an application without a hook.
 */
export class Redaction {
  readonly #hook: RedactHook | undefined;
  readonly #escaped = new WeakMap<object, SecretRedaction>();
  /** Redacted calls: events, streams, bundles and transcripts share the same one. */
  readonly #kept = new WeakMap<ToolCall, KeptSecrets>();

  constructor(hook?: RedactHook) {
    this.#hook = hook;
  }

  /**
   * Creates the redaction for one call; returns undefined when there is nothing to hide.
   *
   * @param tools the tools that the name of an unknown tool may have meant
   */
  ofCall(
    tool: RenderedTool | undefined,
    args: ToolCall['arguments'],
    tools: RenderedPrompt['toolsByName'] = NO_TOOLS,
  ): SecretRedaction | undefined {
    if (tool === undefined && [...tools.values()].some(hasSecrets))
      return new SecretRedaction(this.#hook, {
        texts: new SecretTexts([]),
        arguments: hideValues(readArguments(args)),
      });
    const shape = tool?.metadata.params ?? undefined;
    const secret = shape !== undefined && holdsSecrets(shape) ? shape : undefined;
    if (secret === undefined) return this.#hook === undefined ? undefined : new SecretRedaction(this.#hook);
    // Arguments that are too large are refused before a handler could repeat them, and searching them could take any time.
    if (typeof args === 'string' && findTextIssue(args) !== undefined)
      return new SecretRedaction(this.#hook, { texts: new SecretTexts([]), arguments: HIDDEN });
    const hider = new SecretHider('wire');
    const given = readMeantArguments(args);
    // Arguments nested too deeply are refused anyway, and must not be walked.
    const shown = findDepthIssue(given) === undefined ? hider.object(secret, given) : HIDDEN;
    const texts = [...hider.texts].filter(({ length }) => length >= MIN_SECRET_CHARS);
    return new SecretRedaction(this.#hook, {
      texts: new SecretTexts(hider.isComplete ? texts : []),
      arguments: shown,
      params: (params) => new SecretHider('instance').object(secret, params),
      refusal: hider.isComplete ? undefined : tooManySecrets,
    });
  }

  /**
   * Creates the redaction for the texts of several calls; returns undefined when there is nothing to hide.
   *
   * @param secrets secret texts, as `SecretRedaction.secrets` returns them
   */
  ofTexts(secrets: Iterable<string>): SecretRedaction | undefined {
    const texts = new SecretTexts(secrets);
    if (texts.all.length === 0 && this.#hook === undefined) return undefined;
    return new SecretRedaction(this.#hook, { texts, arguments: HIDDEN });
  }

  /** Remembers an error that escapes from a call, so that the events of its run also hide that call's secrets. */
  rememberEscape(error: unknown, redaction: SecretRedaction | undefined): void {
    if (redaction === undefined || !isObject(error)) return;
    // It may have escaped from an inner call before.
    const inner = this.#escaped.get(error);
    const both = inner && this.ofTexts([...inner.secrets, ...redaction.secrets]);
    this.#escaped.set(error, both ?? redaction);
  }

  /** True if a hook removes texts; it can find them only in whole texts. */
  get hasHook(): boolean {
    return this.#hook !== undefined;
  }

  /** Returns the value as it may be recorded. */
  redact<T>(value: T): T {
    const call = isObject(value) ? this.#escaped.get(value) : undefined;
    if (call !== undefined) return call.redact(value);
    return this.#hook === undefined ? value : mapStrings(value, this.#hook, { key: createKeyRedactor(this.#hook) });
  }

  /** Returns the conversation as it may be recorded: without secrets, and with a line of text in place of the bytes of a part. */
  redactTranscript(messages: readonly Message[], toolsByName: RenderedPrompt['toolsByName']): readonly Message[] {
    const byCall = new Map<string, KeptSecrets>();
    return messages.map((message) => {
      if (message.role === 'tool')
        return this.#redactAnswer(removePartBytes(message), byCall.get(message.toolCallId)?.redaction);
      if (message.role !== 'assistant') return this.redact(removePartBytes(message));
      const { native, toolCalls, ...said } = message;
      const calls = toolCalls?.map((call) => {
        const kept = this.#keep(call, toolsByName);
        // Some providers use an id again in a later turn.
        byCall.set(call.id, kept);
        return kept.call;
      });
      // A provider accepts its native form only unchanged; if something in it is hidden, only the rest of the message is kept.
      const isWhole =
        this.redact(native) === native && calls?.every((call, at) => call.arguments === toolCalls?.[at]?.arguments);
      return {
        ...this.redact(said),
        ...(calls === undefined ? {} : { toolCalls: calls }),
        ...(native === undefined || isWhole === false ? {} : { native }),
      };
    });
  }

  /** Returns the answer to a call without the call's secrets, including addresses of parts, which the provider fetches. */
  #redactAnswer<M extends Message>(message: M, call: SecretRedaction | undefined): M {
    if (call === undefined) return this.redact(message);
    call.startNextText();
    const { content, parts } = message as Extract<Message, { readonly role: 'tool' }>;
    // Separately: the name of a field may equal the text of a secret.
    return {
      ...message,
      content: call.redact(content),
      ...(parts === undefined ? {} : { parts: call.redact(parts) }),
    };
  }

  /** Returns a call of the model as it may be recorded. */
  call(call: ToolCall, tools: RenderedPrompt['toolsByName']): ToolCall {
    return this.#keep(call, tools).call;
  }

  /**
   * Redacts the calls of an answer before stream, bundle and transcript show them, and lets other work run in between. Returns
   * undefined if none of them can hold a secret.
   */
  prepare(calls: readonly ToolCall[], tools: RenderedPrompt['toolsByName']): Promise<void> | undefined {
    const mayHide = this.#hook !== undefined || [...tools.values()].some(hasSecrets);
    return mayHide && calls.length > 0 ? this.#prepare(calls, tools) : undefined;
  }

  async #prepare(calls: readonly ToolCall[], tools: RenderedPrompt['toolsByName']): Promise<void> {
    const slice = new TimeSlice();
    for (const call of calls) {
      if (slice.isOver) await slice.next();
      this.#keep(call, tools);
    }
  }

  #keep(call: ToolCall, tools: RenderedPrompt['toolsByName']): KeptSecrets {
    const { arguments: given } = call;
    const known = this.#kept.get(call);
    if (known?.tools === tools && known.given === given) return known;
    const redaction = this.ofCall(tools.get(call.name), given, tools);
    const shown = redaction === undefined ? call : { ...call, arguments: redaction.redactArguments(given) };
    const kept = { tools, given, call: shown, redaction: redaction?.withTexts() };
    // An object may change before the next time.
    if (typeof given === 'string') this.#kept.set(call, kept);
    return kept;
  }
}

/** A redacted call, and the values that it was computed from. */
interface KeptSecrets {
  readonly tools: RenderedPrompt['toolsByName'];
  readonly given: ToolCall['arguments'];
  readonly call: ToolCall;
  /** Hides the secrets of the call in its answer. */
  readonly redaction: SecretRedaction | undefined;
}

function hasSecrets({ metadata: { params } }: RenderedTool): boolean {
  return params !== null && holdsSecrets(params);
}

/** Reads the arguments as a repair would, so that a trailing comma does not hide which of them are secret. */
function readMeantArguments(args: ToolCall['arguments']): unknown {
  let given: unknown = readArguments(args);
  for (let times = 0; typeof given === 'string' && times < 2; times++) {
    const read = findTextIssue(given) === undefined ? readAlmostJson(given) : undefined;
    if (read === undefined) return given;
    given = read.value;
  }
  return given;
}

/** Hides all arguments of an unknown tool: any of them may be a secret of the tool that was meant. */
function hideValues(given: unknown): unknown {
  if (!isRecord(given)) return HIDDEN;
  return Object.fromEntries(Object.keys(given).map((key) => [key, HIDDEN]));
}

function removePartBytes(message: Exclude<Message, { readonly role: 'assistant' }>): Message {
  if (message.role === 'system' || message.parts === undefined) return message;
  const parts = removeBytes(message.parts);
  return parts === message.parts ? message : { ...message, parts };
}
