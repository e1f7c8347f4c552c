import type { UrlParts, Urls } from './Urls.js';

/** Defined by the prelude. */
declare const urls: Urls;
declare const onChange: WeakMap<URLSearchParams, () => void>;

/** The class `URL` of the URL standard. Runs in the guest: see `ValueInspector`. */
export class URL {
  #parts: UrlParts;
  #searchParams: URLSearchParams | undefined;

  constructor(url: unknown, base?: unknown) {
    this.#parts = URL.#read(url, base);
  }

  static canParse(url: unknown, base?: unknown): boolean {
    return URL.parse(url, base) !== null;
  }

  static parse(url: unknown, base?: unknown): URL | null {
    try {
      return new URL(url, base);
    } catch {
      return null;
    }
  }

  static #read(url: unknown, base: unknown): UrlParts {
    const around = base === undefined ? undefined : URL.#read(base, undefined);
    const parts = urls.read(String(url), around);
    if (parts === undefined) throw new TypeError(`Invalid URL: ${String(url).slice(0, 200)}`);
    return parts;
  }

  get href(): string {
    return urls.write(this.#parts);
  }
  set href(value: unknown) {
    this.#parts = URL.#read(value, undefined);
    this.#searchParams = undefined;
  }

  get origin(): string {
    const { scheme } = this.#parts;
    return urls.isSpecial(scheme) && scheme !== 'file:' ? `${scheme}//${this.host}` : 'null';
  }

  get protocol(): string {
    return this.#parts.scheme;
  }
  set protocol(value: unknown) {
    const [, scheme] = /^([a-z][a-z\d+.-]*):?/i.exec(String(value)) ?? [];
    const wanted = `${scheme?.toLowerCase() ?? ''}:`;
    if (scheme === undefined || urls.isSpecial(wanted) !== urls.isSpecial(this.#parts.scheme)) return;
    this.#parts.scheme = wanted;
    this.#parts.port = urls.readPort(wanted, this.#parts.port) ?? '';
  }

  get username(): string {
    return this.#parts.username;
  }
  set username(value: unknown) {
    if (this.#hasHost()) this.#parts.username = urls.encode(String(value), 'userinfo');
  }

  get password(): string {
    return this.#parts.password;
  }
  set password(value: unknown) {
    if (this.#hasHost()) this.#parts.password = urls.encode(String(value), 'userinfo');
  }

  get host(): string {
    const { host = '', port } = this.#parts;
    return port === '' ? host : `${host}:${port}`;
  }
  set host(value: unknown) {
    const [, host = '', port] = /^(\[[^\]]*\]|[^:/?#\\]*)(?::(\d*))?/.exec(String(value)) ?? [];
    this.hostname = host;
    if (port !== undefined && port !== '') this.port = port;
  }

  get hostname(): string {
    return this.#parts.host ?? '';
  }
  set hostname(value: unknown) {
    const { scheme, isOpaque } = this.#parts;
    const host = urls.readHost(scheme, String(value));
    if (!isOpaque && host !== undefined && (host !== '' || !urls.isSpecial(scheme))) this.#parts.host = host;
  }

  get port(): string {
    return this.#parts.port;
  }
  set port(value: unknown) {
    const [digits = ''] = /^\d*/.exec(String(value)) ?? [];
    if (!this.#hasHost() || (digits === '' && value !== '')) return;
    this.#parts.port = urls.readPort(this.#parts.scheme, digits) ?? this.#parts.port;
  }

  get pathname(): string {
    return this.#parts.path;
  }
  set pathname(value: unknown) {
    if (this.#parts.isOpaque) return;
    const text = urls.isSpecial(this.#parts.scheme) ? String(value).replace(/\\/g, '/') : String(value);
    this.#parts.path = urls.readPath(text.replace(/^\//, ''));
  }

  get search(): string {
    return this.#parts.query.length > 1 ? this.#parts.query : '';
  }
  set search(value: unknown) {
    this.#setQuery(String(value).replace(/^\?/, ''));
    this.#searchParams = undefined;
  }

  get searchParams(): URLSearchParams {
    if (this.#searchParams === undefined) {
      const params = new URLSearchParams(this.search);
      onChange.set(params, () => this.#setQuery(params.toString()));
      this.#searchParams = params;
    }
    return this.#searchParams;
  }

  get hash(): string {
    return this.#parts.fragment.length > 1 ? this.#parts.fragment : '';
  }
  set hash(value: unknown) {
    const text = String(value).replace(/^#/, '');
    this.#parts.fragment = text === '' ? '' : `#${urls.encode(text, 'fragment')}`;
  }

  toString(): string {
    return this.href;
  }

  toJSON(): string {
    return this.href;
  }

  #setQuery(text: string): void {
    const set = urls.isSpecial(this.#parts.scheme) ? 'specialQuery' : 'query';
    this.#parts.query = text === '' ? '' : `?${urls.encode(text, set)}`;
  }

  #hasHost(): boolean {
    return (this.#parts.host ?? '') !== '' && this.#parts.scheme !== 'file:';
  }
}
