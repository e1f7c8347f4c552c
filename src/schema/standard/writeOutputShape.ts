import type { ClassShape, DiscriminatedShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';

/**
 * Derives the shape of parsed instances from the shape of the input: a property with a default is always present.
 *
 * @param shape read with property names, since instances have those
 */
export function writeOutputShape(shape: ClassShape): ClassShape {
  return new OutputWriter().shape(shape);
}

class OutputWriter {
  readonly #written = new Map<ClassShape, ClassShape>();

  shape(shape: ClassShape): ClassShape {
    const known = this.#written.get(shape);
    if (known !== undefined) return known;
    const fields: FieldShape[] = [];
    const written = { ...shape, fields };
    // Registered before its fields are written: a recursive class refers to itself.
    this.#written.set(shape, written);
    fields.push(...shape.fields.map((field) => this.#field(field)));
    return written;
  }

  #field(field: FieldShape): FieldShape {
    const optional = field.optional && field.default === undefined;
    return { ...field, type: this.#type(field.type), optional, default: undefined };
  }

  #type(type: TypeShape): TypeShape {
    switch (type.kind) {
      case 'array':
        return { ...type, items: this.#type(type.items) };
      case 'record':
        return { ...type, values: this.#type(type.values) };
      case 'tuple':
        return { ...type, items: type.items.map((item) => this.#type(item)) };
      case 'oneOf':
        return { ...type, options: type.options.map((option) => this.#type(option)) };
      case 'object':
        return { ...type, shape: this.shape(type.shape) };
      case 'discriminated':
        return this.#writeDiscriminated(type);
      default:
        return type;
    }
  }

  /** Writes a plain union if instances do not keep the discriminator. */
  #writeDiscriminated(type: DiscriminatedShape): TypeShape {
    const subTypes = type.subTypes.map(({ name, shape }) => ({ name, shape: this.shape(shape) }));
    if (type.keep) return { ...type, subTypes };
    return { kind: 'oneOf', options: subTypes.map(({ shape }) => ({ kind: 'object', shape })) };
  }
}
