import type { Constructor } from 'toolwright';
import { VisibilityOverrides } from 'toolwright/conversations';
import { PolicyRecord } from 'toolwright/policies';
import { Plan, PlanStep } from 'toolwright/sections';
import { parse } from 'toolwright/schema';
import { unknownWord } from '../ConformanceFault';
import { isJson, type FieldSpec, type FieldType, type Json, type RecordSpec, type RecordSpecs } from '../format';
import { declareField } from './fieldDecorators';

type Fields = Record<string, unknown>;

/** Classes of the framework that cases name as if they were their own. */
const readyMade: ReadonlyMap<string, Constructor> = new Map<string, Constructor>([
  ['Plan', Plan],
  ['PlanStep', PlanStep],
  ['PolicyState', PolicyRecord],
  ['VisibilityOverrides', VisibilityOverrides],
]);

/** The records of a case as decorated classes, and their values to and fro. */
export class TypeCatalogue {
  readonly #classes = new Map<string, Constructor>();
  readonly #specs: RecordSpecs;

  constructor(specs: RecordSpecs = {}) {
    this.#specs = specs;
    // All classes before the first field: a field may name a class that comes later, or its own.
    for (const [name, spec] of Object.entries(specs)) this.#classes.set(name, this.#createClass(name, spec));
    for (const [name, { fields }] of Object.entries(specs)) {
      for (const field of fields) declareField(this.classOf(name), field, (other) => this.classOf(other));
    }
  }

  /** @throws ConformanceFault C3 */
  classOf(name: string): Constructor {
    const type = this.#classes.get(name) ?? readyMade.get(name);
    if (type === undefined) throw unknownWord('type', name);
    return type;
  }

  /** The meaning of a value of the case: instances where it names a `$type`; anything but plain data stays as it is. */
  value(data: unknown): unknown {
    if (Array.isArray(data)) return data.map((item) => this.value(item));
    if (!isPlain(data)) return data;
    const { $type: name } = data;
    if (typeof name === 'string') return this.instance(name, data);
    return Object.fromEntries(Object.entries(data).map(([key, entry]) => [key, this.value(entry)]));
  }

  /** An instance of the record, whether or not the data repeats its name. */
  instance(name: string, data: unknown): object {
    if (!isPlain(data)) return data as object;
    const type = this.classOf(typeof data['$type'] === 'string' ? data['$type'] : name);
    if (!this.#classes.has(type.name)) return parse<object>(type, withoutTypes(data));
    const instance = Reflect.construct(type, []) as Fields;
    const types = new Map(this.#specs[type.name]?.fields.map((field) => [field.name, field.type]));
    for (const [key, entry] of Object.entries(data)) {
      if (key !== '$type') instance[key] = this.#fieldValue(types.get(key), entry);
    }
    return instance;
  }

  /** The value as the cases write it: instances with their `$type`. */
  data(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.data(item));
    // Dates stay: only the comparison knows how the case writes them.
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    const type: unknown = value.constructor;
    const isInstance = typeof type === 'function' && type !== Object;
    const isOurs = isInstance && this.#classes.get(type.name) === type;
    const entries = Object.entries(value).map(([key, entry]) => [
      isInstance && !isOurs ? snakeCase(key) : key,
      this.data(entry),
    ]);
    return { ...(isInstance ? { $type: type.name } : {}), ...(Object.fromEntries(entries) as Fields) };
  }

  #fieldValue(type: FieldType | undefined, data: unknown): unknown {
    const inner = isJson(type) && 'optional' in type ? type.optional : type;
    return inner === 'datetime' && typeof data === 'string' ? new Date(data) : this.value(data);
  }

  #createClass(name: string, spec: RecordSpec): Constructor {
    const initialise = (instance: Fields): void => {
      for (const field of spec.fields) {
        if (hasDefault(field)) instance[field.name] = this.#fieldValue(field.type, field.default);
      }
    };
    const type = class {
      constructor() {
        initialise(this as Fields);
      }
    };
    Object.defineProperty(type, 'name', { value: name });
    const render = renderOf(spec);
    // Defined like a method, so that it is not a property of the data.
    if (render !== undefined) Object.defineProperty(type.prototype, 'render', { value: render, configurable: true });
    return type;
  }
}

function hasDefault(field: FieldSpec): boolean {
  return field.default !== undefined;
}

function renderOf({ render, render_throws }: RecordSpec): ((this: Fields) => string) | undefined {
  if (render_throws === true) {
    return () => {
      throw new TypeError('render failed');
    };
  }
  if (render === undefined) return undefined;
  return function fill(this: Fields): string {
    return render.replace(/\$\{(\w+)\}/g, (_, field: string) => textOf(this[field]));
  };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The data as the framework's own classes are parsed from it. */
function withoutTypes(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(withoutTypes);
  if (!isPlain(data)) return data;
  const { $type: _type, ...fields } = data;
  return Object.fromEntries(Object.entries(fields).map(([key, entry]) => [key, withoutTypes(entry)]));
}

/** True if a value is from JSON, not an instance of a class. */
function isPlain(value: unknown): value is Json {
  return isJson(value) && Object.getPrototypeOf(value) === Object.prototype;
}

function snakeCase(key: string): string {
  return key.replace(
    /([a-z0-9])([A-Z])/g,
    (_, before: string, capital: string) => `${before}_${capital.toLowerCase()}`,
  );
}
