import { brand } from '../common/brand.js';
import { PromptError } from './PromptError.js';

/** The model's request to see sections in full, or to get the tools that it found. */
export interface ExpansionRequest {
  /** The keys as the model sent them; the paths that a search found. */
  readonly sectionKeys: readonly string[];
  /** The reason given by the model. */
  readonly reason: string;
  /** Dotted path → `'full'`: the overrides for the next rendering. */
  readonly requestedOverrides: Readonly<Record<string, 'full'>>;
  /** The names of the tools that a search found: the argument of `AddFoundTools`. Undefined for a request without a search. */
  readonly requestedTools?: readonly string[] | undefined;
  /** A text for the model that follows the answer to a search. */
  readonly note?: string | undefined;
}

/**
 * A control signal, not a fault: the model requests summarised sections in full, or tools that it has found
 * (docs/contract.md, 12).
 */
export class VisibilityExpansionRequired extends PromptError {
  readonly sectionKeys: readonly string[];
  readonly reason: string;
  readonly requestedOverrides: Readonly<Record<string, 'full'>>;
  /** The names of the tools that a search found; undefined for a request without a search. */
  readonly requestedTools: readonly string[] | undefined;
  /** A text for the model that follows the answer to a search. */
  readonly note: string | undefined;

  constructor({ sectionKeys, reason, requestedOverrides, requestedTools, note }: ExpansionRequest) {
    const kind = requestedTools === undefined ? 'sections' : 'tools';
    const names = [...(requestedTools ?? []), ...sectionKeys].join(', ');
    super(`Visibility expansion required for ${kind}: ${names}. Reason: ${reason}`, { code: 'E606' });
    this.sectionKeys = Object.freeze([...sectionKeys]);
    this.reason = reason;
    this.requestedTools = requestedTools && Object.freeze([...requestedTools]);
    this.note = note;
    this.requestedOverrides = Object.freeze(
      Object.assign(Object.create(null) as Record<string, 'full'>, requestedOverrides),
    );
  }
}
brand(VisibilityExpansionRequired, 'VisibilityExpansionRequired');
