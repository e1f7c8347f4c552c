import { util } from '../../common/builtins.js';
import { className, memberLabel } from '../../common/classes.js';
import { getOwnValue } from '../../common/objects.js';
import { snakeCase, messageOf } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import { createFinding, type Finding } from '../../error/Finding.js';
import type { ErrorCode } from '../../error/remedies.js';
import type { ParamOptions, PropertyMetadataArgs } from '../../metadata/args/ParamMetadataArgs.js';
import { paramKinds } from '../../metadata/args/paramKinds.js';
import type { WireNames } from '../../metadata/args/ToolMetadataArgs.js';
import { readOptions } from '../../metadata/args/readOptions.js';
import type { ClassShape, FieldShape, TypeShape, Check } from '../../metadata/ClassShape.js';
import { exposesOnlyMarked, readTransformerNotes, listTransformerProperties } from './classTransformer.js';
import { readValidatorNotes, type ValidatorNotes } from './classValidator.js';
import { findFieldFaults } from './findFieldFaults.js';
import { FieldTypeReader } from './FieldTypeReader.js';
import { readOptionRules } from '../rules/readOptionRules.js';
import { readGraphqlOptions, readGraphqlProperties } from './graphqlNotes.js';
import { matchInLinearTime } from '../pattern/matchInLinearTime.js';
import { adoptDeclarations, listDeclarations } from './mappedTypes.js';
import { readOpenApiOptions, readOpenApiProperties } from './openApiNotes.js';
import type { PatternReader } from '../rules/Rule.js';
import { selectRelevantRules } from '../rules/selectRelevantRules.js';

/**
 * How wire names are derived from property names. `property` ignores even names set by options: for params that are never sent,
 * such as the params of sections.
 */
export type FieldNames = WireNames | 'property';

/** A fault of a params class. */
export interface ShapeFault {
  readonly type: Constructor;
  readonly found: Finding;
}

/** Milliseconds within which a default is assumed to be the time at which the instance was created. */
const MOMENT = 1_000;

/**
 * Reads a class once into the intermediate form, from our own metadata, class-validator's and class-transformer's, and the types
 * that the compiler emitted (decision 6). Keeps faults per class, so that shared classes report them once.
 */
export class ShapeReader {
  readonly types = new FieldTypeReader((type) => this.read(type));
  readonly #fieldNames: FieldNames;
  readonly #patterns: PatternReader;
  readonly #shapes = new Map<Constructor, ClassShape>();
  readonly #faults: ShapeFault[] = [];

  /** @param patterns `readDeclaredPattern`, unless its cost is too high: it loads an engine for regular expressions */
  constructor(fieldNames: FieldNames, patterns: PatternReader) {
    this.#fieldNames = fieldNames;
    this.#patterns = patterns;
  }

  get faults(): readonly ShapeFault[] {
    return this.#faults;
  }

  /** Returns the shape of the class; the same object each time. */
  read(type: Constructor): ClassShape {
    const known = this.#shapes.get(type);
    if (known !== undefined) return known;
    const fields: FieldShape[] = [];
    const byWireName = new Map<string, FieldShape>();
    // Registered before its fields are read: a recursive class refers to itself.
    const shape: { -readonly [K in keyof ClassShape]: ClassShape[K] } = {
      type,
      name: className(type),
      fields,
      byWireName,
      fullPath: undefined,
    };
    this.#shapes.set(type, shape);
    const { fields: mapped, unknown } = adoptDeclarations(type);
    if (unknown !== undefined) {
      const problem = `${unknown} is made by a mapped type from a class that cannot be constructed`;
      this.#report('E223', type, undefined, problem);
    }
    const samples = this.#createSamples(type);
    const validators = readValidatorNotes(type);
    const declared = listDrafts(type, validators);
    // GraphQL's `@Field` and `@ApiProperty` also name properties that the compiler emits nothing for.
    const described = [...readGraphqlProperties(type), ...readOpenApiProperties(type)];
    this.#reportUndeclared(type, declared, new Set([...mapped, ...listOwnData(samples?.[0]), ...described]));
    for (const draft of declared) {
      if (draft.options.internal === true) continue;
      const field = this.#readField(type, draft, validators.get(draft.property), samples);
      if (field === undefined) continue;
      const feature = field.conversion ?? field.condition;
      if (feature !== undefined) shape.fullPath ??= `${feature} on ${field.property}`;
      for (const { code, problem } of findFieldFaults(field, samples?.[0], this.#patterns))
        this.#report(code, type, field.property, problem);
      const other = byWireName.get(field.wireName);
      if (other !== undefined) {
        const label = memberLabel(type, other.property);
        this.#report('E204', type, field.property, `"${field.wireName}" is already the name of ${label}`);
      }
      fields.push(field);
      byWireName.set(field.wireName, field);
    }
    return shape;
  }

  /** Reports properties without a decorator: they would be in no schema, and the model could not send them. */
  #reportUndeclared(
    type: Constructor,
    declared: readonly PropertyMetadataArgs[],
    properties: ReadonlySet<string>,
  ): void {
    if (exposesOnlyMarked(type)) return;
    const known = new Set([...declared.map(({ property }) => property), ...listTransformerProperties(type)]);
    for (const property of properties) {
      if (known.has(property)) continue;
      const problem = 'it carries neither @Param nor @Field of toolwright, nor a rule, so it would be in no schema';
      this.#report('E221', type, property, problem);
    }
  }

  #readField(
    type: Constructor,
    draft: PropertyMetadataArgs,
    notes: ValidatorNotes | undefined,
    samples: readonly [object, object] | undefined,
  ): FieldShape | undefined {
    const { property } = draft;
    const { options = {}, faults } = readOptions<ParamOptions>(draft.options, paramKinds);
    for (const { problem } of faults) this.#report('E312', type, property, problem);
    const transformer = readTransformerNotes(type, property);
    if (transformer.hiddenInput) return undefined;
    if (property === '__proto__' || options.name === '__proto__') {
      this.#report('E208', type, property, 'it is named __proto__');
      return undefined;
    }
    if (draft.misused) this.#report('E207', type, property, 'on a property, @Param takes one argument');
    const [initial, again] = (samples ?? []).map((sample) => getOwnValue(sample, property));
    const rulesStated = readOptionRules(options);
    if (notes?.asynchronous !== undefined) {
      this.#report('E205', type, property, `the rule ${notes.asynchronous} is asynchronous`);
    }
    const unreadable = rulesStated.unreadable ?? notes?.unreadable;
    if (unreadable !== undefined) this.#report('E217', type, property, unreadable);
    const clues = { options, stated: rulesStated.type, transformer, validator: notes, initial };
    const shape = this.types.readProperty(type, property, clues);
    if ('problem' in shape) {
      this.#report(shape.code ?? 'E201', type, property, shape.problem, shape.remedy);
      return undefined;
    }
    for (const { code, problem } of rulesStated.faults(shape)) this.#report(code, type, property, problem);
    const published = readDefault(options, initial, again);
    return {
      property,
      wireName: this.#wireName(property, options.name ?? transformer.exposedName),
      type: shape,
      optional:
        options.optional === true || notes?.optional === true || options.default !== undefined || initial !== undefined,
      nullable: options.nullable === true || initial === null || options.default === null || holdsNull(shape),
      description: options.description?.trim() === '' ? undefined : options.description?.trim(),
      secret: options.secret === true,
      default: published,
      explicitDefault: options.default === undefined ? undefined : published,
      conversion: transformer.conversion,
      condition: notes?.condition,
      libraryName: transformer.exposedName ?? property,
      checks: sortLengthFirst(
        matchInLinearTime(
          selectRelevantRules([...rulesStated.checks, ...(notes?.checks ?? [])], shape),
          this.#patterns,
        ),
      ),
    };
  }

  #wireName(property: string, given: string | undefined): string {
    if (this.#fieldNames === 'property') return property;
    return given ?? (this.#fieldNames === 'snake_case' ? snakeCase(property) : property);
  }

  /** Creates two instances: the initial values of their properties are the defaults, unless they differ. */
  #createSamples(type: Constructor): readonly [object, object] | undefined {
    try {
      return [new type(), new type()];
    } catch (cause) {
      const takes = type.length === 0 ? '' : `, and takes ${String(type.length)}`;
      this.#report('E202', type, undefined, `the constructor threw without arguments${takes}: ${messageOf(cause)}`);
      return undefined;
    }
  }

  #report(code: ErrorCode, type: Constructor, member: string | undefined, problem: string, remedy?: string): void {
    const place = memberLabel(type, member);
    const name = className(type);
    const details = { place, className: name, member, paramsType: name, ...(remedy === undefined ? {} : { remedy }) };
    this.#faults.push({ type, found: createFinding(code, problem, details) });
  }
}

/**
 * Lists every declared property, base classes first, then properties that have only rules. Adds the options of `@ApiProperty` and
 * GraphQL's `@Field` to each.
 */
function listDrafts(type: Constructor, validators: ReadonlyMap<string, unknown>): readonly PropertyMetadataArgs[] {
  const declared = listDeclarations(type);
  const known = new Set(declared.map(({ property }) => property));
  const ruled = [...validators.keys()].filter((property) => !known.has(property));
  return [...declared, ...ruled.map((property) => ({ property, options: {}, misused: false }))].map((draft) => {
    const noted = { ...readGraphqlOptions(type, draft.property), ...readOpenApiOptions(type, draft.property) };
    return { ...draft, options: { ...noted, ...draft.options } };
  });
}

/** Lists the own properties of an instance, except functions. */
function listOwnData(sample: object = {}): readonly string[] {
  return Object.entries(sample).flatMap(([property, value]) => (typeof value === 'function' ? [] : [property]));
}

function holdsNull(type: TypeShape): boolean {
  return type.kind === 'enum' && type.values.includes(null);
}

function readDefault(options: ParamOptions, first: unknown, second: unknown): FieldShape['default'] {
  // Copied, because the author's value is not ours to freeze.
  if (options.default !== undefined) return { value: structuredClone(options.default) };
  // Equal values do not need node:util, which takes a millisecond to load.
  const isSame = Object.is(first, second) || util().isDeepStrictEqual(first, second);
  return first !== undefined && isSame && !isTimeText(first) ? { value: first } : undefined;
}

/** Checks for the current time in any common form: two instances created within one millisecond may have the same. */
function isTimeText(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && !(value instanceof Date)) return false;
  return Math.abs(Date.now() - new Date(value).getTime()) < MOMENT;
}

/**
 * Makes patterns wait for the rules that limit a length: a text that is too long is refused anyway, and a backtracking pattern
 * would block on it.
 */
function sortLengthFirst(checks: readonly Check[]): readonly Check[] {
  const bounds = checks.filter(({ schema, pattern }) => schema?.['maxLength'] !== undefined && pattern === undefined);
  if (bounds.length === 0) return checks;
  return checks.map((check) => {
    if (check.pattern === undefined) return check;
    const own = bounds.filter(({ each }) => each === check.each);
    const test: Check['test'] = (value, owner) =>
      own.some((bound) => !bound.test(value, owner)) || check.test(value, owner);
    return { ...check, test };
  });
}
