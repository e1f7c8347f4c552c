import type { ValidatorSample } from '../validators/ValidatorSample';

/** The kind of a property's value. */
export type Kind =
  | { readonly kind: 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'any' }
  | { readonly kind: 'enum'; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: 'array'; readonly items: Kind }
  | { readonly kind: 'record'; readonly values: Kind }
  | { readonly kind: 'tuple'; readonly items: readonly Kind[] }
  | { readonly kind: 'oneOf'; readonly options: readonly Kind[] }
  | { readonly kind: 'class'; readonly recipe: ClassRecipe }
  /** The class that has the property. */
  | { readonly kind: 'self' }
  /** One of two classes, told apart by the key `type`. */
  | { readonly kind: 'union'; readonly subs: readonly (readonly [string, ClassRecipe])[]; readonly keep: boolean };

/** A rule: a sample of a decorator, on the property or on each of its items. */
export interface Rule {
  readonly sample: ValidatorSample;
  readonly each: boolean;
  readonly options: 'none' | 'message' | 'groups' | 'always';
}

/** The condition of a property's rules; undefined means always. */
export type Condition = 'never' | 'always' | { readonly sibling: string } | undefined;

/** The effect of a `@Transform` on the property. */
export type Transformation = 'trim' | 'split' | 'fallback' | 'parse' | 'emptyIsAbsent' | undefined;

/** The source of the type for our class: the compiler, from `@Param`, or from class-transformer's `@Type`. */
export type Naming = 'emitted' | 'param' | 'type';

export interface Field {
  readonly property: string;
  readonly wire: string;
  readonly renamedBy: 'param' | 'expose';
  readonly kind: Kind;
  readonly naming: Naming;
  readonly presence: 'required' | 'optional' | 'isOptional' | 'default' | 'initial';
  readonly nullable: boolean;
  readonly rules: readonly Rule[];
  readonly condition: Condition;
  readonly transformation: Transformation;
  /** Not taken from the wire: marked with `@Exclude`, or left unmarked in a class that exposes only what is marked. */
  readonly hidden: boolean;
  /** The default, or the initial value. */
  readonly value: unknown;
}

export interface ClassRecipe {
  /** Fields of the class that it extends; one of them may be declared again. */
  readonly inherited: readonly Field[];
  readonly fields: readonly Field[];
  /** Marked with `@Exclude()` as a whole: only exposed properties are taken. */
  readonly exposesOnlyMarked: boolean;
}

/** The fields of the class and of the one that it extends; what is said again wins. */
export function fieldsOf({ inherited, fields }: ClassRecipe): readonly Field[] {
  return [...new Map([...inherited, ...fields].map((field) => [field.property, field])).values()];
}

/** True if the parser treats null as absence. */
export function isNullAbsence({ presence, nullable, condition }: Field): boolean {
  return !nullable && (presence !== 'required' || condition !== undefined);
}
