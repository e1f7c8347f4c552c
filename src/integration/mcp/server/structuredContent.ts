import type { ClassShape, TypeShape } from '../../../metadata/ClassShape.js';
import type { RenderedTool } from '../../../prompt/RenderedTool.js';
import { isAbsence } from '../../../schema/absence.js';
import { Conformity } from '../../../schema/conform.js';
import { serialiserOf } from '../../../schema/serialise.js';
import { outputForm } from './outputForm.js';

type Plain = Readonly<Record<string, unknown>>;

/**
 * Returns a tool's value so that it fits the published schema: clients validate it, and refuse answers with additional keys.
 * Undefined if no schema is published, or if there is no value.
 */
export function structuredContent(tool: RenderedTool, value: unknown): Plain | undefined {
  const form = outputForm(tool);
  if (form === undefined || value === null || value === undefined) return undefined;
  const { result, returnSchema, fieldNames } = tool.metadata;
  const declared = returnSchema === null ? result : null;
  const plain = serialiserOf(fieldNames).toPlain(value, declared === null ? {} : { type: declared });
  const fitted = declared === null ? plain : new Fitting().of(plain, declared);
  return form.isWrapped ? { result: fitted } : (fitted as Plain);
}

/** Removes keys that are not declared, and nulls that mean an absent value. */
class Fitting {
  readonly #conformity = new Conformity();

  of(value: unknown, type: TypeShape): unknown {
    if (typeof value !== 'object' || value === null) return value;
    switch (type.kind) {
      case 'object':
        return this.#object(value as Plain, type.shape);
      case 'array':
        return (value as readonly unknown[]).map((item) => this.of(item, type.items));
      case 'tuple':
        return type.items.map((item, index) => this.of((value as readonly unknown[])[index], item));
      case 'record':
        return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.of(entry, type.values)]));
      case 'oneOf': {
        const option = type.options.find((each) => this.#conformity.fits(each, value));
        return option === undefined ? value : this.of(value, option);
      }
      case 'discriminated': {
        const tag = (value as Plain)[type.property];
        const subType = type.subTypes.find(({ name }) => name === tag);
        return subType === undefined ? value : { [type.property]: tag, ...this.#object(value as Plain, subType.shape) };
      }
      default:
        return value;
    }
  }

  #object(value: Plain, { fields }: ClassShape): Plain {
    const entries = fields.flatMap((field) => {
      if (!Object.hasOwn(value, field.wireName)) return [];
      const entry = value[field.wireName];
      if (entry === undefined || isAbsence(field, entry)) return [];
      return [[field.wireName, this.of(entry, field.type)] as const];
    });
    return Object.fromEntries(entries);
  }
}
