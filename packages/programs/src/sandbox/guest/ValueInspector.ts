/**
 * Describes values in messages. Runs in the guest: like all classes of this folder it is sent there as source text, so it must not
 * refer to anything outside itself, and it stores the built-ins that it needs before a program can change them.
 */
export class ValueInspector {
  private readonly stringify = JSON.stringify;
  private readonly isArray = Array.isArray;
  private readonly prototypeOf = Object.getPrototypeOf;
  private readonly keys = Object.keys;
  private readonly plain = Object.prototype;
  private readonly listed = Array.prototype;
  private readonly opaque = [
    Map,
    Set,
    WeakMap,
    WeakSet,
    WeakRef,
    Promise,
    RegExp,
    Error,
    ArrayBuffer,
    DataView,
  ] as const;
  private readonly longest = 200;
  private readonly mostEntries = 10;
  private readonly deepest = 2;

  /** Returns the type of a value: `typeof`, or the name of the class; `object` for a plain object. */
  typeOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return typeof value;
    const prototype: unknown = this.prototypeOf(value);
    if (prototype === null || prototype === this.plain) return 'object';
    const name: unknown = value.constructor.name;
    return typeof name === 'string' && name !== '' ? name.slice(0, this.longest) : 'object';
  }

  /** Returns a short text that shows a value. */
  preview(value: unknown): string {
    try {
      const text = this.show(value, 0);
      return text.length > this.longest ? `${text.slice(0, this.longest)}…` : text;
    } catch {
      return typeof value;
    }
  }

  /** Returns true for objects that would lose their contents in JSON: a Map becomes `{}`, and so does an Error. */
  isLostInJson(value: object): boolean {
    const prototype: unknown = this.prototypeOf(value);
    if (prototype === this.plain || prototype === this.listed || prototype === null) return false;
    return ArrayBuffer.isView(value) || this.opaque.some((constructor) => value instanceof constructor);
  }

  private show(value: unknown, depth: number): string {
    if (typeof value === 'string') return this.stringify(value.slice(0, this.longest));
    if (typeof value === 'function') return `[Function ${value.name}]`;
    // The time for writing a bigint grows with the square of its length.
    if (typeof value === 'bigint') return value === BigInt.asIntN(64, value) ? `${String(value)}n` : 'a large bigint';
    return typeof value === 'object' && value !== null ? this.showObject(value, depth) : String(value);
  }

  private showObject(value: object, depth: number): string {
    if (value instanceof Error) return `${value.name}: ${value.message}`;
    if (value instanceof RegExp) return String(value);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
    const type = this.typeOf(value);
    const inner = (entry: unknown): string => this.show(entry, depth + 1);
    if (value instanceof Map)
      return this.list(`${type} {`, value, '}', depth, ([key, entry]) => `${inner(key)} => ${inner(entry)}`);
    if (value instanceof Set) return this.list(`${type} {`, value, '}', depth, inner);
    if (this.isArray(value)) return this.list('[', value, ']', depth, inner);
    if (ArrayBuffer.isView(value)) return `${type} of ${String(value.byteLength)} bytes`;
    const field = (key: string): string => `${key}: ${inner((value as Record<string, unknown>)[key])}`;
    return this.list(type === 'object' ? '{' : `${type} {`, this.keys(value), '}', depth, field);
  }

  private list<E>(
    open: string,
    entries: Iterable<E>,
    close: string,
    depth: number,
    show: (entry: E) => string,
  ): string {
    if (depth > this.deepest) return `${open}…${close}`;
    let text = '';
    let count = 0;
    for (const entry of entries) {
      if (count === this.mostEntries) return `${open}${text}, …${close}`;
      text += (count++ === 0 ? '' : ', ') + show(entry);
    }
    return open + text + close;
  }
}
