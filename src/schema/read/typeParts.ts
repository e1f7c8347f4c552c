import type { ClassShape, TypeShape } from '../../metadata/ClassShape.js';

/** Lists the types of the items, values and options of a type, but not of the fields of classes. */
export function listParts(type: TypeShape): readonly TypeShape[] {
  switch (type.kind) {
    case 'array':
      return [type.items];
    case 'record':
      return [type.values];
    case 'tuple':
      return type.items;
    case 'oneOf':
      return type.options;
    default:
      return [];
  }
}

/** Lists the classes that a type itself names: one for an object, several for a discriminated union. */
export function listOwnShapes(type: TypeShape): readonly ClassShape[] {
  if (type.kind === 'object') return [type.shape];
  return type.kind === 'discriminated' ? type.subTypes.map(({ shape }) => shape) : [];
}

/** Checks whether the test holds for a type or any of its parts; does not look into the fields of classes. */
export function someType(type: TypeShape, test: (type: TypeShape) => boolean): boolean {
  return test(type) || listParts(type).some((part) => someType(part, test));
}

/** Lists a type, its parts, and the types of all fields of the classes in it, each once: types and classes may contain themselves. */
export function listAllTypes(root: TypeShape): readonly TypeShape[] {
  const types = new Set([root]);
  // Includes the types that are added meanwhile.
  for (const type of types) {
    const fields = listOwnShapes(type).flatMap((shape) => shape.fields);
    for (const part of [...listParts(type), ...fields.map((field) => field.type)]) types.add(part);
  }
  return [...types];
}
