import { brand, hasBrand } from '../common/brand.js';
import { PromptError } from './PromptError.js';

/** What the model asked to see. */
export interface ExpansionRequest {
  /** The keys as the model gave them. */
  readonly sectionKeys: readonly string[];
  /** Why it needs them. */
  readonly reason: string;
  /** Dotted path → `'full'`: what to render with next. */
  readonly requestedOverrides: Readonly<Record<string, 'full'>>;
}

/** A control signal, not a fault: the model asks for summarised sections in full (docs/contract.md, 12). */
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

  static override is(this: void, value: unknown): value is VisibilityExpansionRequired {
    return hasBrand(value, 'VisibilityExpansionRequired');
  }
}
brand(VisibilityExpansionRequired, 'VisibilityExpansionRequired');
