/** Makes the clone of one kind of object; undefined if the object is of another kind. */
type Kind = (value: object, clones: Map<object, unknown>) => object | undefined;

/** A view of a buffer, as its constructors take it. */
type ViewConstructor = new (buffer: ArrayBuffer, byteOffset: number, length: number) => ArrayBufferView;

/**
 * Implements `structuredClone`. The engine's own reads and writes out of bounds. Runs in the guest: see `ValueInspector`.
 */
export class Cloner {
  private readonly isArray = Array.isArray;
  private readonly isView = ArrayBuffer.isView;
  private readonly prototypeOf = Object.getPrototypeOf;
  private readonly keys = Object.keys;
  private readonly hasOwn = Object.hasOwn;
  private readonly object = Object;
  private readonly plain = Object.prototype;
  private readonly define = Object.defineProperty;
  private readonly apply = Reflect.apply as (method: unknown, value: object, args: readonly unknown[]) => unknown;
  private readonly failure = DOMException;
  private readonly makers = { Map, Set, Date, RegExp, ArrayBuffer, DataView, Uint8Array };
  private readonly errors: Readonly<Record<string, ErrorConstructor>> = {
    Error,
    EvalError,
    RangeError,
    ReferenceError,
    SyntaxError,
    TypeError,
    URIError,
  };
  private readonly views: Readonly<Record<string, ViewConstructor>> = {
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
    Float32Array,
    Float64Array,
    BigInt64Array,
    BigUint64Array,
    ...(Reflect.get(globalThis, 'Float16Array') === undefined
      ? {}
      : { Float16Array: Reflect.get(globalThis, 'Float16Array') as ViewConstructor }),
  };
  private readonly opaque = [WeakMap, WeakSet, WeakRef, Promise, Symbol] as const;
  private readonly methods = {
    mapEach: Map.prototype.forEach,
    mapSet: Map.prototype.set,
    setEach: Set.prototype.forEach,
    setAdd: Set.prototype.add,
    time: Date.prototype.getTime,
    source: this.findGetter(RegExp.prototype, 'source'),
    flags: this.findGetter(RegExp.prototype, 'flags'),
    bufferLength: this.findGetter(ArrayBuffer.prototype, 'byteLength'),
    fill: Uint8Array.prototype.set,
    viewName: this.findGetter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag),
    known: Map.prototype.get,
    isKnown: Map.prototype.has,
  };
  private readonly boxes = [
    Boolean.prototype.valueOf,
    Number.prototype.valueOf,
    String.prototype.valueOf,
    BigInt.prototype.valueOf,
  ];
  private readonly kinds: readonly Kind[] = [
    (value) => this.cloneDate(value),
    (value) => this.cloneRegExp(value),
    (value) => this.cloneBuffer(value),
    (value, clones) => this.cloneView(value, clones),
    (value, clones) => this.cloneMap(value, clones),
    (value, clones) => this.cloneSet(value, clones),
    (value) => this.cloneBox(value),
    (value, clones) => this.cloneError(value, clones),
  ];

  clone(args: readonly unknown[]): unknown {
    if (args.length === 0) throw new TypeError('The "value" argument must be specified');
    return this.copy(args[0], new this.makers.Map<object, unknown>());
  }

  private copy(value: unknown, clones: Map<object, unknown>): unknown {
    if (typeof value === 'symbol' || typeof value === 'function') throw this.createRefusal(`a ${typeof value}`);
    if (typeof value !== 'object' || value === null) return value;
    if (this.apply(this.methods.isKnown, clones, [value]) === true)
      return this.apply(this.methods.known, clones, [value]);
    const clone = this.beginClone(value, clones);
    if (clone === undefined) return this.apply(this.methods.known, clones, [value]);
    this.note(value, clone, clones);
    const names = this.keys(value);
    for (let index = 0; index < names.length; index++) {
      const name = names[index] ?? '';
      const entry = this.copy((value as Record<string, unknown>)[name], clones);
      if (name === '__proto__')
        this.define(clone, name, { value: entry, writable: true, enumerable: true, configurable: true });
      else (clone as Record<string, unknown>)[name] = entry;
    }
    return clone;
  }

  /** Returns an empty clone without its properties; undefined if the clone is already complete and registered. */
  private beginClone(value: object, clones: Map<object, unknown>): object | undefined {
    if (this.isArray(value)) {
      const list: unknown[] = [];
      list.length = value.length;
      return list;
    }
    const prototype: unknown = this.prototypeOf(value);
    if (prototype === this.plain || prototype === null) return {};
    for (let index = 0; index < this.kinds.length; index++) {
      const clone = this.kinds[index]?.(value, clones);
      if (clone === undefined) continue;
      this.note(value, clone, clones);
      return undefined;
    }
    for (let index = 0; index < this.opaque.length; index++)
      if (value instanceof (this.opaque[index] as typeof WeakMap)) throw this.createRefusal('an object of this kind');
    return {};
  }

  private note(value: object, clone: object, clones: Map<object, unknown>): void {
    this.apply(this.methods.mapSet, clones, [value, clone]);
  }

  private cloneDate(value: object): object | undefined {
    const time = this.readSlot(this.methods.time, value);
    return time === undefined ? undefined : new this.makers.Date(time as number);
  }

  private cloneRegExp(value: object): object | undefined {
    const source = this.readSlot(this.methods.source, value);
    if (typeof source !== 'string' || value === RegExp.prototype) return undefined;
    return new this.makers.RegExp(source, this.apply(this.methods.flags, value, []) as string);
  }

  private cloneBuffer(value: object): ArrayBuffer | undefined {
    const length = this.readSlot(this.methods.bufferLength, value);
    if (typeof length !== 'number') return undefined;
    const { ArrayBuffer, Uint8Array } = this.makers;
    const clone = new ArrayBuffer(length);
    if (length > 0) this.apply(this.methods.fill, new Uint8Array(clone), [new Uint8Array(value as ArrayBuffer)]);
    return clone;
  }

  private cloneView(value: object, clones: Map<object, unknown>): object | undefined {
    if (!this.isView(value)) return undefined;
    const name = this.apply(this.methods.viewName, value, []) as string | undefined;
    const buffer = this.copy(value.buffer, clones) as ArrayBuffer;
    if (name === undefined) return new this.makers.DataView(buffer, value.byteOffset, value.byteLength);
    const View = this.hasOwn(this.views, name) ? this.views[name] : undefined;
    if (View === undefined) throw this.createRefusal('an object of this kind');
    return new View(buffer, value.byteOffset, (value as Uint8Array).length);
  }

  private cloneMap(value: object, clones: Map<object, unknown>): object | undefined {
    const entries: unknown[] = [];
    let count = 0;
    const keep = (entry: unknown, key: unknown): void => {
      entries[count++] = key;
      entries[count++] = entry;
    };
    if (!this.isOf(this.methods.mapEach, value, keep)) return undefined;
    const clone = new this.makers.Map();
    this.note(value, clone, clones);
    for (let index = 0; index < count; index += 2)
      this.apply(this.methods.mapSet, clone, [
        this.copy(entries[index], clones),
        this.copy(entries[index + 1], clones),
      ]);
    return clone;
  }

  private cloneSet(value: object, clones: Map<object, unknown>): object | undefined {
    const entries: unknown[] = [];
    let count = 0;
    const keep = (entry: unknown): void => {
      entries[count++] = entry;
    };
    if (!this.isOf(this.methods.setEach, value, keep)) return undefined;
    const clone = new this.makers.Set();
    this.note(value, clone, clones);
    for (let index = 0; index < count; index++)
      this.apply(this.methods.setAdd, clone, [this.copy(entries[index], clones)]);
    return clone;
  }

  private cloneBox(value: object): object | undefined {
    for (let index = 0; index < this.boxes.length; index++) {
      const primitive = this.readSlot(this.boxes[index], value);
      if (primitive !== undefined) return this.object(primitive) as object;
    }
    return undefined;
  }

  private cloneError(value: object, clones: Map<object, unknown>): object | undefined {
    const { errors } = this;
    const { Error: general } = errors;
    if (general === undefined || !(value instanceof general)) return undefined;
    const { name } = value;
    const clone = new ((this.hasOwn(errors, name) ? errors[name] : undefined) ?? general)();
    this.note(value, clone, clones);
    for (const key of ['message', 'stack', 'cause'] as const)
      if (this.hasOwn(value, key))
        this.define(clone, key, { value: this.copy(value[key], clones), writable: true, configurable: true });
    return clone;
  }

  /** Calls a method of a built-in class on the value; returns undefined if the value is not an instance of that class. */
  private readSlot(method: unknown, value: object): unknown {
    try {
      return this.apply(method, value, []);
    } catch {
      return undefined;
    }
  }

  /** Visits the entries of a value with a method of a built-in class; returns false if the value is not an instance of that class. */
  private isOf(each: unknown, value: object, visit: (entry: unknown, key: unknown) => void): boolean {
    try {
      this.apply(each, value, [visit]);
      return true;
    } catch {
      return false;
    }
  }

  private findGetter(prototype: object, name: PropertyKey): unknown {
    return Object.getOwnPropertyDescriptor(prototype, name)?.get;
  }

  private createRefusal(what: string): Error {
    return new this.failure(`${what} could not be cloned.`, 'DataCloneError');
  }
}
