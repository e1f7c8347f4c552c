import type { BoundPrompt, RenderOptions } from 'toolwright';

/** Returns the prompt with every chapter open, for callers without a model that opens chapters. */
export function everyChapter({ sections }: BoundPrompt): RenderOptions {
  return { visibilityOverrides: Object.fromEntries(sections.map(({ path }) => [path, 'full' as const])) };
}
