import type { Check, ClassShape, FieldShape, TypeShape } from '../metadata/ClassShape.js';
import { DECLINED, type FastParser } from './FastParser.js';
import { generateParser } from './generatedParser.js';
import { freshDefault, rulesOfDefault } from './defaults.js';

/** A fast parser, and whether its class can contain itself. */
export interface CompiledParser {
  readonly parse: FastParser;
  readonly recursive: boolean;
}

/**
 * Fuses the types, the rules and the construction of the instance into one function. It accepts only what the slow parser
 * would accept, with the same instance; all else it declines, without saying why.
 *
 * @param generate writes the function as code; closures are used without it, and where code generation is forbidden
 */
export function compileFastParser(shape: ClassShape, generate = true): CompiledParser {
  const compiler = new FastParserCompiler(generate);
  const parse = compiler.object(shape);
  return { parse, recursive: compiler.recursive };
}

class FastParserCompiler {
  recursive = false;
  readonly #generate: boolean;
  readonly #compiled = new Map<ClassShape, { parse: FastParser | undefined }>();

  constructor(generate: boolean) {
    this.#generate = generate;
  }

  #type(type: TypeShape): FastParser {
    switch (type.kind) {
      case 'string':
        return (value) => (typeof value === 'string' ? value : DECLINED);
      case 'number':
        return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : DECLINED);
      case 'integer':
        return (value) => (Number.isInteger(value) ? value : DECLINED);
      case 'boolean':
        return (value) => (typeof value === 'boolean' ? value : DECLINED);
      case 'enum': {
        const values = new Set<unknown>(type.values);
        return (value) => (values.has(value) ? value : DECLINED);
      }
      case 'array':
        return this.#array(this.#type(type.items));
      case 'object':
        return this.object(type.shape);
      default:
        // Rare kinds (dates, records, tuples, unions, anything) are left to the slow parser.
        return () => DECLINED;
    }
  }

  #array(item: FastParser): FastParser {
    return (value) => {
      if (!Array.isArray(value)) return DECLINED;
      const items: unknown[] = [];
      for (const entry of value as readonly unknown[]) {
        const parsed = item(entry);
        if (parsed === DECLINED) return DECLINED;
        items.push(parsed);
      }
      return items;
    };
  }

  object(shape: ClassShape): FastParser {
    const known = this.#compiled.get(shape);
    if (known !== undefined) {
      if (known.parse !== undefined) return known.parse;
      this.recursive = true;
      return (value) => known.parse?.(value) ?? DECLINED;
    }
    const holder: { parse: FastParser | undefined } = { parse: undefined };
    this.#compiled.set(shape, holder);
    holder.parse = shape.fullPath === undefined ? this.#parser(shape) : () => DECLINED;
    return holder.parse;
  }

  #parser(shape: ClassShape): FastParser {
    if (this.#generate) {
      try {
        return generateParser(shape, DECLINED, (nested) => this.object(nested));
      } catch (error) {
        if (!(error instanceof EvalError)) throw error;
      }
    }
    return objectParser(
      shape,
      shape.fields.map((field) => this.#type(field.type)),
    );
  }
}

function objectParser(shape: ClassShape, parsers: readonly FastParser[]): FastParser {
  const { fields } = shape;
  const construct = shape.type as unknown as new () => Record<string, unknown>;
  const names = fields.map(({ wireName }) => wireName);
  const absent = fields.map(({ optional }) => optional);
  const defaults = fields.map((field) => freshDefault(field));
  const rules = fields.map((field) => ({ ...field, ofDefault: rulesOfDefault(field) }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return DECLINED;
    const source = value as Readonly<Record<string, unknown>>;
    const instance = new construct();
    let taken = 0;
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      const { property } = fields[index] as FieldShape;
      if (!Object.hasOwn(source, name)) {
        if (absent[index] !== true) return DECLINED;
        const fallback = defaults[index];
        if (fallback !== undefined) instance[property] = fallback();
        continue;
      }
      const parsed = (parsers[index] as FastParser)(source[name]);
      if (parsed === DECLINED) return DECLINED;
      instance[property] = parsed;
      taken++;
    }
    // Counting is enough: every field was taken once, so one more key is an extra one.
    if (countKeys(source) !== taken) return DECLINED;
    // Rules come last: one may compare its field with another.
    for (const { property, wireName, checks, ofDefault } of rules) {
      const entry = instance[property];
      const due = Object.hasOwn(source, wireName) ? checks : (entry ?? null) === null ? [] : ofDefault;
      for (const check of due) if (!holds(check, entry, instance)) return DECLINED;
    }
    return instance;
  };
}

function holds({ each, test }: Check, value: unknown, owner: object): boolean {
  return each ? Array.isArray(value) && value.every((item) => test(item, owner)) : test(value, owner);
}

/** Inherited keys count too, so a polluted prototype makes the fast parser decline. */
function countKeys(source: object): number {
  let keys = 0;
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- only the number is wanted, and Object.keys would build a list
  for (const key in source) keys++;
  return keys;
}
