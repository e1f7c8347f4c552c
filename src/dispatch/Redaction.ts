import { mapStrings } from '../common/mapStrings.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { Logger } from '../interface/Logger.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import { depthIssue, MAX_VALUES, textIssue } from '../schema/limits.js';
import { readAlmostJson } from '../schema/repair/readAlmostJson.js';
import { HIDDEN, holdsSecrets, SecretHider } from '../schema/secrets.js';
import { withoutBytes } from '../value/describePart.js';
import type { Message } from '../value/Message.js';
import { RejectedToolParams } from '../value/RejectedToolParams.js';
import type { ToolCall } from '../value/ToolCall.js';
import { readArguments } from './parseArguments.js';
import { SecretTexts, SHORTEST_SECRET } from './SecretTexts.js';

/** Removes from a text what must not be kept; returns the text itself if there is nothing to remove. */
export type RedactHook = (text: string) => string;

/** The issue of arguments whose secrets could not all be hidden. */
const tooManySecrets: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message:
    `the secret params hold too much to be kept out of results and logs: expected at most ${String(MAX_VALUES)} values of JSON, got more; ` +
    'send less, or the name of the place where the secrets are',
});

const NO_TOOLS: RenderedPrompt['toolsByName'] = new Map();

/**
 * Keeps secrets out of what is recorded: events, logs and transcripts (docs/contract.md, 2 and 9). Costs nothing for tools
 * without secret params in an application without a hook.
 */
export class Redaction {
  readonly #hook: RedactHook | undefined;
  readonly #escaped = new WeakMap<object, CallRedaction>();
  /** Calls as they may be kept: events, streams, bundles and transcripts show the same one. */
  readonly #kept = new WeakMap<ToolCall, KeptCall>();

  constructor(hook?: RedactHook) {
    this.#hook = hook;
  }

  /**
   * For one call; undefined when there is nothing to hide.
   *
   * @param tools those that could have been meant by the name of an unknown tool
   */
  ofCall(
    tool: RenderedTool | undefined,
    args: ToolCall['arguments'],
    tools: RenderedPrompt['toolsByName'] = NO_TOOLS,
  ): CallRedaction | undefined {
    if (tool === undefined && [...tools.values()].some(hasSecrets))
      return new CallRedaction(this.#hook, {
        texts: new SecretTexts([]),
        arguments: withoutValues(readArguments(args)),
      });
    const shape = tool?.metadata.params ?? undefined;
    const secret = shape !== undefined && holdsSecrets(shape) ? shape : undefined;
    if (secret === undefined) return this.#hook === undefined ? undefined : new CallRedaction(this.#hook);
    // Arguments that are too large are refused before a handler could repeat them, and may take any time to search.
    if (typeof args === 'string' && textIssue(args) !== undefined)
      return new CallRedaction(this.#hook, { texts: new SecretTexts([]), arguments: HIDDEN });
    const hider = new SecretHider('wire');
    const given = meantArguments(args);
    // Arguments nested too deeply are refused anyway, and must not be walked.
    const shown = depthIssue(given) === undefined ? hider.object(secret, given) : HIDDEN;
    const texts = [...hider.texts].filter(({ length }) => length >= SHORTEST_SECRET);
    return new CallRedaction(this.#hook, {
      texts: new SecretTexts(hider.isComplete ? texts : []),
      arguments: shown,
      params: (params) => new SecretHider('instance').object(secret, params),
      refusal: hider.isComplete ? undefined : tooManySecrets,
    });
  }

  /**
   * For what several calls have left: undefined when there is nothing to hide.
   *
   * @param secrets their texts, as `CallRedaction.secrets` gives them
   */
  ofTexts(secrets: Iterable<string>): CallRedaction | undefined {
    const texts = new SecretTexts(secrets);
    if (texts.all.length === 0 && this.#hook === undefined) return undefined;
    return new CallRedaction(this.#hook, { texts, arguments: HIDDEN });
  }

  /** Remembers an error that escapes from a call, so that the events of its run hide the secrets of that call as well. */
  escapes(error: unknown, redaction: CallRedaction | undefined): void {
    if (redaction === undefined || typeof error !== 'object' || error === null) return;
    // It may have escaped from an inner call before.
    const inner = this.#escaped.get(error);
    const both = inner && this.ofTexts([...inner.secrets, ...redaction.secrets]);
    this.#escaped.set(error, both ?? redaction);
  }

  /** True if a hook removes texts, which it can only find whole. */
  get hasHook(): boolean {
    return this.#hook !== undefined;
  }

  /** Returns the value as it may be recorded. */
  recorded<T>(value: T): T {
    const call = typeof value === 'object' && value !== null ? this.#escaped.get(value) : undefined;
    if (call !== undefined) return call.recorded(value);
    return this.#hook === undefined ? value : mapStrings(value, this.#hook, { key: keysBy(this.#hook) });
  }

  /** Returns the conversation as it may be kept: without secrets, and with a line of text in place of the bytes of a part. */
  transcript(messages: readonly Message[], toolsByName: RenderedPrompt['toolsByName']): readonly Message[] {
    const byCall = new Map<string, () => CallRedaction | undefined>();
    return messages.map((message) => {
      if (message.role === 'tool') return this.#answer(withoutPartBytes(message), byCall.get(message.toolCallId)?.());
      if (message.role !== 'assistant') return this.recorded(withoutPartBytes(message));
      const { native, toolCalls, ...said } = message;
      // Some providers use an id again in a later turn.
      const calls = toolCalls?.map((call) => {
        byCall.set(call.id, () => this.ofCall(toolsByName.get(call.name), call.arguments, toolsByName));
        return this.call(call, toolsByName);
      });
      // A provider accepts its own form only unchanged; if it held something hidden, the rest of the message has to do.
      const isWhole =
        this.recorded(native) === native && calls?.every((call, at) => call.arguments === toolCalls?.[at]?.arguments);
      return {
        ...this.recorded(said),
        ...(calls === undefined ? {} : { toolCalls: calls }),
        ...(native === undefined || isWhole === false ? {} : { native }),
      };
    });
  }

  /** Returns the answer to a call without the secrets of that call: the provider fetches parts at addresses that hold them. */
  #answer<M extends Message>(message: M, call: CallRedaction | undefined): M {
    if (call === undefined) return this.recorded(message);
    const { content, parts } = message as Extract<Message, { readonly role: 'tool' }>;
    // One by one: the name of a field may be the text of a secret.
    return {
      ...message,
      content: call.recorded(content),
      ...(parts === undefined ? {} : { parts: call.recorded(parts) }),
    };
  }

  /** Returns a call of the model as it may be kept. */
  call(call: ToolCall, tools: RenderedPrompt['toolsByName']): ToolCall {
    const known = this.#kept.get(call);
    if (known?.tools === tools && known.given === call.arguments) return known.call;
    const redaction = this.ofCall(tools.get(call.name), call.arguments, tools);
    const kept = redaction === undefined ? call : { ...call, arguments: redaction.arguments(call.arguments) };
    // An object may change until the next time.
    if (typeof call.arguments === 'string') this.#kept.set(call, { tools, given: call.arguments, call: kept });
    return kept;
  }
}

/** A call as it may be kept, and what that depends on. */
interface KeptCall {
  readonly tools: RenderedPrompt['toolsByName'];
  readonly given: string;
  readonly call: ToolCall;
}

/** A hook that fails hides whole texts. Keys it leaves as they are: a record without its fields would say nothing. */
function keysBy(hook: RedactHook): RedactHook {
  return (key) => {
    const shown = hook(key);
    return shown === HIDDEN ? key : shown;
  };
}

function hasSecrets({ metadata: { params } }: RenderedTool): boolean {
  return params !== null && holdsSecrets(params);
}

/** The arguments as a repair reads them, so that a comma too many does not hide which of them are secrets. */
function meantArguments(args: ToolCall['arguments']): unknown {
  let given: unknown = readArguments(args);
  for (let times = 0; typeof given === 'string' && times < 2; times++) {
    const read = textIssue(given) === undefined ? readAlmostJson(given) : undefined;
    if (read === undefined) return given;
    given = read.value;
  }
  return given;
}

/** The arguments of an unknown tool: any of them may be the secret of the tool that was meant. */
function withoutValues(given: unknown): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return HIDDEN;
  return Object.fromEntries(Object.keys(given).map((key) => [key, HIDDEN]));
}

function withoutPartBytes(message: Exclude<Message, { readonly role: 'assistant' }>): Message {
  if (message.role === 'system' || message.parts === undefined) return message;
  const parts = withoutBytes(message.parts);
  return parts === message.parts ? message : { ...message, parts };
}

interface Secrets {
  readonly texts: SecretTexts;
  readonly arguments: unknown;
  /** Unset for a call that has none. */
  readonly params?: ((params: unknown) => unknown) | undefined;
  readonly refusal?: ParamIssue | undefined;
}

/** Removes the secrets of one call. */
export class CallRedaction {
  readonly #hook: RedactHook | undefined;
  readonly #secrets: Secrets | undefined;

  constructor(hook: RedactHook | undefined, secrets?: Secrets) {
    this.#hook = hook;
    this.#secrets = secrets;
  }

  /** The texts of its secrets, longest first. */
  get secrets(): readonly string[] {
    return this.#secrets?.texts.all ?? [];
  }

  /** Set for a call that must not run, since its secrets are too many to be found in its texts. */
  get refusal(): ParamIssue | undefined {
    return this.#secrets?.refusal;
  }

  /** Returns a text for the model: without the secrets of its own call, else unchanged. */
  readonly spoken = (text: string): string => this.#secrets?.texts.hiddenIn(text) ?? text;

  /** Returns a value for the model, such as structured content, without the secrets of its call. */
  spokenValue<T>(value: T): T {
    return mapStrings(value, this.spoken, { number: this.#number });
  }

  readonly #text = (text: string): string => {
    const spoken = this.spoken(text);
    return this.#hook === undefined ? spoken : this.#hook(spoken);
  };

  readonly #key = (key: string): string => {
    const spoken = this.spoken(key);
    return this.#hook === undefined ? spoken : keysBy(this.#hook)(spoken);
  };

  readonly #number = (number: number | bigint): number | bigint | string =>
    this.#secrets?.texts.has(String(number)) === true ? HIDDEN : number;

  /** Returns the value as it may be recorded. */
  recorded<T>(value: T): T {
    return mapStrings(value, this.#text, { key: this.#key, number: this.#number });
  }

  /** Wraps a logger so that it writes no secret of the call. */
  logger(logger: Logger): Logger {
    const write =
      (level: keyof Logger): Logger['info'] =>
      (message, fields) => {
        logger[level](this.recorded(message), this.recorded(fields));
      };
    return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  }

  /** Returns the params, or the refused arguments, as an event may show them. */
  params(params: unknown): unknown {
    if (this.#secrets === undefined) return this.recorded(params);
    if (params instanceof RejectedToolParams) return new RejectedToolParams(this.recorded(this.#secrets.arguments));
    return this.recorded(this.#secrets.params?.(params) ?? this.#secrets.arguments);
  }

  /** Returns the arguments as a transcript may show them, in the form in which they came. */
  arguments(given: ToolCall['arguments']): ToolCall['arguments'] {
    if (this.#secrets === undefined) return this.recorded(given);
    const shown = this.recorded(this.#secrets.arguments) as ToolCall['arguments'];
    return typeof given === 'string' && typeof shown !== 'string' ? JSON.stringify(shown) : shown;
  }
}
