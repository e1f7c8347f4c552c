import { fieldsOf, isNullAbsence, type ClassRecipe, type Field, type Kind } from './Recipe';

/** Represents a value that the contract refuses before the libraries see it. */
export const REFUSED: unique symbol = Symbol('refused');

/** Keys that class-transformer silently ignores, so that class-validator never sees them. */
const PASSED_OVER = new Set(Object.getOwnPropertyNames(Object.prototype));

/**
 * A copy of the value with what our contract adds to the two libraries, so that these can be asked about the rest: `null` for
 * an optional property is absence, defaults by option are filled in, keys that class-transformer drops in silence are refused,
 * and a discriminator has to name one of its classes.
 */
export function normalised(recipe: ClassRecipe, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return REFUSED;
  const fields = fieldsOf(recipe);
  const byWire = new Map(fields.filter(({ hidden }) => !hidden).map((field) => [field.wire, field]));
  const copy: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    const field = byWire.get(key);
    // An own name that was renamed, an excluded property, `__proto__`: extra keys.
    if (field === undefined && (PASSED_OVER.has(key) || fields.some(({ property }) => property === key)))
      return REFUSED;
    if (field === undefined) {
      // A class that takes only what is exposed drops the rest in silence.
      if (recipe.exposesOnlyMarked || fields.some(({ wire }) => wire === key)) return REFUSED;
      copy[key] = entry;
      continue;
    }
    if (entry === null && isNullAbsence(field)) continue;
    const inner = normalisedEntry(field.kind, entry, recipe);
    if (inner === REFUSED) return REFUSED;
    copy[key] = inner;
  }
  for (const field of byWire.values()) fill(copy, field);
  return copy;
}

function fill(copy: Record<string, unknown>, { presence, wire, value }: Field): void {
  if (presence === 'default' && !Object.hasOwn(copy, wire)) copy[wire] = structuredClone(value);
}

function normalisedEntry(kind: Kind, value: unknown, owner: ClassRecipe): unknown {
  switch (kind.kind) {
    case 'class':
    case 'self':
      return isObject(value) ? normalised(kind.kind === 'self' ? owner : kind.recipe, value) : value;
    case 'union':
      return value === null ? null : normalisedUnion(kind, value);
    case 'array': {
      if (!isNative(kind.items)) return hidden(value);
      if (!Array.isArray(value)) return value;
      // class-transformer looks for the discriminator of null, and throws.
      if (kind.items.kind === 'union' && value.includes(null)) return REFUSED;
      const items = value.map((item) => normalisedEntry(kind.items, item, owner));
      return items.includes(REFUSED) ? REFUSED : items;
    }
    case 'any':
    case 'record':
    case 'tuple':
    case 'oneOf':
      return hidden(value);
    default:
      return value;
  }
}

/** Shields a value from the libraries; one with a key that no map may have is refused. */
function hidden(value: unknown): unknown {
  if (hasPrototypeKey(value)) return REFUSED;
  return value === null ? null : () => value;
}

function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(
    ([key, entry]) => ['__proto__', 'constructor', 'prototype'].includes(key) || hasPrototypeKey(entry),
  );
}

/** True for what the libraries have decorators for. */
function isNative({ kind }: Kind): boolean {
  return !['array', 'any', 'record', 'tuple', 'oneOf'].includes(kind);
}

function normalisedUnion({ subs, keep }: Extract<Kind, { kind: 'union' }>, value: unknown): unknown {
  if (!isObject(value) || !Object.hasOwn(value, 'type')) return REFUSED;
  const { type, ...rest } = value as Readonly<Record<string, unknown>>;
  const sub = subs.find(([name]) => name === type);
  if (sub === undefined) return REFUSED;
  const inner = normalised(sub[1], rest);
  return inner === REFUSED ? REFUSED : { ...(inner as object), type: keep ? type : sub[0] };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
