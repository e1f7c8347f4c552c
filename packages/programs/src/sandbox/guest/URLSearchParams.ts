/** Defined by the prelude; the callbacks run when the parameters of a URL change. */
declare const onChange: WeakMap<URLSearchParams, () => void>;

/** The class `URLSearchParams` of the URL standard. Runs in the guest: see `ValueInspector`. */
export class URLSearchParams {
  #entries: [name: string, value: string][] = [];

  constructor(init: unknown = '') {
    if (typeof init === 'object' && init !== null) {
      const entries = Symbol.iterator in init ? Array.from(init as Iterable<readonly unknown[]>) : Object.entries(init);
      this.#entries = entries.map(([name, value, ...more]) => {
        if (value === undefined || more.length > 0)
          throw new TypeError('each entry of URLSearchParams is a pair [name, value]');
        return [String(name), String(value)];
      });
    } else {
      const text = String(init).replace(/^\?/, '');
      for (const part of text.split('&').filter((part) => part !== '')) {
        const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(part) ?? [];
        this.#entries.push([URLSearchParams.#decode(name), URLSearchParams.#decode(value)]);
      }
    }
  }

  static #decode(text: string): string {
    const bytes = new TextEncoder().encode(text.replace(/\+/g, ' '));
    const decoded: number[] = [];
    for (let index = 0; index < bytes.length; index++) {
      const hex = bytes[index] === 0x25 ? String.fromCharCode(...bytes.slice(index + 1, index + 3)) : '';
      const isByte = /^[\da-f]{2}$/i.test(hex);
      decoded.push(isByte ? parseInt(hex, 16) : (bytes[index] ?? 0));
      if (isByte) index += 2;
    }
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(decoded));
  }

  static #encode(text: string): string {
    const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
    const asHex = (kept: string): string => `%${kept.charCodeAt(0).toString(16).toUpperCase()}`;
    return encoded.replace(/[!'()~]/g, asHex).replace(/%20/g, '+');
  }

  get size(): number {
    return this.#entries.length;
  }

  append(name: unknown, value: unknown): void {
    this.#change([...this.#entries, [String(name), String(value)]]);
  }

  delete(name: unknown, value?: unknown): void {
    this.#change(this.#entries.filter((entry) => !URLSearchParams.#fits(entry, name, value)));
  }

  get(name: unknown): string | null {
    return this.#entries.find((entry) => entry[0] === String(name))?.[1] ?? null;
  }

  getAll(name: unknown): string[] {
    return this.#entries.filter((entry) => entry[0] === String(name)).map(([, value]) => value);
  }

  has(name: unknown, value?: unknown): boolean {
    return this.#entries.some((entry) => URLSearchParams.#fits(entry, name, value));
  }

  set(name: unknown, value: unknown): void {
    const first = this.#entries.findIndex((entry) => entry[0] === String(name));
    if (first < 0) this.append(name, value);
    else {
      const others = this.#entries.filter((entry, index) => index === first || entry[0] !== String(name));
      this.#change(others.map((entry) => (entry[0] === String(name) ? [entry[0], String(value)] : entry)));
    }
  }

  sort(): void {
    this.#change(this.#entries.slice().sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0)));
  }

  forEach(callback: (value: string, name: string, params: this) => void, receiver?: unknown): void {
    for (const [name, value] of this) callback.call(receiver, value, name, this);
  }

  *entries(): Generator<[string, string]> {
    for (const [name, value] of this.#entries) yield [name, value];
  }

  *keys(): Generator<string> {
    for (const [name] of this.#entries) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this.#entries) yield value;
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }

  toString(): string {
    return this.#entries.map((entry) => entry.map((text) => URLSearchParams.#encode(text)).join('=')).join('&');
  }

  static #fits(entry: readonly [string, string], name: unknown, value: unknown): boolean {
    return entry[0] === String(name) && (value === undefined || entry[1] === (value as string));
  }

  #change(entries: [string, string][]): void {
    this.#entries = entries;
    onChange.get(this)?.();
  }
}
