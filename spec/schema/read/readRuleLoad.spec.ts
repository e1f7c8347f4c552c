import { Transform, Type } from 'class-transformer';
import { IsByteLength, MinLength, registerDecorator } from 'class-validator';
import { Param, type Constructor } from 'toolwright';
import { readRuleLoad } from '../../../src/schema/read/readRuleLoad';
import { shapeOf } from '../reading';

const isUnbounded = (type: Constructor): boolean => readRuleLoad(shapeOf(type)).isUnbounded;

describe('the load of the rules of a class', () => {
  class Ours {
    @Param('A') @MinLength(2) a!: string;
  }
  class OfLibrary {
    @Param('A') @IsByteLength(1, 4) a!: string;
  }
  class OfUser {
    @Param('A') a!: string;
  }
  registerDecorator({ name: 'own', target: OfUser, propertyName: 'a', validator: { validate: () => true } });
  class Converted {
    @Transform(({ value }: { value: unknown }) => value) @Param('A') a!: string;
  }

  test.each<[Constructor, boolean]>([
    [Ours, false],
    [OfLibrary, true],
    [OfUser, true],
    [Converted, true],
  ])('%p runs code of others: %p', (type, expected) => {
    expect(isUnbounded(type)).toBe(expected);
  });

  class InList {
    @Param({ type: [OfUser] }) list!: OfUser[];
  }
  class InRecord {
    @Param({ description: 'A', record: OfUser }) record!: Record<string, OfUser>;
  }
  class InUnion {
    @Param({ description: 'A', oneOf: [OfUser, Number] }) one!: OfUser | number;
  }
  class InRecordOfList {
    @Param({ description: 'A', record: InList }) lists!: Record<string, InList>;
  }
  class Discriminated {
    @Param('A')
    @Type(() => Object, { discriminator: { property: 'kind', subTypes: [{ name: 'user', value: OfUser }] } })
    a!: object;
  }

  test.each([InList, InRecord, InUnion, InRecordOfList, Discriminated])(
    'a class that holds one with code of others, as %p does, runs it',
    (type) => {
      expect(isUnbounded(type)).toBe(true);
    },
  );

  test('a class that contains itself is read once', () => {
    class Node {
      @Param({ type: () => Node, optional: true }) next?: Node;
      @Param({ type: OfUser, optional: true }) user?: OfUser;
    }
    expect(isUnbounded(Node)).toBe(true);
  });

  test('patterns that RE2 matches are known, those of V8 cost nothing', () => {
    class Plain {
      @Param({ description: 'A', pattern: /^[a-z]+-\d+$/ }) a!: string;
    }
    class Matched {
      @Param({ description: 'A', pattern: /^(?:ab|a|b)*c/ }) a!: string;
    }
    class Holder {
      @Param({ description: 'B', type: [Matched] }) b!: Matched[];
    }
    expect([Plain, Matched, Holder].map((type) => readRuleLoad(shapeOf(type)).hasMatches)).toEqual([false, true, true]);
  });

  test('the attempts of nested unions are multiplied', () => {
    class Leaf {
      @Param('N.') n!: number;
    }
    const paired = (inner: Constructor): Constructor => {
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
    };
    const [one, two] = [paired(Leaf), paired(paired(Leaf))].map((type) => readRuleLoad(shapeOf(type)).limit?.value);
    expect([one, two]).toEqual([2, 4]);
    const deep = Array.from({ length: 15 }).reduce<Constructor>((inner) => paired(inner), Leaf);
    expect(isUnbounded(deep)).toBe(true);
  });

  test('a union of classes that contain themselves has no bound', () => {
    class Sum {
      @Param({ type: () => Expression, description: 'S.' }) left!: object;
    }
    class Product {
      @Param({ type: () => Expression, description: 'P.' }) left!: object;
    }
    class Expression {
      @Param({ description: 'E.', oneOf: [Sum, Product, Number] }) of!: Sum | Product | number;
    }
    class Flat {
      @Param({ description: 'F.' }) value!: string;
    }
    class Tree {
      @Param({ description: 'V.', oneOf: [String, Number] }) value!: string | number;
      @Param({ type: () => [Tree], description: 'C.' }) children!: object[];
    }
    expect(isUnbounded(Expression)).toBe(true);
    expect(isUnbounded(Tree)).toBe(false);
    expect([Sum, Tree, Flat].map((type) => readRuleLoad(shapeOf(type)).isRecursive)).toEqual([true, true, false]);
  });
});
