import type { BoundPrompt, RenderOptions } from 'toolwright';

/** The prompt with every chapter open, for those who call its tools without a model that opens what it needs. */
export function everyChapter({ sections }: BoundPrompt): RenderOptions {
  return { visibilityOverrides: Object.fromEntries(sections.map(({ path }) => [path, 'full' as const])) };
}
