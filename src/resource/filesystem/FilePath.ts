import { MAX_NAME_BYTES, MAX_PATH_CHARS } from '../../common/limits.js';
import { describeValue } from '../../common/text.js';
import { refusals } from './refusals.js';

/** A parsed path: its names, and its text as passed by the caller (docs/contract.md, 15). */
export class FilePath {
  /** The text as passed by the caller, for messages. */
  readonly given: string;
  /** The names from the root on; empty for the root itself. */
  readonly names: readonly string[];

  private constructor(given: string, names: readonly string[]) {
    this.given = given;
    this.names = names;
  }

  /**
   * Reads a path: `..` goes up and stops at the root.
   *
   * @throws FilesystemError invalidPath for a NUL, half a surrogate pair, a name of more than 255 bytes, a path of more than
   *   4,096 characters
   */
  static parse(given: string): FilePath {
    const value: unknown = given;
    if (typeof value !== 'string') throw refusals.invalidPath(describeValue(value), 'a path must be a text');
    if (given.length > MAX_PATH_CHARS)
      throw refusals.invalidPath(given, `it is longer than ${String(MAX_PATH_CHARS)} characters`);
    if (given.includes('\0')) throw refusals.invalidPath(given, 'it has a NUL character in it');
    // On a host, lone surrogates become replacement characters, and two names might become one.
    if (/\p{Surrogate}/u.test(given)) throw refusals.invalidPath(given, 'it has half a surrogate pair in it');
    const names: string[] = [];
    for (const name of given.split('/')) {
      if (name === '..') names.pop();
      else if (name !== '' && name !== '.') names.push(name);
    }
    if (names.some((name) => name.length * 3 > MAX_NAME_BYTES && Buffer.byteLength(name) > MAX_NAME_BYTES))
      throw refusals.invalidPath(given, `a name in it is longer than ${String(MAX_NAME_BYTES)} bytes`);
    return new FilePath(given, names);
  }

  get isRoot(): boolean {
    return this.names.length === 0;
  }

  /** The last name; `/` for the root. */
  get name(): string {
    return this.names.at(-1) ?? '/';
  }

  /** The path as shown in results: without a leading slash; `/` for the root. */
  get text(): string {
    return this.isRoot ? '/' : this.names.join('/');
  }

  /** The prefix of the paths of the entries of this directory. */
  get prefix(): string {
    return this.isRoot ? '' : `${this.text}/`;
  }

  /** The names of the parent directory. The root is its own parent. */
  get parent(): readonly string[] {
    return this.names.slice(0, -1);
  }
}
