import fc from 'fast-check';
import { exponentialPart } from '../../../src/schema/pattern/backtracking';
import { loopsIn, sourceOf, stepsOf, type Tree } from './backtrackingSteps';

const LETTERS = ['a', 'b', '-'];

// Twice as long a text takes 2ⁿ times as many steps when growth is of the power n, and there are at most five loops. When
// each repetition of the word multiplies by 1.6 at least, 24 more take 2¹⁶ times as many.
const REPETITIONS = 24;
const MOST_LOOPS = 5;
const MOST_GROWTH = 2 ** 11;

type Loop = Extract<Tree, { readonly kind: 'repeat' }>;

const characters = fc.constantFrom<Tree>(
  { kind: 'characters', text: 'a', matched: 'a' },
  { kind: 'characters', text: 'b', matched: 'b' },
  { kind: 'characters', text: '-', matched: '-' },
  { kind: 'characters', text: '[ab]', matched: 'ab' },
  { kind: 'characters', text: '[^!a]', matched: 'b-' },
  { kind: 'characters', text: '\\w', matched: 'ab' },
);

const assertions = fc.constantFrom<Tree>(
  ...(['^', '$', '\\b', '\\B'] as const).map((text) => ({ kind: 'assertion', text }) as const),
);

const quantifiers = fc.constantFrom(
  { quantifier: '*', min: 0, max: Infinity },
  { quantifier: '+', min: 1, max: Infinity },
  { quantifier: '*?', min: 0, max: Infinity },
  { quantifier: '{2,}', min: 2, max: Infinity },
  { quantifier: '?', min: 0, max: 1 },
  { quantifier: '{2}', min: 2, max: 2 },
  { quantifier: '{1,3}', min: 1, max: 3 },
  { quantifier: '{0,2}', min: 0, max: 2 },
);

/** Loops around small patterns. */
function loops(leaf: fc.Arbitrary<Tree>): fc.Arbitrary<Loop> {
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
    const parts = fc.array(tie('tree'), { minLength: 0, maxLength: 3 });
    return {
      tree: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        leaf,
        parts.map((some): Tree => ({ kind: 'sequence', parts: some })),
        parts.map((some): Tree => ({ kind: 'choice', parts: some })),
        fc
          .record({ part: tie('tree'), how: quantifiers })
          .map(({ part, how }): Tree => ({ kind: 'repeat', part, ...how })),
      ),
    };
  });
  const loop = tree.map((part): Loop => ({ kind: 'repeat', part, quantifier: '*', min: 0, max: Infinity }));
  return loop.filter((some) => loopsIn(some) <= MOST_LOOPS && sourceOf(some).length < 60);
}

/** Texts that the pattern matches; assertions aside. */
function textsOf(tree: Tree): fc.Arbitrary<string> {
  switch (tree.kind) {
    case 'characters':
      return fc.constantFrom(...Array.from(tree.matched));
    case 'assertion':
      return fc.constant('');
    case 'sequence':
      return fc.tuple(...tree.parts.map(textsOf)).map((texts) => texts.join(''));
    case 'choice':
      return tree.parts.length === 0 ? fc.constant('') : fc.oneof(...tree.parts.map(textsOf));
    case 'repeat': {
      const maxLength = Math.min(tree.max, tree.min + 3);
      return fc.array(textsOf(tree.part), { minLength: tree.min, maxLength }).map((texts) => texts.join(''));
    }
  }
}

function wordsOfLength(length: number): readonly string[] {
  return length === 0 ? [''] : wordsOfLength(length - 1).flatMap((word) => LETTERS.map((letter) => word + letter));
}

const words = [1, 2, 3].flatMap(wordsOfLength);
const starts = [0, 1, 2].flatMap(wordsOfLength);

function growsExponentially(steps: (text: string) => number, start: string, word: string): boolean {
  const [short, long] = [REPETITIONS, 2 * REPETITIONS].map((times) => steps(`${start}${word.repeat(times)}!`));
  return long! / short! > MOST_GROWTH;
}

function isRefused(tree: Tree): boolean {
  return exponentialPart(new RegExp(`^${sourceOf(tree)}$`)) !== undefined;
}

describe('the verdict on a random pattern is what a backtracking matcher makes of it', () => {
  test('refused: some text, grown, takes exponentially more steps', () => {
    fc.assert(
      fc.property(loops(characters).filter(isRefused), fc.integer(), (tree, seed) => {
        const steps = stepsOf(tree);
        const matched = fc.array(textsOf(tree.part), { minLength: 1, maxLength: 4 }).map((texts) => texts.join(''));
        const grows = (word: string): boolean => growsExponentially(steps, '', word);
        const candidates = (): readonly string[] =>
          fc.sample(matched, { seed, numRuns: 2_000 }).filter(({ length }) => length > 0 && length < 40);
        // Most patterns have a short word; longer ones are searched only for the others.
        return words.some(grows) || [...new Set(candidates())].some(grows);
      }),
      { numRuns: 150 },
    );
  });

  test.each([
    ['of characters', loops(characters)],
    ['with assertions', loops(fc.oneof({ weight: 3, arbitrary: characters }, { weight: 1, arbitrary: assertions }))],
  ])('accepted, %s: no text does', (_which, patterns) => {
    const accepted = patterns.filter((tree) => !isRefused(tree));
    fc.assert(
      fc.property(accepted, fc.constantFrom(...starts), fc.array(fc.constantFrom(...words)), (tree, start, some) => {
        const steps = stepsOf(tree);
        return !some.some((word) => growsExponentially(steps, start, word));
      }),
      { numRuns: 1_000 },
    );
  });
});
