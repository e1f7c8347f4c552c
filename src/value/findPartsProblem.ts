import { isArray, isRecord, type Fields } from '../common/guards.js';
import { MAX_PARTS, MAX_PART_NAME_CHARS, MAX_PART_URL_CHARS } from '../common/limits.js';
import { describeValue, keyText } from '../common/text.js';
import { measureBytes } from './describePart.js';

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,63}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;
/** Schemes that providers fetch: `data:` would hide bytes from the limit, `file:` names the disk of another machine. */
const SCHEMES = new Set(['http:', 'https:', 'gs:', 's3:']);
const KINDS = ['text', 'image', 'audio', 'file'] as const;
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['kind', 'text'],
  image: ['kind', 'mediaType', 'data', 'url'],
  audio: ['kind', 'mediaType', 'data', 'url'],
  file: ['kind', 'mediaType', 'data', 'url', 'name'],
};

/** The first fault of a list of parts. */
export interface PartsProblem {
  /** The path of the fault, e.g. `parts[1].mediaType`. */
  readonly path: string;
  /** The expected and the received value. */
  readonly problem: string;
}

/**
 * Finds the first fault of a list of content parts. Returns undefined if there is none.
 *
 * @param given may be anything
 * @param limit maximum total bytes of all parts
 * @throws the error that reading a hostile value throws
 */
export function findPartsProblem(given: unknown, limit: number): PartsProblem | undefined {
  if (!isArray(given)) return createMismatch('parts', 'a list of parts', given);
  if (given.length > MAX_PARTS)
    return { path: 'parts', problem: `expected at most ${String(MAX_PARTS)} parts, got ${String(given.length)}` };
  let bytes = 0;
  for (let index = 0; index < given.length; index++) {
    const part = given[index];
    const path = `parts[${String(index)}]`;
    if (!isRecord(part)) return createMismatch(path, 'a part such as { kind, mediaType, data }', part);
    const found = findPartProblem(part);
    if (found !== undefined) return { path: `${path}.${found.path}`, problem: found.problem };
    bytes += measurePart(part);
    if (bytes > limit) {
      const problem = `expected at most ${String(limit)} bytes in all parts together, got ${String(bytes)} or more`;
      return { path, problem };
    }
  }
  return undefined;
}

function createMismatch(path: string, expected: string, given: unknown): PartsProblem {
  return { path, problem: `expected ${expected}, got ${describeValue(given)}` };
}

function findPartProblem(part: Fields): PartsProblem | undefined {
  const { kind } = part;
  const known = typeof kind === 'string' && Object.hasOwn(FIELDS, kind) ? FIELDS[kind] : undefined;
  if (known === undefined) return createMismatch('kind', `one of ${KINDS.join(', ')}`, kind);
  const extra = Object.keys(part).find((key) => !known.includes(key) && part[key] !== undefined);
  if (extra !== undefined) return createMismatch(keyText(extra), `only the fields ${known.join(', ')}`, part[extra]);
  if (kind === 'text') return findTextProblem('text', part['text'], Infinity);
  return (
    findMediaTypeProblem(String(kind), part['mediaType']) ??
    findSourceProblem(part) ??
    (part['name'] === undefined ? undefined : findTextProblem('name', part['name'], MAX_PART_NAME_CHARS))
  );
}

function findMediaTypeProblem(kind: string, given: unknown): PartsProblem | undefined {
  const path = 'mediaType';
  if (typeof given !== 'string' || !MEDIA_TYPE.test(given))
    return createMismatch(path, 'a media type in lower case without parameters, e.g. image/png', given);
  if (kind === 'file' || given.startsWith(`${kind}/`)) return undefined;
  return createMismatch(path, `${kind}/… for a part of the kind ${kind}`, given);
}

function findSourceProblem({ data, url }: Fields): PartsProblem | undefined {
  if (data !== undefined && url !== undefined) return { path: 'url', problem: 'expected data or url, got both' };
  if (data === undefined && url === undefined) return { path: 'data', problem: 'expected data or url, got neither' };
  if (data === undefined) return findUrlProblem(url);
  return typeof data === 'string' && isBase64(data)
    ? undefined
    : createMismatch('data', 'bytes as padded base64', data);
}

/** Finds the first character outside the alphabet: one pattern for all would overflow the stack on megabytes. */
function isBase64(text: string): boolean {
  const end = text.search(/[^A-Za-z0-9+/]/);
  const padding = end < 0 ? '' : text.slice(end);
  return text.length > padding.length && text.length % 4 === 0 && /^={0,2}$/.test(padding);
}

function findUrlProblem(url: unknown): PartsProblem | undefined {
  const path = 'url';
  const schemes = [...SCHEMES].map((scheme) => `${scheme}//`).join(', ');
  if (typeof url !== 'string' || !SCHEMES.has(getScheme(url)))
    return createMismatch(path, `an address with ${schemes}`, url);
  return findTextProblem(path, url, MAX_PART_URL_CHARS);
}

function getScheme(url: string): string {
  try {
    return new URL(url).protocol;
  } catch {
    return '';
  }
}

function findTextProblem(path: string, text: unknown, longest: number): PartsProblem | undefined {
  if (typeof text !== 'string') return createMismatch(path, 'a text', text);
  return text.length <= longest
    ? undefined
    : { path, problem: `expected at most ${String(longest)} characters, got ${String(text.length)}` };
}

function measurePart({ text, data }: Fields): number {
  if (typeof text === 'string') return Buffer.byteLength(text);
  return typeof data === 'string' ? measureBytes(data) : 0;
}
