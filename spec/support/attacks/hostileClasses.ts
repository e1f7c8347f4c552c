import { ArrayContains, ArrayNotContains, IsNotIn, Matches, ValidateBy } from 'class-validator';
import { Param } from 'toolwright';
import { toStandardSchema } from 'toolwright/schema';
import { FOUR_WAYS, times, type HostileValue, type Json } from './hostileValue';

class OwnRule {
  @Param('A.')
  @ValidateBy({ name: 'words', validator: { validate: (text) => FOUR_WAYS.test(String(text)) } })
  a!: string;
}
class RuleInRecord {
  @Param({ description: 'A.', record: OwnRule }) a!: Record<string, OwnRule>;
}
class RuleInUnion {
  @Param({ description: 'A.', oneOf: [OwnRule, Number] }) a!: OwnRule | number;
}
class ManyTexts {
  @Param({ description: 'A.', type: [String] })
  @Matches(/^(?:ab|a|b)*(?:c|d)?(?:ab|ba)*$/, { each: true })
  a!: string[];
}

/** Unions of two classes, each of which holds the next such union: 2²⁴ ways to read a value of 24 levels. */
function nestedUnions(levels: number): new () => object {
  class Leaf {
    @Param('N.') n!: number;
  }
  return times(levels, () => 0).reduce<new () => object>((inner) => {
    class Left {
      @Param({ type: inner, description: 'L.' }) n!: object;
    }
    class Right {
      @Param({ type: inner, description: 'R.' }) n!: object;
    }
    class Pair {
      @Param({ description: 'P.', oneOf: [Left, Right] }) n!: Left | Right;
    }
    return Pair;
  }, Leaf);
}

class Sum {
  @Param({ type: () => Expression, description: 'S.' }) of!: object;
}
class Product {
  @Param({ type: () => Expression, description: 'P.' }) of!: object;
}
class Expression {
  @Param({ description: 'E.', oneOf: [Sum, Product, Number] }) of!: Sum | Product | number;
}

const words = times(9_000, (n) => `w${String(n)}`);
class LongLists {
  @Param({ description: 'A.', type: [String] })
  @IsNotIn(words, { each: true })
  @ArrayNotContains(words)
  a!: string[];
}
class LongContained {
  @Param({ description: 'A.', type: [String] }) @ArrayContains(words) a!: string[];
}

/** Values by the params class that takes long for them. */
export const hostileClasses: Readonly<Record<string, HostileValue>> = {
  'class: a rule of its own in a record': {
    params: () => toStandardSchema(RuleInRecord),
    value: { a: { x: { a: '1'.repeat(16) } } },
    isEndless: true,
  },
  'class: a rule of its own in a union': {
    params: () => toStandardSchema(RuleInUnion),
    value: { a: { a: '1'.repeat(16) } },
    isEndless: true,
  },
  'class: unions of two classes in 24 levels': {
    params: () => toStandardSchema(nestedUnions(24)),
    value: times(48, () => 0).reduce<Json>((inner) => ({ n: inner }), { n: 'x' }),
    isEndless: true,
  },
  'class: a union of classes that contain it, 50 levels': {
    params: () => toStandardSchema(Expression),
    value: times(50, () => 0).reduce<Json>((inner) => ({ of: inner }), { of: 'x' }),
    isEndless: true,
  },
  'class: 9,000 words that 10,000 texts may not be': {
    params: () => toStandardSchema(LongLists),
    value: { a: times(10_000, (n) => `x${String(n)}`) },
  },
  'class: 9,000 words that 10,000 texts should be': {
    params: () => toStandardSchema(LongContained),
    value: { a: times(10_000, (n) => `w${String(8_999 - n)}`) },
  },
  'class: a linear pattern and 125 texts of 8,000 characters': {
    params: () => toStandardSchema(ManyTexts),
    value: { a: times(125, () => 'ab'.repeat(4_000)) },
  },
};
