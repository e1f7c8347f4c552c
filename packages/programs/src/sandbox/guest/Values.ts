import type { ValueInspector } from './ValueInspector.js';

/** The chain of objects that contain the visited one; meeting one of them again is a cycle. */
interface Around {
  readonly value: object;
  readonly around: Around | undefined;
}

/** Converts values to text. Runs in the guest: see `ValueInspector`. */
export class Values {
  private readonly stringify = JSON.stringify as (value: unknown, replacer?: typeof this.refuse) => string | undefined;
  private readonly isArray = Array.isArray;
  private readonly isFinite = Number.isFinite;
  private readonly prototypeOf = Object.getPrototypeOf;
  private readonly keys = Object.keys;
  private readonly symbols = Object.getOwnPropertySymbols;
  private readonly plain = Object.prototype;
  private readonly list = Array.prototype;
  /** The index of the argument that is being converted. */
  private position = 0;

  constructor(private readonly inspector: ValueInspector) {}

  /** Writes the arguments of a call as JSON text of an array; throws a TypeError for values that JSON cannot express. */
  ofArguments(args: readonly unknown[]): string {
    let count = args.length;
    while (count > 0 && args[count - 1] === undefined) count--;
    let text = '';
    for (let index = 0; index < count; index++) {
      this.position = index;
      text += (index === 0 ? '' : ',') + (this.stringify(args[index], this.refuse) ?? 'null');
    }
    return `[${text}]`;
  }

  /**
   * Writes the result of a program as JSON text; undefined if JSON cannot express it. An `undefined` inside is treated as JSON does:
   * a property is left out, an entry of an array becomes `null`.
   */
  ofResult(value: unknown): string | undefined {
    return this.fitsJson(value, undefined) ? this.stringify(value) : undefined;
  }

  /** Writes one argument of a console call as text. */
  ofConsole(value: unknown): string {
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return String(value);
    if (typeof value === 'object' && value !== null && this.inspector.isLostInJson(value))
      return this.inspector.preview(value);
    try {
      return this.stringify(value) ?? this.inspector.preview(value);
    } catch {
      return this.inspector.preview(value);
    }
  }

  private readonly refuse = (key: string, value: unknown): unknown => {
    switch (typeof value) {
      case 'object':
        if (value === null || !this.inspector.isLostInJson(value)) return value;
        if (!(value instanceof Promise)) break;
        throw new TypeError(`the argument "${this.nameKey(key)}" is a promise: write await before it`);
      case 'number':
        if (this.isFinite(value)) return value;
        break;
      case 'function':
      case 'symbol':
      case 'bigint':
        break;
      default:
        return value;
    }
    throw new TypeError(`the argument "${this.nameKey(key)}" is not a JSON value: ${this.inspector.preview(value)}`);
  };

  private nameKey(key: string): string {
    return key === '' ? String(this.position) : key;
  }

  private fitsJson(value: unknown, around: Around | undefined): boolean {
    if (typeof value === 'number') return this.isFinite(value);
    if (typeof value === 'string' || typeof value === 'boolean' || value === null || value === undefined) return true;
    if (typeof value !== 'object') return false;
    for (let outer = around; outer !== undefined; outer = outer.around) if (outer.value === value) return false;
    const prototype: unknown = this.prototypeOf(value);
    const names = this.keys(value);
    if (this.isArray(value)) {
      if (prototype !== this.list || !this.isIndex(names[names.length - 1])) return false;
    } else if (prototype !== this.plain && prototype !== null) return false;
    const inside = { value, around };
    for (const name of names) if (!this.fitsJson((value as Record<string, unknown>)[name], inside)) return false;
    return this.symbols(value).length === 0;
  }

  /** Returns true if the last key is an index: indexes come first, so the array then has no further properties. */
  private isIndex(last: string | undefined): boolean {
    return last === undefined || last === `${+last >>> 0}`;
  }
}
