import 'reflect-metadata';
import { Expose, Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, Matches, Max, MaxLength, Min, MinLength } from 'class-validator';
import { Param, type Constructor, type ParamOptions } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import type { FieldMeta, FieldSpec, FieldType } from '../format';

/** Finds the class of a record. */
export type ClassOf = (name: string) => Constructor;

/** The decorators of a property in source text, and the type that the compiler would emit for it. */
interface Declaration {
  readonly emitted: unknown;
  readonly options: ParamOptions;
  readonly decorators: readonly PropertyDecorator[];
}

/** Decorates one property as a user would have written it. */
export function declareField(type: Constructor, field: FieldSpec, classOf: ClassOf): void {
  const prototype = type.prototype as object;
  const { emitted, options, decorators } = declarationOf(field.type, classOf);
  Reflect.defineMetadata('design:type', emitted, prototype, field.name);
  const { description } = field.meta ?? {};
  Param({ ...options, description: description ?? `The ${field.name}.` })(prototype, field.name);
  for (const decorate of [...decorators, ...metaDecorators(field.meta ?? {}, emitted)]) decorate(prototype, field.name);
}

function declarationOf(type: FieldType, classOf: ClassOf): Declaration {
  switch (type) {
    case 'str':
      return plain(String);
    case 'int':
      return { emitted: Number, options: { integer: true }, decorators: [] };
    case 'float':
      return plain(Number);
    case 'bool':
      return plain(Boolean);
    case 'datetime':
      return plain(Date);
    case 'uuid':
      return { emitted: String, options: { format: 'uuid' }, decorators: [] };
    case 'any':
      return { emitted: Object, options: { type: 'any' }, decorators: [] };
    default:
      return composedDeclaration(type, classOf);
  }
}

function composedDeclaration(type: Exclude<FieldType, string>, classOf: ClassOf): Declaration {
  if ('ref' in type) return plain(classOf(type.ref));
  if ('list' in type) return arrayDeclaration(type.list, classOf);
  if ('tuple' in type) return arrayDeclaration(type.tuple, classOf);
  if ('map' in type) return { emitted: Object, options: { record: reference(type.map, classOf) }, decorators: [] };
  if ('literal' in type) return { emitted: Object, options: { enum: type.literal }, decorators: [] };
  if ('enum' in type) return { emitted: Object, options: { enum: Object.fromEntries(type.enum) }, decorators: [] };
  if ('union' in type) {
    const oneOf = type.union.map((option) => reference(option, classOf));
    return { emitted: Object, options: { oneOf }, decorators: [] };
  }
  const inner = declarationOf(type.optional, classOf);
  // `string | null` is emitted as Object, so that the type has to be named where the inner form does not name it.
  const isNamed = (['type', 'record', 'oneOf', 'enum'] as const).some((option) => inner.options[option] !== undefined);
  const named = isNamed || inner.emitted === Array ? {} : { type: inner.emitted as TypeReference };
  return {
    ...inner,
    emitted: inner.emitted === Array ? Array : Object,
    options: { ...inner.options, ...named, nullable: true },
  };
}

function arrayDeclaration(item: FieldType, classOf: ClassOf): Declaration {
  return { emitted: Array, options: { type: [reference(item, classOf)] }, decorators: [] };
}

function plain(emitted: unknown): Declaration {
  return { emitted, options: {}, decorators: [] };
}

/** The type in a place that cannot have a decorator of its own. */
function reference(type: FieldType, classOf: ClassOf): TypeReference {
  switch (type) {
    case 'str':
    case 'uuid':
      return String;
    case 'int':
      return 'integer';
    case 'float':
      return Number;
    case 'bool':
      return Boolean;
    case 'datetime':
      return Date;
    case 'any':
      return 'any';
    default:
      return composedReference(type, classOf);
  }
}

function composedReference(type: Exclude<FieldType, string>, classOf: ClassOf): TypeReference {
  if ('ref' in type) return classOf(type.ref);
  if ('list' in type) return { array: reference(type.list, classOf) };
  if ('tuple' in type) return { array: reference(type.tuple, classOf) };
  if ('map' in type) return { record: reference(type.map, classOf) };
  if ('literal' in type) return { enum: type.literal };
  if ('enum' in type) return { enum: Object.fromEntries(type.enum) };
  if ('union' in type) return { oneOf: type.union.map((option) => reference(option, classOf)) };
  return { oneOf: [reference(type.optional, classOf), { enum: [null] }] };
}

function metaDecorators(meta: FieldMeta, emitted: unknown): readonly PropertyDecorator[] {
  const isArray = emitted === Array;
  const decorators: PropertyDecorator[] = [];
  if (meta.minimum !== undefined) decorators.push(Min(meta.minimum));
  if (meta.maximum !== undefined) decorators.push(Max(meta.maximum));
  if (meta.minLength !== undefined) decorators.push(isArray ? ArrayMinSize(meta.minLength) : MinLength(meta.minLength));
  if (meta.maxLength !== undefined) decorators.push(isArray ? ArrayMaxSize(meta.maxLength) : MaxLength(meta.maxLength));
  if (meta.pattern !== undefined) decorators.push(Matches(new RegExp(meta.pattern)));
  if (meta.alias !== undefined) decorators.push(Expose({ name: meta.alias }));
  if (meta.strip === true) decorators.push(Transform(({ value }: { value: unknown }) => trimmed(value)));
  return decorators;
}

function trimmed(value: unknown): unknown {
  return typeof value === 'string' ? value.trim() : value;
}
