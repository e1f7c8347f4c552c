/**
 * Declares the sandbox's globals beyond the language itself, and built-ins that accept more than the standard
 * declarations allow.
 */
export const ambient = `
interface Console {
  log(...values: unknown[]): void;
  info(...values: unknown[]): void;
  debug(...values: unknown[]): void;
  warn(...values: unknown[]): void;
  error(...values: unknown[]): void;
}
declare const console: Console;
declare function sleep(ms: number): Promise<void>;
declare class ToolError extends Error {
  readonly kind: 'tool_error' | 'type' | 'denied' | 'conflicted';
  readonly value: any;
}
declare function structuredClone<T>(value: T): T;
declare function atob(text: string): string;
declare function btoa(text: string): string;

type ParallelFunction = (...args: never[]) => unknown;
declare function parallel<F extends ParallelFunction>(
  calls: readonly (readonly [F, ...Parameters<F>])[],
  options?: { limit?: number },
): Promise<Awaited<ReturnType<F>>[]>;
declare function parallel<F extends readonly ParallelFunction[]>(
  ...calls: { [K in keyof F]: readonly [F[K], ...Parameters<F[K]>] }
): Promise<{ -readonly [K in keyof F]: Awaited<ReturnType<F[K]>> }>;

declare class TextEncoder {
  readonly encoding: string;
  encode(text?: string): Uint8Array;
}
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  readonly encoding: string;
  decode(bytes?: ArrayBuffer | ArrayBufferView): string;
}
declare class URLSearchParams {
  constructor(init?: string | URLSearchParams | Record<string, string> | Iterable<readonly [string, string]>);
  readonly size: number;
  append(name: string, value: string | number | boolean): void;
  delete(name: string, value?: string): void;
  get(name: string): string | null;
  getAll(name: string): string[];
  has(name: string, value?: string): boolean;
  set(name: string, value: string | number | boolean): void;
  sort(): void;
  forEach(callback: (value: string, name: string, params: URLSearchParams) => void): void;
  keys(): IterableIterator<string>;
  values(): IterableIterator<string>;
  entries(): IterableIterator<[string, string]>;
  [Symbol.iterator](): IterableIterator<[string, string]>;
  toString(): string;
}
declare class URL {
  constructor(url: string | URL, base?: string | URL);
  static canParse(url: string | URL, base?: string | URL): boolean;
  hash: string;
  host: string;
  hostname: string;
  href: string;
  readonly origin: string;
  password: string;
  pathname: string;
  port: string;
  protocol: string;
  search: string;
  readonly searchParams: URLSearchParams;
  username: string;
  toString(): string;
  toJSON(): string;
}

interface Array<T> {
  filter(predicate: BooleanConstructor): Exclude<T, false | 0 | '' | null | undefined>[];
  concat<U>(...items: (U | readonly U[])[]): (T | U)[];
}
interface ReadonlyArray<T> {
  filter(predicate: BooleanConstructor): Exclude<T, false | 0 | '' | null | undefined>[];
  includes(searched: unknown, from?: number): boolean;
  indexOf(searched: unknown, from?: number): number;
}
interface ObjectConstructor {
  groupBy<K extends PropertyKey, T>(items: Iterable<T>, keyOf: (item: T, index: number) => K): Record<K, T[]>;
}
declare function parseInt(value: number, radix?: number): number;
declare function parseFloat(value: number): number;
declare function isNaN(value: unknown): boolean;
declare function isFinite(value: unknown): boolean;
`;
