import type { HeadingStyle } from '../metadata/args/SectionMetadataArgs.js';
import type { SectionMetadata } from '../metadata/PromptMetadata.js';

/** Returns the heading line of a section in the prompt's style (docs/contract.md, 4). */
export function headingOf(section: SectionMetadata, style: HeadingStyle): string {
  const { number, title, path, depth } = section;
  if (typeof style === 'function') return style({ number, title, path, depth });
  const marks = '#'.repeat(depth + 2);
  switch (style) {
    case 'numbered-path':
      return `${marks} ${number}. ${title} (${path})`;
    case 'numbered':
      return `${marks} ${number} ${title}`;
    case 'plain':
      return `${marks} ${title}`;
  }
}
