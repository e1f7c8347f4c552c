import type { Check, ClassShape, FieldShape, TypeShape } from '../../metadata/ClassShape.js';
import { joinPath } from '../limits.js';
import { createDefaultFactory, selectDefaultRules } from '../rules/defaults.js';
import type { SlowParser } from './slowParser.js';

/** The result of the fast parser for every value that it does not accept. */
export const DECLINED: unique symbol = Symbol('declined');

/** Returns the instance, or `DECLINED`; never accepts an invalid value (decision 6). */
export type FastParser = (value: unknown) => unknown;

/** Reports the issues of a value to a slow parser, or returns `DECLINED` after it may have reported some of them. */
type Explainer = (value: unknown, report: SlowParser, path: string) => unknown;

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
export function compileFastParser(shape: ClassShape): FastParser {
  return new FastParserCompiler(false).object(shape) as FastParser;
}

/**
 * Compiles the function that finds the issues of a refused value, which is several times as fast as the slow parser. It reports
 * wrong scalars and broken rules as the slow parser does, and declines missing and extra keys, other values, and secrets.
 */
export function compileExplainer(shape: ClassShape): Explainer {
  return new FastParserCompiler(true).object(shape);
}

const declineValue: FastParser = () => DECLINED;

class FastParserCompiler {
  readonly #explains: boolean;
  readonly #compiled = new Map<ClassShape, { parse: Explainer | undefined }>();

  constructor(explains: boolean) {
    this.#explains = explains;
  }

  object(shape: ClassShape): Explainer {
    const known = this.#compiled.get(shape);
    if (known !== undefined) {
      // A class that contains itself is not compiled yet.
      return known.parse ?? ((value, report, path) => known.parse?.(value, report, path) ?? DECLINED);
    }
    const holder: { parse: Explainer | undefined } = { parse: undefined };
    this.#compiled.set(shape, holder);
    const isDeclined = shape.fullPath !== undefined || (this.#explains && shape.fields.some(({ secret }) => secret));
    holder.parse = isDeclined ? declineValue : this.#generateParser(shape);
    return holder.parse;
  }

  /**
   * Generates the parser of one class from source, because closures cost several times the check itself: the code reads every
   * property by a constant key. Names enter the source only as JSON strings.
   */
  #generateParser(shape: ClassShape): Explainer {
    const writer = new ParserWriter(this.#explains, (nested) => this.object(nested));
    const body = writer.object(shape);
    const names = writer.constants.map((_, index) => `k${String(index)}`);
    // The engine shares one function, with its type feedback, between equal sources, so each source gets a unique name.
    const name = `parse${String(++written)}`;
    try {
      // The only place where code is generated from text; the text is ours, and names in it are JSON strings.
      // eslint-disable-next-line @typescript-eslint/no-implied-eval -- see above
      const make = new Function(
        'D',
        'C',
        'h',
        'j',
        ...names,
        `'use strict';\nreturn function ${name}(s${this.#explains ? ', x, a' : ''}) {\n${body}};`,
      ) as (...constants: readonly unknown[]) => Explainer;
      return make(DECLINED, shape.type, hasOwn, joinPath, ...writer.constants);
    } catch (error) {
      if (!(error instanceof EvalError)) throw error;
      return declineValue;
    }
  }
}

/**
 * Writes the body of one parser or explainer, and collects the constants that it needs from outside. An explainer reads the same
 * fields, but reports an issue where a parser declines.
 */
class ParserWriter {
  /** Classes, rules and parsers of nested classes, passed to the generated code as arguments. */
  readonly constants: unknown[] = [];
  readonly #explains: boolean;
  readonly #nested: (shape: ClassShape) => Explainer;
  #variables = 0;

  constructor(explains: boolean, nested: (shape: ClassShape) => Explainer) {
    this.#explains = explains;
    this.#nested = nested;
  }

  object({ fields }: ClassShape): string {
    const parts = fields.map((field) => {
      const value = this.#variable();
      const rules = this.#explains ? this.#reports(field, value) : this.#rules(field, value);
      return { taken: this.#field(field, value), rules };
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
    const path = `j(a, ${JSON.stringify(field.wireName)})`;
    // The slow parser leaves out a field with an issue anywhere in its value, and then does not check the rules of the field.
    const before = this.#explains ? `let g${value} = false; const b${value} = x.issues.length;` : '';
    const use = (parsed: string): string =>
      this.#explains
        ? `if (x.issues.length === b${value}) { ${target} = ${parsed}; g${value} = true; }`
        : `${target} = ${parsed};`;
    return [
      `const ${value} = ${own}; ${before}`,
      `if (${value} === undefined) { ${absent} } else {`,
      this.#type(field.type, value, path, use),
      'n++; }',
    ].join('\n');
  }

  /**
   * Writes statements that decline or report an invalid value and pass a valid one to `use`.
   *
   * @param path the expression for the path of the value
   */
  #type(type: TypeShape, value: string, path: string, use: (parsed: string) => string): string {
    switch (type.kind) {
      case 'string':
      case 'boolean':
        return this.#scalar(type, `typeof ${value} === '${type.kind}'`, value, path, use);
      case 'number':
        return this.#scalar(type, `typeof ${value} === 'number' && Number.isFinite(${value})`, value, path, use);
      case 'integer':
        return this.#scalar(type, `Number.isInteger(${value})`, value, path, use);
      case 'enum':
        return this.#scalar(type, this.#isAmong(type.values, value), value, path, use);
      case 'array':
        return this.#array(type.items, value, path, use);
      case 'object': {
        const parsed = this.#variable();
        const more = this.#explains ? `, x, ${path}` : '';
        const parse = this.#constant(this.#nested(type.shape));
        return `const ${parsed} = ${parse}(${value}${more}); if (${parsed} === D) return D; ${use(parsed)}`;
      }
      default:
        // Rare kinds (dates, records, tuples, unions, anything) are left to the slow parser.
        return 'return D;';
    }
  }

  #scalar(type: TypeShape, isValid: string, value: string, path: string, use: (parsed: string) => string): string {
    if (!this.#explains) return `if (!(${isValid})) return D; ${use(value)}`;
    const report = `x.refuseScalar(${this.#constant(type)}, ${value}, ${path})`;
    return `if (${isValid}) { ${use(value)} } else if (!${report}) return D;`;
  }

  /** Writes the test for an enum: few comparisons are faster than a look-up, but thousands for each item of a list take seconds. */
  #isAmong(values: readonly unknown[], value: string): string {
    if (values.length > MOST_COMPARED) return `${this.#constant(new Set(values))}.has(${value})`;
    return values.map((entry) => `${value} === ${JSON.stringify(entry)}`).join(' || ') || 'false';
  }

  #array(items: TypeShape, value: string, path: string, use: (parsed: string) => string): string {
    const [list, index, item] = [this.#variable(), this.#variable(), this.#variable()];
    const itemPath = `${path} + '[' + ${index} + ']'`;
    return [
      `if (!Array.isArray(${value})) return D;`,
      `const ${list} = [];`,
      `for (let ${index} = 0; ${index} < ${value}.length; ${index}++) {`,
      `const ${item} = ${value}[${index}];`,
      this.#type(items, item, itemPath, (parsed) => `${list}.push(${parsed});`),
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

  /** Writes calls that report the broken rules of a field, and of its default if it is absent. */
  #reports(field: FieldShape, sent: string): string {
    const call = (checks: readonly Check[]): string =>
      checks.length === 0 ? '' : `x.runChecks(${this.#constant(field)}, ${this.#constant(checks)}, o, a);`;
    const own = `if (g${sent}) { ${call(field.checks)} }`;
    const others = field.optional ? call(selectDefaultRules(field)) : '';
    return `${own} else if (${sent} === undefined && o[${JSON.stringify(field.property)}] != null) { ${others} }`;
  }

  #rule({ property }: FieldShape, { each, test }: Check): string {
    const value = `o[${JSON.stringify(property)}]`;
    const rule = this.#constant(test);
    const holds = each
      ? `(Array.isArray(${value}) && ${value}.every((item) => ${rule}(item, o)))`
      : `${rule}(${value}, o)`;
    return `if (!${holds}) return D;`;
  }

  #constant(value: unknown): string {
    this.constants.push(value);
    return `k${String(this.constants.length - 1)}`;
  }

  #variable(): string {
    return `v${String(this.#variables++)}`;
  }
}
