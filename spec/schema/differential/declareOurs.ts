import { Expose, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsNumber, IsString, ValidateNested } from 'class-validator';
import { Param, type Constructor, type ParamOptions } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import type { ClassRecipe, Field, Kind } from './Recipe';
import { bareClasses, decorate, userDecorators } from './userDecorators';

/** Returns the class of a recipe. */
type ClassOf = (recipe: ClassRecipe) => Constructor;

/** The class as a user of ours writes it. */
export function declareOurs(recipe: ClassRecipe, classOf: ClassOf): Constructor {
  const { parent, type } = bareClasses(recipe);
  const own = new Writer(classOf, type);
  for (const field of recipe.inherited) decorate(parent, field.property, own.decorators(field, recipe));
  for (const field of recipe.fields) decorate(type, field.property, own.decorators(field, recipe));
  return type;
}

const emittedScalars = new Map<Kind['kind'], Constructor>([
  ['string', String],
  ['number', Number],
  ['integer', Number],
  ['boolean', Boolean],
  ['date', Date],
]);

/** Rules that imply the type of a list's items. */
const itemRules = new Map<Kind['kind'], () => PropertyDecorator>([
  ['string', () => IsString({ each: true })],
  ['number', () => IsNumber({}, { each: true })],
  ['integer', () => IsInt({ each: true })],
  ['boolean', () => IsBoolean({ each: true })],
]);

class Writer {
  readonly #classOf: ClassOf;
  readonly #self: Constructor;

  constructor(classOf: ClassOf, self: Constructor) {
    this.#classOf = classOf;
    this.#self = self;
  }

  decorators(field: Field, recipe: ClassRecipe): readonly PropertyDecorator[] {
    const { wire, property, renamedBy, presence, nullable, value, kind } = field;
    const renamed = wire !== property;
    const hiddenByClass = field.hidden && recipe.exposesOnlyMarked;
    const named = this.#named(field);
    const options: ParamOptions = {
      ...named.options,
      ...(renamed && renamedBy === 'param' ? { name: wire } : {}),
      ...(presence === 'optional' ? { optional: true } : presence === 'default' ? { default: value } : {}),
      ...(nullable ? { nullable } : {}),
    };
    // A property may be known from class-validator alone.
    const known = Object.keys(options).length === 0 && field.rules.length > 0 && kind.kind !== 'array';
    return [
      ...(known ? [] : [Param(options) as PropertyDecorator]),
      ...named.decorators,
      ...(renamed && renamedBy === 'expose' && !hiddenByClass
        ? [Expose({ name: wire })]
        : recipe.exposesOnlyMarked && !field.hidden
          ? [Expose()]
          : []),
      ...userDecorators(field, recipe, () => false),
    ];
  }

  #named({ kind, naming }: Field): {
    readonly options: ParamOptions;
    readonly decorators: readonly PropertyDecorator[];
  } {
    const many = kind.kind === 'array';
    const item = many ? kind.items : kind;
    const integer = kind.kind === 'integer' ? { integer: true } : {};
    const emitted = (type: unknown) => Reflect.metadata('design:type', type) as PropertyDecorator;
    const list = many ? [emitted(Array)] : [];
    if (item.kind === 'union') return { options: {}, decorators: [...list, this.#unionType(item)] };
    const single = emittedScalars.get(item.kind) ?? this.#class(item);
    if (single === undefined || naming === 'param') return { options: { type: this.#reference(kind) }, decorators: [] };
    if (naming === 'type' || (many && (item.kind === 'class' || item.kind === 'date' || item.kind === 'self'))) {
      if (many && item.kind === 'integer') return { options: { type: this.#reference(kind) }, decorators: [] };
      const nested = item.kind === 'class' || item.kind === 'self' ? [ValidateNested({ each: many })] : [];
      return { options: integer, decorators: [...list, Type(() => single), ...nested] };
    }
    if (!many) return { options: integer, decorators: [emitted(single)] };
    const itemRule = itemRules.get(item.kind);
    return { options: {}, decorators: [...list, ...(itemRule === undefined ? [] : [itemRule()])] };
  }

  #class(kind: Kind): Constructor | undefined {
    if (kind.kind === 'self') return this.#self;
    return kind.kind === 'class' ? this.#classOf(kind.recipe) : undefined;
  }

  #unionType({ subs, keep }: Extract<Kind, { kind: 'union' }>): PropertyDecorator {
    class Base {}
    const subTypes = subs.map(([name, recipe]) => ({ name, value: this.#classOf(recipe) }));
    return Type(() => Base, { discriminator: { property: 'type', subTypes }, keepDiscriminatorProperty: keep });
  }

  #reference(kind: Kind): TypeReference {
    switch (kind.kind) {
      case 'array':
        return [this.#reference(kind.items)];
      case 'record':
        return { record: this.#reference(kind.values) };
      case 'tuple':
        return { tuple: kind.items.map((item) => this.#reference(item)) };
      case 'oneOf':
        return { oneOf: kind.options.map((option) => this.#reference(option)) };
      case 'enum':
        return { enum: kind.values };
      case 'any':
      case 'integer':
        return kind.kind;
      case 'self':
        return () => this.#self;
      case 'class':
        return this.#classOf(kind.recipe);
      case 'union':
        throw new TypeError('a union is named by @Type');
      default:
        return emittedScalars.get(kind.kind) as Constructor;
    }
  }
}
