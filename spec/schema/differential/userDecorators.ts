import { Exclude, Transform } from 'class-transformer';
import { IsOptional, ValidateIf, type ValidationOptions } from 'class-validator';
import type { Constructor } from 'toolwright';
import { fieldsOf, type ClassRecipe, type Condition, type Field, type Rule } from './Recipe';

/** Applies decorators to a property, as the compiler does. */
export function decorate(type: Constructor, property: string, decorators: readonly PropertyDecorator[]): void {
  for (const decorator of decorators) decorator(type.prototype as object, property);
}

function optionsOf({ each, options }: Rule): ValidationOptions | undefined {
  const said: ValidationOptions = {
    ...(each ? { each } : {}),
    ...(options === 'message' ? { message: '$property is wrong' } : {}),
    ...(options === 'groups' ? { groups: ['g'] } : {}),
    ...(options === 'always' ? { always: true } : {}),
  };
  return Object.keys(said).length === 0 ? undefined : said;
}

const transformations: Readonly<Record<NonNullable<Field['transformation']>, (value: unknown) => unknown>> = {
  trim: (value) => (typeof value === 'string' ? value.trim() : value),
  split: (value) => (typeof value === 'string' ? value.split(',') : value),
  fallback: (value) => value ?? 'fallback',
  parse: (value) => (typeof value === 'string' && value !== '' ? Number(value) : value),
  emptyIsAbsent: (value) => (value === '' ? undefined : value),
};

/** When the rules of a property count, asked of the instance. */
function holds(condition: Condition, owner: object): boolean {
  if (typeof condition !== 'object') return condition !== 'never';
  return (owner as Readonly<Record<string, unknown>>)[condition.sibling] !== undefined;
}

/**
 * The user's decorators of a property, the same for both classes: rules, options, transformations, names.
 *
 * @param wrong true for a value whose type is wrong: it is checked whatever the condition
 */
export function userDecorators(
  field: Field,
  { exposesOnlyMarked }: ClassRecipe,
  wrong: (value: unknown) => boolean,
): readonly PropertyDecorator[] {
  const { rules, presence, condition, transformation, hidden } = field;
  return [
    ...rules.map((rule) => rule.sample.make(optionsOf(rule))),
    ...(presence === 'isOptional' ? [IsOptional()] : []),
    ...(condition === undefined
      ? []
      : [ValidateIf((owner: object, value: unknown) => holds(condition, owner) || wrong(value))]),
    ...(transformation === undefined
      ? []
      : [Transform(({ value }: { value: unknown }) => transformations[transformation](value))]),
    ...(hidden && !exposesOnlyMarked ? [Exclude()] : []),
  ];
}

/** A class with its parent, both still undecorated; their instances hold the initial values. */
export function bareClasses(recipe: ClassRecipe): { readonly parent: Constructor; readonly type: Constructor } {
  const initial = (fields: readonly Field[]) => fields.filter(({ presence }) => presence === 'initial');
  const assign = (target: object, fields: readonly Field[]): void => {
    for (const { property, value } of initial(fields)) Object.assign(target, { [property]: structuredClone(value) });
  };
  class Parent {
    constructor() {
      assign(this, recipe.inherited);
    }
  }
  class Made extends Parent {
    constructor() {
      super();
      assign(this, fieldsOf(recipe));
    }
  }
  class Orphan {
    constructor() {
      assign(this, recipe.fields);
    }
  }
  const type = recipe.inherited.length === 0 ? Orphan : Made;
  if (recipe.exposesOnlyMarked) Exclude()(type);
  if (recipe.exposesOnlyMarked && type === Made) Exclude()(Parent);
  return { parent: Parent, type };
}
