import type { SectionMetadata } from '../metadata/PromptMetadata.js';
import type { RenderedTool } from './RenderedTool.js';
import type { SectionText } from './SectionText.js';

/** A section with the instances behind it: what rendering walks. Made once, when the application is created. */
export interface SectionNode {
  readonly metadata: SectionMetadata;
  /** The instance of the section class: hooks run on it. */
  readonly instance: object;
  readonly heading: string;
  /** Null where no template says it. */
  readonly body: SectionText | null;
  readonly summary: SectionText | null;
  /** The examples of its tools, as they stand after the body; empty when there are none. */
  readonly examples: string;
  readonly tools: readonly RenderedTool[];
  readonly children: readonly SectionNode[];
}
