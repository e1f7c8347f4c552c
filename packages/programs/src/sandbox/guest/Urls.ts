import type { Hosts } from './Hosts.js';

/** The normalised parts of a URL. */
export interface UrlParts {
  /** With the colon. */
  scheme: string;
  username: string;
  password: string;
  /** Undefined if the URL has none, as in `mailto:`. */
  host: string | undefined;
  port: string;
  path: string;
  /** True if the path is opaque, not a list of segments, as in `mailto:`. */
  isOpaque: boolean;
  /** With the question mark; empty for none. */
  query: string;
  /** With the hash; empty for none. */
  fragment: string;
}

/** Parses and serialises URLs by the URL standard, except drive letters. Runs in the guest: see `ValueInspector`. */
export class Urls {
  readonly ports: Readonly<Record<string, string>> = {
    'http:': '80',
    'https:': '443',
    'ws:': '80',
    'wss:': '443',
    'ftp:': '21',
    'file:': '',
  };
  private readonly sets = {
    control: '',
    fragment: ' "<>`',
    query: ' "#<>',
    specialQuery: ' "#<>\'',
    path: ' "#<>?`{}',
    userinfo: ' "#<>?`{}/:;=@[\\]^|',
  };

  constructor(private readonly hosts: Hosts) {}

  isSpecial(scheme: string): boolean {
    return Object.hasOwn(this.ports, scheme);
  }

  /** Returns the parts of a URL; undefined if the text is not one. */
  read(input: string, base: UrlParts | undefined): UrlParts | undefined {
    const text = input.replace(/\p{Surrogate}/gu, '\ufffd').replace(/^[\0-\x20]+|[\0-\x20]+$|[\t\n\r]/g, '');
    const [, scheme, rest = ''] = /^([a-z][a-z\d+.-]*:)([^]*)$/i.exec(text) ?? [];
    if (scheme === undefined) return base === undefined ? undefined : this.readBehind(base.scheme, text, base);
    const known = scheme.toLowerCase();
    const isRelative = this.isSpecial(known) && base?.scheme === known && !/^[/\\]{2}/.test(rest);
    return this.readBehind(known, rest, isRelative ? base : undefined);
  }

  write({ scheme, username, password, host, port, path, query, fragment, isOpaque }: UrlParts): string {
    const user = username + (password === '' ? '' : `:${password}`);
    const authority =
      host === undefined ? '' : `//${user === '' ? '' : `${user}@`}${host}${port === '' ? '' : `:${port}`}`;
    const dot = host === undefined && !isOpaque && path.startsWith('//') ? '/.' : '';
    return scheme + authority + dot + path + query + fragment;
  }

  encode(text: string, set: keyof typeof this.sets): string {
    const escaped = this.sets[set];
    return text.replace(/[^]/gu, (character) => {
      const isPlain = character > '\x1f' && character < '\x7f' && !escaped.includes(character);
      return isPlain
        ? character
        : encodeURIComponent(character).replace(
            /^[^%]$/,
            (kept) => `%${kept.charCodeAt(0).toString(16).toUpperCase()}`,
          );
    });
  }

  readPort(scheme: string, text: string): string | undefined {
    if (!/^\d*$/.test(text) || Number(text) > 65535) return undefined;
    const port = text === '' ? '' : String(Number(text));
    return this.ports[scheme] === port ? '' : port;
  }

  readHost(scheme: string, text: string): string | undefined {
    if (scheme === 'file:' && (text === '' || text.toLowerCase() === 'localhost')) return '';
    if (this.isSpecial(scheme) || text.startsWith('[')) return this.hosts.read(text);
    return /[\0\t\n\r #/<>?@[\\\]^|]/.test(text) ? undefined : this.encode(text, 'control');
  }

  /** Resolves `.` and `..`, and encodes. */
  readPath(text: string, before: readonly string[] = []): string {
    const segments: string[] = [...before];
    const given = text.split('/');
    for (const [index, segment] of given.entries()) {
      const plain = segment.replace(/%2e/gi, '.');
      const isLast = index === given.length - 1;
      if (plain === '..') segments.pop();
      if (plain !== '.' && plain !== '..') segments.push(this.encode(segment, 'path'));
      else if (isLast) segments.push('');
    }
    return segments.map((segment) => `/${segment}`).join('');
  }

  private readBehind(scheme: string, text: string, base: UrlParts | undefined): UrlParts | undefined {
    const [, before = '', query, fragment = ''] = /^([^?#]*)(\?[^#]*)?(#[^]*)?$/.exec(text) ?? [];
    const isSpecial = this.isSpecial(scheme);
    if (base?.isOpaque === true && !text.startsWith('#')) return undefined;
    const hierarchy = isSpecial ? before.replace(/\\/g, '/') : before;
    const encoded = query === undefined ? undefined : this.encode(query, isSpecial ? 'specialQuery' : 'query');
    const end = { query: encoded ?? '', fragment: this.encode(fragment, 'fragment') };
    const isNetwork = isSpecial && scheme !== 'file:';
    const slashes = isNetwork ? (base === undefined ? '/*' : '/{2,}') : '//';
    const [, authority, rest = ''] = new RegExp(`^${slashes}([^/]*)([^]*)$`).exec(hierarchy) ?? [];
    if (authority !== undefined) {
      const place = this.readAuthority(scheme, authority);
      const path = rest === '' && !isSpecial ? '' : this.readPath(rest.slice(1));
      return place && { scheme, ...place, path, isOpaque: false, ...end };
    }
    const place = base ?? { username: '', password: '', host: isSpecial ? '' : undefined, port: '' };
    const kept = { scheme, username: place.username, password: place.password, host: place.host, port: place.port };
    if (base !== undefined && hierarchy === '')
      return { ...kept, path: base.path, isOpaque: base.isOpaque, ...end, query: encoded ?? base.query };
    if (hierarchy.startsWith('/')) return { ...kept, path: this.readPath(hierarchy.slice(1)), isOpaque: false, ...end };
    if (base !== undefined || isSpecial)
      return { ...kept, path: this.readPath(hierarchy, base?.path.split('/').slice(1, -1)), isOpaque: false, ...end };
    return { ...kept, path: this.encode(hierarchy, 'control'), isOpaque: true, ...end };
  }

  private readAuthority(
    scheme: string,
    text: string,
  ): Pick<UrlParts, 'username' | 'password' | 'host' | 'port'> | undefined {
    const [, user, place = ''] = /^(?:([^]*)@)?([^@]*)$/.exec(text) ?? [];
    const [, hostText = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::([^]*))?$/.exec(place) ?? [];
    const host = this.readHost(scheme, hostText);
    const port = this.readPort(scheme, portText ?? '');
    const isFile = scheme === 'file:';
    const isMissing =
      host === '' && (user !== undefined || portText !== undefined || (this.isSpecial(scheme) && !isFile));
    if (host === undefined || port === undefined || isMissing || (isFile && (user ?? portText) !== undefined))
      return undefined;
    const [, username = '', password = ''] = /^([^:]*):?([^]*)$/.exec(user ?? '') ?? [];
    return { username: this.encode(username, 'userinfo'), password: this.encode(password, 'userinfo'), host, port };
  }
}
