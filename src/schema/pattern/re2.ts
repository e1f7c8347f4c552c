import { LatePackage } from '../../common/LatePackage.js';

/** RE2 in JavaScript: 260 kB, which only patterns need. */
export const re2 = new LatePackage('re2js', () => import('re2js'));

export type CompiledPattern = ReturnType<ReturnType<typeof re2.get>['RE2JS']['compile']>;

/**
 * Compiles a pattern in RE2's syntax into a test of whole texts. RE2 caches its states, so testing many texts is fast. The caller
 * limits the length of the pattern.
 */
export function createLinearTest(source: string): (text: string) => boolean {
  const { RE2JS } = re2.get();
  const compiled = RE2JS.compile(`\\A(?:${source})\\z`, RE2JS.DOTALL);
  return (text) => compiled.test(text);
}
