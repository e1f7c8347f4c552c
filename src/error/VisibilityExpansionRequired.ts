import { brand } from '../common/brand.js';
import { PromptError } from './PromptError.js';

/** The model's request to see sections in full. */
export interface ExpansionRequest {
  /** The keys as the model sent them. */
  readonly sectionKeys: readonly string[];
  /** The reason given by the model. */
  readonly reason: string;
  /** Dotted path → `'full'`: the overrides for the next rendering. */
  readonly requestedOverrides: Readonly<Record<string, 'full'>>;
}

/** A control signal, not a fault: the model requests summarised sections in full (docs/contract.md, 12). */
export class VisibilityExpansionRequired extends PromptError {
  readonly sectionKeys: readonly string[];
  readonly reason: string;
  readonly requestedOverrides: Readonly<Record<string, 'full'>>;

  constructor({ sectionKeys, reason, requestedOverrides }: ExpansionRequest) {
    super(`Visibility expansion required for sections: ${sectionKeys.join(', ')}. Reason: ${reason}`, { code: 'E606' });
    this.sectionKeys = Object.freeze([...sectionKeys]);
    this.reason = reason;
    this.requestedOverrides = Object.freeze(
      Object.assign(Object.create(null) as Record<string, 'full'>, requestedOverrides),
    );
  }
}
brand(VisibilityExpansionRequired, 'VisibilityExpansionRequired');
