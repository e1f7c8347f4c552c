import { describeValue } from '../common/text.js';
import { PromptOverridesError } from '../error/PromptOverridesError.js';
import type { PromptAddress } from '../interface/OverridesStore.js';

export const LATEST = 'latest';

const TAG = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Names prompt and tag in a message: `shop/desk (latest)`. */
export function describePlace({ ns, key }: PromptAddress, tag: string): string {
  return `${ns}/${key} (${tag})`;
}

/** @throws PromptOverridesError E522 for a malformed tag */
export function checkTag({ ns, key }: PromptAddress, tag: unknown): void {
  if (typeof tag === 'string' && TAG.test(tag)) return;
  throw new PromptOverridesError(`${describeValue(tag)} is not a tag of overrides`, {
    code: 'E522',
    place: `${ns}/${key}`,
  });
}
