import type { Check, ClassShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { createDefaultFactory, selectDefaultRules } from '../rules/defaults.js';

/** The result of the fast parser for every value that it does not accept. */
export const DECLINED: unique symbol = Symbol('declined');

/** Returns the instance, or `DECLINED`; never accepts an invalid value (decision 6). */
type FastParser = (value: unknown) => unknown;

/** A fast parser; `recursive` if its class can contain itself. */
export interface CompiledParser {
  readonly parse: FastParser;
  readonly recursive: boolean;
}

/** A class, a rule, or the parser of a nested class, passed to generated code as an argument. */
type Constant = unknown;

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with an object of its own; Object.hasOwn is slower in a loop over keys
const hasOwn = Object.prototype.hasOwnProperty;

let written = 0;

/** The most members of an enum to compare one by one. */
const MOST_COMPARED = 100;

/**
 * Compiles types, rules and construction of the instance into one function. It accepts only values that the slow parser would
 * accept, with the same instance, and declines all others without a reason. Where code generation is forbidden, it declines
 * everything: closures in its place cost 2 µs a value, the slow parser 6 µs (decision 40).
 */
export function compileFastParser(shape: ClassShape): CompiledParser {
  const compiler = new FastParserCompiler();
  const parse = compiler.object(shape);
  return { parse, recursive: compiler.recursive };
}

const declineValue: FastParser = () => DECLINED;

class FastParserCompiler {
  recursive = false;
  readonly #compiled = new Map<ClassShape, { parse: FastParser | undefined }>();

  object(shape: ClassShape): FastParser {
    const known = this.#compiled.get(shape);
    if (known !== undefined) {
      if (known.parse !== undefined) return known.parse;
      this.recursive = true;
      return (value) => known.parse?.(value) ?? DECLINED;
    }
    const holder: { parse: FastParser | undefined } = { parse: undefined };
    this.#compiled.set(shape, holder);
    holder.parse = shape.fullPath === undefined ? this.#generateParser(shape) : declineValue;
    return holder.parse;
  }

  /**
   * Generates the parser of one class from source, because closures cost several times the check itself: the code reads every
   * property by a constant key. Names enter the source only as JSON strings.
   */
  #generateParser(shape: ClassShape): FastParser {
    const writer = new ParserWriter((nested) => this.object(nested));
    const body = writer.object(shape);
    const names = writer.constants.map((_, index) => `k${String(index)}`);
    // The engine shares one function, with its type feedback, between equal sources, so each source gets a unique name.
    const name = `parse${String(++written)}`;
    try {
      // The only place where code is generated from text; the text is ours, and names in it are JSON strings.
      // eslint-disable-next-line @typescript-eslint/no-implied-eval -- see above
      const make = new Function('D', 'C', 'h', ...names, `'use strict';\nreturn function ${name}(s) {\n${body}};`) as (
        ...constants: readonly Constant[]
      ) => FastParser;
      return make(DECLINED, shape.type, hasOwn, ...writer.constants);
    } catch (error) {
      if (!(error instanceof EvalError)) throw error;
      return declineValue;
    }
  }
}

/** Writes the body of one parser, and collects the constants that it needs from outside. */
class ParserWriter {
  readonly constants: Constant[] = [];
  readonly #nested: (shape: ClassShape) => FastParser;
  #variables = 0;

  constructor(nested: (shape: ClassShape) => FastParser) {
    this.#nested = nested;
  }

  object({ fields }: ClassShape): string {
    const parts = fields.map((field) => {
      const value = this.#variable();
      return { taken: this.#field(field, value), rules: this.#rules(field, value) };
    });
    return [
      "if (typeof s !== 'object' || s === null) return D;",
      'const o = new C();',
      'let n = 0;',
      ...parts.map(({ taken }) => taken),
      // An object with another prototype, such as an array, could present inherited values as its own. Checked here, after the
      // reads, because the engine then knows the shape of the object.
      'const p = Object.getPrototypeOf(s);',
      'if (p !== Object.prototype && p !== null) return D;',
      // Counting is enough: every field was counted once, so any further key is extra. A polluted prototype declines.
      'for (const k in s) { if (!h.call(s, k)) return D; n--; }',
      'if (n !== 0) return D;',
      // Rules come last: one may compare its field with another.
      ...parts.map(({ rules }) => rules),
      'return o;',
      '',
    ].join('\n');
  }

  /** @param value the variable for the sent value; undefined if none was sent */
  #field(field: FieldShape, value: string): string {
    const source = `s[${JSON.stringify(field.wireName)}]`;
    const target = `o[${JSON.stringify(field.property)}]`;
    const fallback = createDefaultFactory(field);
    const absent = !field.optional
      ? 'return D;'
      : fallback === undefined
        ? ''
        : `${target} = ${this.#constant(fallback)}();`;
    // An own key with the value undefined makes the counts differ, so the value is declined below.
    const own =
      field.wireName in Object.prototype
        ? `Object.hasOwn(s, ${JSON.stringify(field.wireName)}) ? ${source} : undefined`
        : source;
    return [
      `const ${value} = ${own};`,
      `if (${value} === undefined) { ${absent} } else {`,
      this.#type(field.type, value, (parsed) => `${target} = ${parsed};`),
      'n++; }',
    ].join('\n');
  }

  /** Writes statements that decline an invalid value and pass a valid one to `use`. */
  #type(type: TypeShape, value: string, use: (parsed: string) => string): string {
    switch (type.kind) {
      case 'string':
      case 'boolean':
        return `if (typeof ${value} !== '${type.kind}') return D; ${use(value)}`;
      case 'number':
        return `if (typeof ${value} !== 'number' || !Number.isFinite(${value})) return D; ${use(value)}`;
      case 'integer':
        return `if (!Number.isInteger(${value})) return D; ${use(value)}`;
      case 'enum':
        return `if (${this.#isNotAmong(type.values, value)}) return D; ${use(value)}`;
      case 'array':
        return this.#array(type.items, value, use);
      case 'object': {
        const parsed = this.#variable();
        const parse = this.#constant(this.#nested(type.shape));
        return `const ${parsed} = ${parse}(${value}); if (${parsed} === D) return D; ${use(parsed)}`;
      }
      default:
        // Rare kinds (dates, records, tuples, unions, anything) are left to the slow parser.
        return 'return D;';
    }
  }

  /** Writes the test for an enum: few comparisons are faster than a look-up, but thousands for each item of a list take seconds. */
  #isNotAmong(values: readonly unknown[], value: string): string {
    if (values.length > MOST_COMPARED) return `!${this.#constant(new Set(values))}.has(${value})`;
    return values.map((entry) => `${value} !== ${JSON.stringify(entry)}`).join(' && ') || 'true';
  }

  #array(items: TypeShape, value: string, use: (parsed: string) => string): string {
    const [list, index, item] = [this.#variable(), this.#variable(), this.#variable()];
    return [
      `if (!Array.isArray(${value})) return D;`,
      `const ${list} = [];`,
      `for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {`,
      `const ${item} = ${value}[${index}];`,
      this.#type(items, item, (parsed) => `${list}.push(${parsed});`),
      `}`,
      use(list),
    ].join('\n');
  }

  #rules(field: FieldShape, sent: string): string {
    const all = field.checks.map((check) => this.#rule(field, check)).join('\n');
    if (!field.optional) return all;
    const others = selectDefaultRules(field).map((check) => this.#rule(field, check));
    const value = `o[${JSON.stringify(field.property)}]`;
    const otherwise = others.length === 0 ? '' : ` else if (${value} != null) {\n${others.join('\n')}\n}`;
    return all === '' ? '' : `if (${sent} !== undefined) {\n${all}\n}${otherwise}`;
  }

  #rule({ property }: FieldShape, { each, test }: Check): string {
    const value = `o[${JSON.stringify(property)}]`;
    const rule = this.#constant(test);
    const holds = each
      ? `(Array.isArray(${value}) && ${value}.every((item) => ${rule}(item, o)))`
      : `${rule}(${value}, o)`;
    return `if (!${holds}) return D;`;
  }

  #constant(value: Constant): string {
    this.constants.push(value);
    return `k${String(this.constants.length - 1)}`;
  }

  #variable(): string {
    return `v${String(this.#variables++)}`;
  }
}
