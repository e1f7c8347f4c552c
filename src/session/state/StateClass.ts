import { getOrCreate } from '../../common/memoize.js';
import { copyOwnOptions } from '../../common/objects.js';
import { className, classChain } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import type { Constructor } from '../../common/types.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import { findArgs } from '../../metadata/args/MetadataArgsStorage.js';
import type { FieldShape } from '../../metadata/ClassShape.js';
import {
  exposesOnlyMarked,
  readTransformerNotes,
  listTransformerProperties,
} from '../../schema/read/classTransformer.js';
import { readValidatorNotes } from '../../schema/read/classValidator.js';
import { createDefaultFactory } from '../../schema/rules/defaults.js';
import type { PatternReader } from '../../schema/rules/Rule.js';
import { readShape } from '../../schema/read/readShape.js';
import type { StatePath } from './StatePath.js';
import { hasPrivateState } from './stateValues.js';

interface Obstacle {
  readonly problem: string;
  readonly cause?: unknown;
}

const known = new WeakMap<Constructor, StateClass>();

/** Matches the patterns of state directly: the host wrote the texts, and importing an engine for regular expressions takes time. */
const asDeclared: PatternReader = (pattern) => ({
  test: (text) => text.search(pattern) !== -1,
  longest: Infinity,
});

/**
 * The serialised form of a class: its declared properties, by their own names, since wire names are for models. A class without
 * declarations is stored as the plain data of its instances.
 */
export class StateClass {
  readonly type: Constructor;
  readonly fields: ReadonlyMap<string, FieldShape>;
  /** The reason why no instance can be created from plain data; undefined if one can. */
  readonly obstacle: Obstacle | undefined;
  /** The declared properties; true for hidden ones. */
  readonly #hidden: ReadonlyMap<string, boolean>;

  static of(type: Constructor): StateClass {
    return getOrCreate(known, type, (declared) => new StateClass(declared));
  }

  /**
   * Returns the serialised form of a class whose instances can be created from plain data.
   *
   * @throws SessionError with the code, for any other class
   */
  static require(type: Constructor, code: 'E805' | 'E806', path: StatePath): StateClass {
    const own = StateClass.of(type);
    if (own.obstacle === undefined) return own;
    const { problem, cause } = own.obstacle;
    throw new SessionError(`${className(type)} ${problem}`, { code, place: path.toString(), cause });
  }

  private constructor(type: Constructor) {
    this.type = type;
    this.#hidden = listHiddenProperties(type);
    const read = readFields(type);
    const fields = 'problem' in read ? [] : read;
    this.obstacle = 'problem' in read ? read : undefined;
    this.fields = new Map(
      fields.filter(({ property }) => !this.isMember(property)).map((field) => [field.property, field]),
    );
  }

  /** Checks for a property that must not leave the process: a secret, or one that `@Exclude` removes from every output. */
  isHidden(property: string): boolean {
    return this.#hidden.get(property) ?? exposesOnlyMarked(this.type);
  }

  /** Checks for a declared property that may be absent; one with conditional rules is only sometimes required. */
  mayLack({ optional, condition, property }: FieldShape): boolean {
    return optional || condition !== undefined || this.isHidden(property);
  }

  /** Checks for a method or accessor of the class, which data of the same name would hide. */
  isMember(key: string): boolean {
    for (let owner: unknown = this.type.prototype; owner !== null; owner = Object.getPrototypeOf(owner)) {
      const member = Object.getOwnPropertyDescriptor(owner, key);
      if (member !== undefined) return !('value' in member) || typeof member.value === 'function';
    }
    return false;
  }

  /** Returns the initial value of each declared property; constructs the class only for the value of an initialiser. */
  createInitialReader(): (field: FieldShape) => unknown {
    let instance: object | undefined;
    return (field) => {
      if (!field.optional) return undefined;
      const given = createDefaultFactory(field);
      if (given !== undefined) return given();
      instance ??= new this.type();
      return Object.getOwnPropertyDescriptor(instance, field.property)?.value as unknown;
    };
  }
}

function readFields(type: Constructor): readonly FieldShape[] | Obstacle {
  if (hasPrivateState(type)) return { problem: 'keeps #private state, which only its constructor can create' };
  const native = classChain(type).find((owner) => Function.prototype.toString.call(owner).includes('[native code]'));
  if (native !== undefined) return { problem: `is a ${className(native)}, whose contents are not plain data` };
  try {
    return isDeclared(type) ? readShape(type, 'property', asDeclared).fields : [];
  } catch (cause) {
    return { problem: `is declared wrongly: ${messageOf(cause)}`, cause };
  }
}

/** Checks whether the class has declarations; others are never constructed here, since their constructors may need arguments. */
function isDeclared(type: Constructor): boolean {
  const isMarked = classChain(type).some((owner) => (findArgs(owner)?.properties.length ?? 0) > 0);
  return isMarked || readValidatorNotes(type).size > 0;
}

function listHiddenProperties(type: Constructor): ReadonlyMap<string, boolean> {
  const declared = classChain(type).flatMap((owner) => findArgs(owner)?.properties ?? []);
  const secrets = new Set(
    declared.flatMap(({ property, options }) => {
      const { secret, internal } = copyOwnOptions(options);
      return secret === true || internal === true ? [property] : [];
    }),
  );
  const properties = [...declared.map(({ property }) => property), ...listTransformerProperties(type)];
  return new Map(
    properties.map((property) => [
      property,
      secrets.has(property) || readTransformerNotes(type, property).hiddenOutput,
    ]),
  );
}
