import { didYouMean } from 'toolwright/internal/light';

/** Minimum length of a word; shorter words are part of too many other names. */
const SHORTEST = 3;
/** Maximum number of candidates that are compared with the name. */
const COMPARED = 2_000;
const SHOWN = 5;
/** Maximum number of characters of the name that are read. */
const LONGEST = 200;

/** Returns a text such as `Did you mean "temp"?`, for a misspelling as well as for `temperature`; empty if no candidate is close. */
export function suggestName(name: string, candidates: readonly string[]): string {
  const near = didYouMean(name, candidates).trim();
  if (near !== '') return near;
  const word = name.slice(0, LONGEST).toLowerCase();
  const related = candidates
    .slice(0, COMPARED)
    .filter((candidate) => {
      const [short = '', long = ''] = [candidate.toLowerCase(), word].sort((a, b) => a.length - b.length);
      return short.length >= SHORTEST && long.includes(short);
    })
    .slice(0, SHOWN);
  return related.length === 0 ? '' : `Did you mean ${related.map((each) => `"${each}"`).join(' or ')}?`;
}
