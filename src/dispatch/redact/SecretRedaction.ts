import { mapStrings } from '../../common/mapStrings.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import type { Logger } from '../../interface/ports.js';
import { HIDDEN } from '../../schema/write/secrets.js';
import { RejectedToolParams, type ToolCall } from '../../value/ToolCall.js';
import type { SecretTexts } from './SecretTexts.js';

/** Removes parts of a text that must not be recorded; returns the text itself if there are none. */
export type RedactHook = (text: string) => string;

/** Adapts a hook to keys, which are kept if it fails: a record without field names would be useless. */
export function createKeyRedactor(hook: RedactHook): RedactHook {
  return (key) => {
    const shown = hook(key);
    return shown === HIDDEN ? key : shown;
  };
}

interface Secrets {
  readonly texts: SecretTexts;
  readonly arguments: unknown;
  /** Unset for a call without params. */
  readonly params?: ((params: unknown) => unknown) | undefined;
  readonly refusal?: ParamIssue | undefined;
}

/** Removes the secrets of one call. */
export class SecretRedaction {
  readonly #hook: RedactHook | undefined;
  readonly #secrets: Secrets | undefined;

  constructor(hook: RedactHook | undefined, secrets?: Secrets) {
    this.#hook = hook;
    this.#secrets = secrets;
  }

  /** The texts of the call's secrets, longest first. */
  get secrets(): readonly string[] {
    return this.#secrets?.texts.all ?? [];
  }

  /** Returns a redaction for other texts of the call, without its arguments, which may be large and would be kept for long. */
  withTexts(): SecretRedaction {
    if (this.#secrets === undefined) return this;
    return new SecretRedaction(this.#hook, { texts: this.#secrets.texts, arguments: HIDDEN });
  }

  /** Set for a call that must not run, because it has too many secrets to find in its texts. */
  get refusal(): ParamIssue | undefined {
    return this.#secrets?.refusal;
  }

  /** Searches the next text with the full budget, as if it were the first of the call. */
  startNextText(): void {
    this.#secrets?.texts.resetBudget();
  }

  /** Returns a text for the model: without the secrets of its own call, otherwise unchanged. */
  readonly spoken = (text: string): string => this.#secrets?.texts.hideSecrets(text) ?? text;

  /** Returns a value for the model, such as structured content, without the secrets of its call. */
  redactForModel<T>(value: T): T {
    return mapStrings(value, this.spoken, { number: this.#number });
  }

  readonly #text = (text: string): string => {
    const spoken = this.spoken(text);
    return this.#hook === undefined ? spoken : this.#hook(spoken);
  };

  readonly #key = (key: string): string => {
    const spoken = this.spoken(key);
    return this.#hook === undefined ? spoken : createKeyRedactor(this.#hook)(spoken);
  };

  readonly #number = (number: number | bigint): number | bigint | string =>
    this.#secrets?.texts.has(String(number)) === true ? HIDDEN : number;

  /** Returns the value as it may be recorded. */
  redact<T>(value: T): T {
    return mapStrings(value, this.#text, { key: this.#key, number: this.#number });
  }

  /** Wraps a logger so that it does not write secrets of the call. */
  wrapLogger(logger: Logger): Logger {
    const write =
      (level: keyof Logger): Logger['info'] =>
      (message, fields) => {
        logger[level](this.redact(message), this.redact(fields));
      };
    return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  }

  /** Returns the params, or the refused arguments, as an event may show them. */
  redactParams(params: unknown): unknown {
    if (this.#secrets === undefined) return this.redact(params);
    if (params instanceof RejectedToolParams) return new RejectedToolParams(this.redact(this.#secrets.arguments));
    return this.redact(this.#secrets.params?.(params) ?? this.#secrets.arguments);
  }

  /** Returns the arguments as a transcript may show them, as text or object like the given ones. */
  redactArguments(given: ToolCall['arguments']): ToolCall['arguments'] {
    if (this.#secrets === undefined) return this.redact(given);
    const shown = this.redact(this.#secrets.arguments) as ToolCall['arguments'];
    return typeof given === 'string' && typeof shown !== 'string' ? JSON.stringify(shown) : shown;
  }
}
