import { Type } from 'class-transformer';
import { IsEmail, IsNotEmpty, IsPositive, Length, Matches } from 'class-validator';
import fc from 'fast-check';
import { Param, type Constructor } from 'toolwright';
import { classWithValues } from '../generated';

class Money {
  @Param({ description: 'Amount', min: 0 }) amount!: number;
  @Param({ description: 'Currency', pattern: /^[A-Z]{3}$/ }) currency = 'EUR';
}

class Leaf {
  @Param('Name') name!: string;
  @Param({ description: 'Below it', type: () => [Leaf] }) leaves!: Leaf[];
  @Param({ description: 'Beside it', type: () => Leaf, optional: true }) next?: Leaf;
}

class Husband {
  @Param('Name') name!: string;
  @Param({ type: () => Wife, optional: true }) wife?: object;
}
class Wife {
  @Param({ type: Husband, optional: true }) husband?: Husband;
  @Param({ type: [Husband], description: 'Former ones' }) others!: Husband[];
}

class Rules {
  @Param('Mail') @IsEmail() mail!: string;
  @Param('Short') @Length(2, 5) short!: string;
  @Param('Two rules') @Matches(/^a/) @Matches(/^[ab]+$/) both!: string;
  @Param('Share') @IsPositive() share!: number;
  @Param({ description: 'Level', integer: true, min: 1, max: 5 }) level = 3;
  @Param({ description: 'Link.', format: 'uri', nullable: true }) link!: string | null;
  @Param({ description: 'Tags', type: [String], minItems: 2, maxItems: 3 }) tags!: string[];
  @Param({ description: 'When', optional: true }) when?: Date;
}

class Repeated {
  @Param('Net') @IsNotEmpty() net!: Money;
  @Param({ description: 'Gross', optional: true }) gross?: Money;
  @Param({ type: [Money] }) parts!: Money[];
}

class Mixed {
  @Param({ enum: ['a', 1, null, true], description: 'Which' }) which!: unknown;
  @Param({ enum: [1, 2], optional: true }) number?: number;
  @Param({ enum: ['a', 2], optional: true, description: 'Either' }) either?: unknown;
  @Param({ enum: ['x'], nullable: true }) only!: string | null;
}

class Tuples {
  @Param({ type: { tuple: [String, 'integer', Money] }, description: 'Entry' }) entry!: unknown;
  @Param({ type: { tuple: [Number, Number] } }) point!: [number, number];
  @Param({ type: { tuple: [{ enum: ['a'] }, { oneOf: [String, Number] }] }, optional: true }) odd?: unknown;
}

class Circle {
  @Param('Radius') radius!: number;
}
class Square {
  @Param('Side') side!: number;
  @Param({ optional: true }) name?: string;
}
class Unions {
  @Param({ oneOf: [String, Number], description: 'Either' }) scalar!: unknown;
  @Param({ oneOf: [Circle, Square], optional: true, description: 'Shape' }) shape?: unknown;
  @Param({ type: [{ oneOf: [Square, { array: Square }] }] }) nested!: unknown[];
}

class Animal {
  @Param('Name') name!: string;
}
class Cat extends Animal {
  @Param({ description: 'Lives', integer: true }) lives = 9;
}
class Dog extends Animal {
  @Param({ description: 'Master', optional: true }) master?: string;
}
const kinds = {
  property: 'kind',
  subTypes: [
    { name: 'cat', value: Cat },
    { name: 'dog', value: Dog },
  ],
};
class Discriminated {
  @Param('Pet') @Type(() => Animal, { discriminator: kinds }) pet!: Animal;
  @Param({ description: 'Others', optional: true }) @Type(() => Animal, { discriminator: kinds }) other?: Animal;
}

class Maps {
  @Param({ record: 'integer', description: 'Counts' }) counts!: Record<string, number>;
  @Param({ record: Money, optional: true }) prices?: Record<string, Money>;
}

class Anything {
  @Param({ type: 'any', description: 'Whatever' }) value!: unknown;
}

class Optionals {
  @Param({ optional: true, nullable: true }) both?: string;
  @Param({ type: String, nullable: true, default: 'x' }) given!: string | null;
  @Param({ type: String }) none: string | null = null;
  @Param({ optional: true, format: 'date' }) day?: string;
}

class Empty {}
class OfEmpty {
  @Param({ optional: true }) empty?: Empty;
}

/** Classes of every form that params can have. */
export const classes: Readonly<Record<string, Constructor>> = {
  Empty,
  OfEmpty,
  Rules,
  Repeated,
  Mixed,
  Tuples,
  Unions,
  Discriminated,
  Maps,
  Anything,
  Optionals,
  Leaf,
  Husband,
};

/** Those, and random ones. */
export const anyClass: fc.Arbitrary<Constructor> = fc.oneof(
  { arbitrary: fc.constantFrom(...Object.values(classes)), weight: 1 },
  { arbitrary: classWithValues.map(([type]) => type), weight: 2 },
);
