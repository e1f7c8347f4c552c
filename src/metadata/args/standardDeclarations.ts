import { isObject } from '../../common/guards.js';
import type { Constructor } from '../../common/types.js';

/** Declares a member or a class once the class is known. */
export type StandardDeclaration = (type: Constructor) => void;

// A registered symbol, because two copies of the package (ESM and CJS) must see each other's declarations.
const DECLARATIONS = Symbol.for('toolwright/declarations/1');

/**
 * Keeps the declaration of a standard decorator in the metadata of its class. Decorators of members do not get the class, and a params
 * class has no decorator of its own that could add them later.
 */
export function keepDeclaration(metadata: object, declare: StandardDeclaration): void {
  const holder = metadata as Record<symbol, StandardDeclaration[] | undefined>;
  // The metadata of a subclass inherits from the metadata of its parent.
  if (Object.hasOwn(holder, DECLARATIONS)) holder[DECLARATIONS]?.push(declare);
  else holder[DECLARATIONS] = [declare];
}

/** Runs the declarations that standard decorators have kept for exactly this class, once. */
export function runDeclarations(type: Constructor): void {
  const key = (Symbol as { readonly metadata?: symbol }).metadata ?? Symbol.for('Symbol.metadata');
  if (typeof type !== 'function' || !Object.hasOwn(type, key)) return;
  const metadata = (type as unknown as Readonly<Record<symbol, unknown>>)[key];
  if (!isObject(metadata) || !Object.hasOwn(metadata, DECLARATIONS)) return;
  const holder = metadata as Record<symbol, StandardDeclaration[] | undefined>;
  const declarations = holder[DECLARATIONS] ?? [];
  // Emptied first, because every declaration writes records, which looks here again.
  holder[DECLARATIONS] = [];
  for (const declare of declarations) declare(type);
}
