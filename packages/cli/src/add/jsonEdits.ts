import { CliError } from '../CliError.js';

/** A value in a JSON text that may have comments and trailing commas, with its position. */
interface JsonNode {
  readonly start: number;
  readonly end: number;
  readonly value: unknown;
  readonly members?: readonly JsonMember[];
}

interface JsonMember {
  readonly name: string;
  readonly start: number;
  readonly node: JsonNode;
}

const SPACE = /(?:[\s\uFEFF]|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;
const SCALAR = /"(?:[^"\\\n]|\\.)*"|[-+\w.]+/y;

/** Reads a JSON text with comments. @param place its file, for the error @throws CliError E967 */
export function readJson(text: string, place: string): JsonNode {
  const reader = new JsonReader(text, place);
  const node = reader.value();
  reader.end();
  return node;
}

class JsonReader {
  readonly #text: string;
  readonly #place: string;
  #at = 0;

  constructor(text: string, place: string) {
    this.#text = text;
    this.#place = place;
  }

  value(): JsonNode {
    this.#match(SPACE);
    const start = this.#at;
    if (this.#take('{')) {
      const members = this.#readList('}', () => this.#readMember());
      const value = Object.fromEntries(members.map(({ name, node }) => [name, node.value]));
      return { start, end: this.#at, value, members };
    }
    if (this.#take('[')) {
      const items = this.#readList(']', () => this.value());
      return { start, end: this.#at, value: items.map(({ value }) => value) };
    }
    return { start, value: this.#readScalar(), end: this.#at };
  }

  end(): void {
    this.#match(SPACE);
    if (this.#at < this.#text.length) this.#fail();
  }

  #readMember(): JsonMember {
    const start = this.#at;
    const name = this.#readScalar();
    if (typeof name !== 'string') this.#fail();
    this.#match(SPACE);
    if (!this.#take(':')) this.#fail();
    return { name, start, node: this.value() };
  }

  #readList<T>(close: string, read: () => T): readonly T[] {
    const items: T[] = [];
    for (;;) {
      this.#match(SPACE);
      if (this.#take(close)) return items;
      items.push(read());
      this.#match(SPACE);
      if (!this.#take(',') && this.#text[this.#at] !== close) this.#fail();
    }
  }

  #readScalar(): unknown {
    const before = this.#at;
    try {
      return JSON.parse(this.#match(SCALAR)) as unknown;
    } catch {
      this.#at = before;
      return this.#fail();
    }
  }

  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }

  #fail(): never {
    const before = this.#text.slice(0, this.#at).split('\n');
    const problem = `it is not JSON at line ${String(before.length)}, column ${String((before.at(-1) ?? '').length + 1)}`;
    throw new CliError(problem, { code: 'E967', place: this.#place, remedy: 'Correct the file.' });
  }
}

/**
 * Sets members of an object in the root of a JSON text, and leaves comments and formatting unchanged. Missing members are added last.
 * A text value, which is the range of a package, is inserted in alphabetical order if the object is sorted.
 *
 * @param name the name of the object in the root
 * @throws CliError E967
 */
export function setMembers(
  text: string,
  place: string,
  name: string,
  wanted: Readonly<Record<string, unknown>>,
): string {
  return Object.entries(wanted).reduce((made, [key, value]) => {
    const root = readJson(made, place);
    const object = root.members?.find((member) => member.name === name)?.node;
    if (object?.members === undefined) return insertMember(made, root, name, { [key]: value });
    const old = object.members.find((member) => member.name === key)?.node;
    // Every package manager sorts the ranges of packages.
    const isOrdered = typeof value === 'string' && isSorted(object.members);
    if (old === undefined) return insertMember(made, object, key, value, isOrdered);
    return applyEdits(made, [{ ...old, text: JSON.stringify(value) }]);
  }, text);
}

function insertMember(
  text: string,
  { start, end, members = [] }: JsonNode,
  name: string,
  value: unknown,
  isOrdered = false,
): string {
  const eol = detectLineEnd(text);
  const unit = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  const [first, last] = [members[0], members.at(-1)];
  const own = indentAt(text, start);
  const indent = first === undefined ? own + unit : indentAt(text, first.start);
  const item = `${JSON.stringify(name)}: ${JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)}`;
  if (first === undefined || last === undefined)
    return applyEdits(text, [{ start: start + 1, end: end - 1, text: `${eol}${indent}${item}${eol}${own}` }]);
  const before = text.slice(start, first.start).includes('\n') ? eol + indent : ' ';
  const next = isOrdered ? members.find((each) => each.name > name)?.start : undefined;
  if (next !== undefined) return applyEdits(text, [{ start: next, end: next, text: `${item},${before}` }]);
  return applyEdits(text, appendItem(text, { lastEnd: last.node.end, close: end - 1, item, before }));
}

/** Adds an item to a list that is not empty, after the comments behind its last item. */
export function appendItem(
  text: string,
  {
    lastEnd,
    close,
    item,
    before,
  }: { readonly lastEnd: number; readonly close: number; readonly item: string; readonly before: string },
): readonly Edit[] {
  SPACE.lastIndex = lastEnd;
  const hasComma = text[lastEnd + (SPACE.exec(text)?.[0].length ?? 0)] === ',';
  const at = text.slice(0, close).trimEnd().length;
  const comma = hasComma ? [] : [{ start: lastEnd, end: lastEnd, text: ',' }];
  return [...comma, { start: at, end: at, text: `${before}${item}${hasComma ? ',' : ''}` }];
}

export function detectLineEnd(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** Returns the indentation of the line at an offset. */
export function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? '';
}

function isSorted(members: readonly JsonMember[]): boolean {
  return members.every(({ name }, index) => index === 0 || (members[index - 1]?.name ?? '') <= name);
}

/** A replacement of a part of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Applies edits to a text. Edits at the same offset are applied in their order. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let [made, at] = ['', 0];
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    made += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return made + text.slice(at);
}
