import { Expose, Transform, Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsBoolean,
  IsDate,
  IsIn,
  isISO8601,
  IsInt,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  ValidateBy,
  ValidateIf,
  ValidateNested,
  type ValidationOptions,
} from 'class-validator';
import type { Constructor } from 'toolwright';
import { FAILED, type Composites } from './composites';
import type { ClassRecipe, Field, Kind } from './Recipe';
import { bareClasses, decorate, userDecorators } from './userDecorators';

/** Returns the reference class of a recipe. */
type ClassOf = (recipe: ClassRecipe) => Constructor;

/**
 * The class as one has to write it for class-transformer and class-validator alone, so that they do what our contract adds:
 * the rule that a property's type implies, required and nullable properties, dates from ISO texts, nested classes.
 */
export function declareReference(recipe: ClassRecipe, classOf: ClassOf, composites: Composites): Constructor {
  const { parent, type } = bareClasses(recipe);
  const writer = new Writer(classOf, composites, type);
  for (const field of recipe.inherited) decorate(parent, field.property, writer.decorators(field, recipe));
  for (const field of recipe.fields) decorate(type, field.property, writer.decorators(field, recipe));
  // Without any rule, class-validator calls a class unknown and refuses all of its instances.
  decorate(type, '~', [Allow()]);
  return type;
}

/** A discriminator that is kept has to be exposed and allowed like any other property. */
function keepType(type: Constructor): void {
  decorate(type, 'type', [Allow(), Expose()]);
}

const isoToDate = (value: unknown): unknown =>
  typeof value === 'string' && isISO8601(value, { strict: true }) ? new Date(value) : value;

const check = (name: string, test: (value: unknown) => boolean): PropertyDecorator =>
  ValidateBy({ name, validator: { validate: test } });

/**
 * `@Type` of a scalar only names the type for us, since coercion is off; but where class-transformer has to transform, it
 * converts as well.
 */
function scalarType({ kind, naming, transformation }: Field): readonly PropertyDecorator[] {
  if (transformation === undefined || naming !== 'type') return [];
  const type = (kind.kind === 'array' ? kind.items : kind).kind === 'number' ? Number : String;
  return [Type(() => type)];
}

class Writer {
  readonly #classOf: ClassOf;
  readonly #composites: Composites;
  readonly #self: Constructor;

  constructor(classOf: ClassOf, composites: Composites, self: Constructor) {
    this.#classOf = classOf;
    this.#composites = composites;
    this.#self = self;
  }

  decorators(field: Field, recipe: ClassRecipe): readonly PropertyDecorator[] {
    const { kind, wire, property, presence, nullable, hidden } = field;
    const wrong = (value: unknown): boolean => value !== undefined && !this.#composites.holds(kind, value, recipe);
    const user = userDecorators(field, recipe, wrong);
    if (hidden) return [...user, IsOptional()];
    return [
      ...user,
      // A subclass that says something again of a property has to repeat the rest: class-validator replaces it.
      ...(presence === 'optional' ? [IsOptional()] : []),
      ...(nullable ? [ValidateIf((_owner: object, value: unknown) => value !== null)] : []),
      ...(presence === 'required' ? [check('present', (value) => value !== undefined)] : []),
      ...(wire !== property ? [Expose({ name: wire })] : recipe.exposesOnlyMarked ? [Expose()] : []),
      ...this.#implied(field, recipe),
      ...scalarType(field),
    ];
  }

  /** The rule that the type implies. */
  #implied({ kind, nullable }: Field, recipe: ClassRecipe): readonly PropertyDecorator[] {
    const many = kind.kind === 'array';
    const item = many ? kind.items : kind;
    const rules = this.#rules(item, many ? { each: true } : {});
    if (rules !== undefined) return many ? [IsArray(), ...rules] : rules;
    return [
      Transform(({ value }: { value: unknown }) =>
        value === null && nullable ? null : this.#composites.convert(kind, value, recipe),
      ),
      check('composite', (value) => value !== FAILED),
    ];
  }

  #rules(item: Kind, options: ValidationOptions): readonly PropertyDecorator[] | undefined {
    switch (item.kind) {
      case 'string':
        return [IsString(options)];
      case 'number':
        return [IsNumber({}, options)];
      case 'integer':
        return [IsInt(options)];
      case 'boolean':
        return [IsBoolean(options)];
      case 'enum':
        return [IsIn([...item.values], options)];
      case 'date':
        return [
          Transform(({ value }: { value: unknown }) =>
            Array.isArray(value) ? value.map(isoToDate) : isoToDate(value),
          ),
          IsDate(options),
        ];
      case 'class':
      case 'self': {
        const type = item.kind === 'self' ? this.#self : this.#classOf(item.recipe);
        return [Type(() => type), ValidateNested(options), IsObject(options)];
      }
      case 'union':
        return [this.#unionType(item), ValidateNested(options), IsObject(options)];
      default:
        return undefined;
    }
  }

  #unionType({ subs, keep }: Extract<Kind, { kind: 'union' }>): PropertyDecorator {
    class Base {}
    const subTypes = subs.map(([name, recipe]) => ({ name, value: this.#classOf(recipe) }));
    if (keep) for (const { value } of subTypes) keepType(value);
    return Type(() => Base, { discriminator: { property: 'type', subTypes }, keepDiscriminatorProperty: keep });
  }
}
