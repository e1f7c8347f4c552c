import { className, isClass } from '../common/classes.js';
import { describeValue } from '../common/text.js';
import { parseToInstance } from '../builder/parseToInstance.js';
import { isObject } from '../common/guards.js';
import { createFinding } from '../error/Finding.js';
import { PromptRenderError, PromptValidationError } from '../error/PromptError.js';
import type { Constructor } from '../common/types.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import type { PromptMetadata, SectionMetadata } from '../metadata/PromptMetadata.js';

/** The properties of a params class, without its methods. */
export type ParamsData<T> = {
  readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]?: T[K];
};

/** The params classes of a prompt, and the first defaults declared for each. */
interface Takes {
  readonly shapes: ReadonlyMap<Constructor, ClassShape>;
  readonly defaults: ReadonlyMap<Constructor, object>;
}

/** The params bound to a prompt, by class. Immutable (docs/contract.md, 3). */
export class ParamsBinding {
  readonly #metadata: PromptMetadata;
  readonly #takes: Takes;
  readonly #bound: ReadonlyMap<Constructor, object>;

  constructor(
    metadata: PromptMetadata,
    bound: ReadonlyMap<Constructor, object> = new Map(),
    takes: Takes = listTakers(metadata),
  ) {
    this.#metadata = metadata;
    this.#takes = takes;
    this.#bound = bound;
  }

  /** The bound instances by class, without defaults. */
  get bound(): ReadonlyMap<Constructor, object> {
    return this.#bound;
  }

  /** @throws PromptValidationError E310 */
  withValues(type: Constructor, values: object): ParamsBinding {
    const shape = this.#takes.shapes.get(type);
    if (shape === undefined) throw this.#createRefusal(`no section takes ${className(type)}`, className(type));
    if (!isObject(values)) {
      throw this.#createRefusal(`expected the values of ${shape.name}, got ${describeValue(values)}`, shape.name);
    }
    const made = parseToInstance(shape, values);
    if (!made.ok) throw this.#createRefusal(`the values do not fit ${shape.name}: ${made.problem}`, shape.name);
    return new ParamsBinding(this.#metadata, new Map([...this.#bound, [type, made.value]]), this.#takes);
  }

  /** @throws PromptValidationError E310 */
  withInstances(instances: readonly object[]): ParamsBinding {
    const added = new Map<Constructor, object>();
    for (const instance of instances) {
      if (!isObject(instance)) {
        const given = isClass(instance) ? `${className(instance)} is a class` : `${describeValue(instance)} was given`;
        throw this.#createRefusal(
          `${given}; expected an instance`,
          isClass(instance) ? className(instance) : undefined,
        );
      }
      const type = instance.constructor as Constructor;
      if (!this.#takes.shapes.has(type)) {
        const what =
          type === Object
            ? 'a plain object is bound with its class: bind(Class, { … })'
            : `no section takes ${className(type)}`;
        throw this.#createRefusal(what, className(type));
      }
      if (added.has(type))
        throw this.#createRefusal(`two instances of ${className(type)} in one call`, className(type));
      added.set(type, instance);
    }
    return new ParamsBinding(this.#metadata, new Map([...this.#bound, ...added]), this.#takes);
  }

  /**
   * Returns the params of a section: the bound ones, its own defaults, the first defaults of the class, or the result
   * of parsing `{}`.
   *
   * @throws PromptRenderError E501
   */
  paramsOf(section: SectionMetadata): object | null {
    const { params } = section;
    if (params === null) return null;
    const found = this.#bound.get(params.type) ?? section.defaults ?? this.#takes.defaults.get(params.type);
    if (found !== undefined) return found;
    const parsed = section.parseParams({});
    if (parsed.ok) return parsed.value as object;
    throw new PromptRenderError(
      `${params.name} is not bound, and cannot be made from nothing: ${parsed.issues.map(({ path }) => path).join(', ')} missing`,
      {
        code: 'E501',
        sectionPath: section.path,
        paramsType: params.name,
        remedy: `Bind it: prompt.bind(${params.name}, { … }).`,
      },
    );
  }

  #createRefusal(problem: string, paramsType: string | undefined): PromptValidationError {
    const place = className(this.#metadata.type);
    return new PromptValidationError([createFinding('E310', problem, { place, className: place, paramsType })]);
  }
}

function listTakers({ allSections }: PromptMetadata): Takes {
  const shapes = new Map<Constructor, ClassShape>();
  const defaults = new Map<Constructor, object>();
  for (const { params, defaults: own } of allSections) {
    if (params === null) continue;
    shapes.set(params.type, params);
    if (own !== undefined && !defaults.has(params.type)) defaults.set(params.type, own);
  }
  return { shapes, defaults };
}
