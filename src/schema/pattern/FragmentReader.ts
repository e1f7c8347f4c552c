import type { AST } from '@eslint-community/regexpp';
import { wordsOf, type CharacterNode } from './characters.js';
import { choice, nothing, optionalParts, plus, sequence, star } from './Fragment.js';
import type { Fragment } from './Step.js';
import { guardsOf } from './guards.js';
import { modesAt } from './modes.js';
import type { Positions } from './Positions.js';
import { isSurelySet, mayBeSet } from './references.js';

/** Most copies that a quantifier is expanded into; one with a higher maximum counts as unbounded. */
const MOST_COPIES = 16;

/** Longest text of a fixed length that is expanded, such as `[0-9a-f]{128}`; it can be read in one way only. */
const LONGEST_FIXED = 256;

/** The cost of reading a node, in steps of the budget. */
const STEPS_PER_NODE = 10;

/** True if the quantifier counts as unbounded. */
export function isLoop({ max }: AST.Quantifier): boolean {
  return max > MOST_COPIES;
}

/** Reads a part of a parsed pattern into positions. */
export class FragmentReader {
  readonly #positions: Positions;
  readonly #flags: string;
  /** Groups that are being read in place of a back reference to them. */
  readonly #referenced = new Set<AST.CapturingGroup>();

  constructor(positions: Positions, flags: string) {
    this.#positions = positions;
    this.#flags = flags;
  }

  read(node: AST.Element): Fragment {
    if (!this.#positions.budget.spend(STEPS_PER_NODE)) return nothing();
    switch (node.type) {
      case 'Character':
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#characters(node);
      case 'Group':
      case 'CapturingGroup':
        return this.#group(node);
      case 'Quantifier':
        return this.#quantifier(node);
      case 'Backreference':
        return this.#reference(node);
      case 'Assertion':
        return nothing(guardsOf(node, modesAt(node, this.#flags)));
    }
  }

  #characters(node: CharacterNode): Fragment {
    const words = wordsOf(node, modesAt(node, this.#flags));
    return choice(
      words.map((word) =>
        sequence(
          this.#positions,
          word.map((set) => this.#positions.add(set)),
        ),
      ),
    );
  }

  #group({ alternatives }: AST.Group | AST.CapturingGroup): Fragment {
    return choice(
      alternatives.map(({ elements }) =>
        sequence(
          this.#positions,
          elements.map((element) => this.read(element)),
        ),
      ),
    );
  }

  #quantifier(quantifier: AST.Quantifier): Fragment {
    const { element, min, max } = quantifier;
    const length = min === max ? fixedLength(element) : undefined;
    if (!isLoop(quantifier) || (length !== undefined && length * max <= LONGEST_FIXED)) {
      return sequence(this.#positions, [
        ...this.#copies(element, min),
        optionalParts(this.#positions, this.#copies(element, max - min)),
      ]);
    }
    if (min === 0) return star(this.#positions, this.read(element));
    const isWrittenOut = min <= MOST_COPIES;
    return sequence(this.#positions, [
      ...(isWrittenOut ? this.#copies(element, min - 1) : []),
      plus(this.#positions, this.read(element), !isWrittenOut),
    ]);
  }

  #copies(element: AST.QuantifiableElement, times: number): readonly Fragment[] {
    return Array.from({ length: times }, () => this.read(element));
  }

  /**
   * Reads a back reference as its group, and as empty where the group may not have matched. That is more than the reference
   * matches, whose text is fixed by then.
   */
  #reference(node: AST.Backreference): Fragment {
    const groups = [node.resolved].flat().filter((group) => mayBeSet(group, node) && !this.#referenced.has(group));
    const fragment = choice(groups.map((group) => this.#copy(group)));
    const isSet = groups.some((group) => isSurelySet(group, node));
    return isSet && fragment.empties.size === 0 ? fragment : { ...fragment, empties: nothing().empties };
  }

  #copy(group: AST.CapturingGroup): Fragment {
    this.#referenced.add(group);
    const fragment = this.#group(group);
    this.#referenced.delete(group);
    return fragment;
  }
}

/** The number of characters that the element matches, if it is always the same and there is only one way to match them. */
function fixedLength(element: AST.Element): number | undefined {
  switch (element.type) {
    case 'Character':
      return 1;
    case 'CharacterSet':
      return element.kind === 'property' && element.strings ? undefined : 1;
    case 'CharacterClass':
      return element.unicodeSets ? undefined : 1;
    case 'Quantifier': {
      const length = element.min === element.max ? fixedLength(element.element) : undefined;
      return length === undefined ? undefined : length * element.max;
    }
    case 'Group':
    case 'CapturingGroup': {
      const [only, ...others] = element.alternatives;
      if (only === undefined || others.length > 0) return undefined;
      const lengths = only.elements.map(fixedLength);
      return lengths.reduce((sum, length) => (sum === undefined || length === undefined ? undefined : sum + length), 0);
    }
    default:
      return undefined;
  }
}
