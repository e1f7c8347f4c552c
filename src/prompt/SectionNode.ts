import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { RenderedTool } from './RenderedTool.js';
import type { SectionText } from './SectionText.js';

/** A section with its instances, as rendering walks it. Created once, with the application. */
export interface SectionNode {
  readonly metadata: SectionMetadata;
  /** The instance of the section class: hooks run on it. */
  readonly instance: object;
  readonly heading: string;
  /** Null if the section has no template. */
  readonly body: SectionText | null;
  readonly summary: SectionText | null;
  /** The examples of its tools, rendered; they follow the body. Empty if there are none. */
  readonly examples: string;
  readonly tools: readonly RenderedTool[];
  readonly children: readonly SectionNode[];
}
