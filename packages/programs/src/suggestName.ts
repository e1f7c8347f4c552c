import { didYouMean } from 'toolwright/internal/light';
import { MAX_COMPARED_CHARS, MAX_COMPARED_NAMES, MAX_SHOWN_NAMES, MIN_CONTAINED_CHARS } from './limits.js';

/** Returns a text such as `Did you mean "temp"?`, for a misspelling as well as for `temperature`; empty if no candidate is close. */
export function suggestName(name: string, candidates: readonly string[]): string {
  const near = didYouMean(name, candidates).trim();
  if (near !== '') return near;
  const word = name.slice(0, MAX_COMPARED_CHARS).toLowerCase();
  const related = candidates
    .slice(0, MAX_COMPARED_NAMES)
    .filter((candidate) => {
      const [short = '', long = ''] = [candidate.toLowerCase(), word].sort((a, b) => a.length - b.length);
      return short.length >= MIN_CONTAINED_CHARS && long.includes(short);
    })
    .slice(0, MAX_SHOWN_NAMES);
  return related.length === 0 ? '' : `Did you mean ${related.map((each) => `"${each}"`).join(' or ')}?`;
}
