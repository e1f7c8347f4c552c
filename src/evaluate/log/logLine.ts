import { crc32 } from 'node:zlib';

/** The version of the format, raised when older copies could not read it. */
export const LOG_VERSION = 2;

const FORMAT = 'runs';

/** A writer opened the log: from here on, only lines of its epoch count. The first one is the head of the file. */
export interface EpochLine {
  readonly toolwright: typeof FORMAT;
  readonly version: 1 | typeof LOG_VERSION;
  readonly epoch: number;
  /** The number of entries that the writer had seen. */
  readonly after: number;
  /** Different for each line. */
  readonly id: string;
  /** Host and process, for messages. */
  readonly writer: string;
  /** Left out where a line before has named it. */
  readonly conversation?: string | undefined;
  /** The number of its claim to the folder, if it made one. */
  readonly owner?: number | undefined;
}

/** Entries that were appended together. */
export interface BatchLine {
  readonly epoch: number;
  readonly after: number;
  readonly id: string;
  readonly count: number;
  /** In one of the forms that `shortEntry.ts` reads. */
  readonly entries?: readonly unknown[] | undefined;
  /** In place of the entries, if they are encrypted. */
  readonly sealed?: string | undefined;
}

/** Entries as JSON, and encrypted if they are to be. */
export interface WrittenEntries {
  readonly json: string;
  readonly sealed: string | undefined;
}

export type LogLine = EpochLine | BatchLine;

/** A line of a format that this copy does not know. */
export interface ForeignLine {
  readonly foreign: unknown;
}

const SUM = { object: /^\{"sum":"([0-9a-f]{8})",$/, list: /^\["([0-9a-f]{8})",$/ } as const;
const SUM_LENGTH = { object: '{"sum":"00000000",'.length, list: '["00000000",'.length } as const;
const NEW_LINE = Buffer.from('\n');

/** What the lines before say about the next one: the first epoch of the file, and its version. */
export interface LineContext {
  readonly first?: number | undefined;
  readonly version?: number | undefined;
}

/**
 * The bytes of the line with which a writer begins: an object that says what the file is, unless a line of this version has said
 * so. All others are lists, `[sum, epoch, after, id, …]`, whose epochs count from the first one of the file.
 */
export function epochBytes(
  { first, version }: LineContext,
  line: Omit<EpochLine, 'toolwright' | 'version'> & { readonly conversation: string },
): Buffer {
  if (first === undefined || version !== LOG_VERSION)
    return summed('object', JSON.stringify({ toolwright: FORMAT, version: LOG_VERSION, ...line }));
  const { epoch, after, id, writer, owner } = line;
  return summed('list', JSON.stringify([epoch - first, after, id, writer, ...(owner === undefined ? [] : [owner])]));
}

/** The bytes of a batch; sealed ones say how many entries they hold. */
export function batchBytes(
  { first = 0 }: LineContext,
  { epoch, after, id, count }: Omit<BatchLine, 'entries' | 'sealed'>,
  { sealed, json }: WrittenEntries,
): Buffer {
  const head = JSON.stringify([epoch - first, after, id]).slice(0, -1);
  return summed('list', `${head},${sealed === undefined ? json : `${String(count)},${JSON.stringify(sealed)}`}]`);
}

/** The checksum comes first, so that any change of what follows is noticed. */
function summed(form: keyof typeof SUM, json: string): Buffer {
  const rest = Buffer.from(json.slice(1));
  const start = form === 'object' ? `{"sum":"${sumOf(rest)}",` : `["${sumOf(rest)}",`;
  return Buffer.concat([Buffer.from(start), rest, NEW_LINE]);
}

/** Reads a line without its end; undefined if it was cut off or changed. */
export function readLine(bytes: Buffer, { first }: LineContext): LogLine | ForeignLine | undefined {
  const line = parsed(bytes);
  if (line === undefined) return undefined;
  const form = Array.isArray(line) ? 'list' : 'object';
  const { toolwright, version } = line as Partial<EpochLine>;
  if (toolwright === FORMAT && version !== 1 && version !== LOG_VERSION) return { foreign: version };
  const length = SUM_LENGTH[form];
  const sum = SUM[form].exec(bytes.toString('latin1', 0, length))?.[1];
  if (sum === undefined || sum !== sumOf(bytes.subarray(length))) return undefined;
  return Array.isArray(line) ? lineOf(line as unknown as ListLine, first) : (line as LogLine);
}

type ListLine = readonly [sum: string, epoch: number, after: number, id: string, ...rest: unknown[]];

/** Without the line that says what the file is, none counts: it is of an epoch that never began. */
function lineOf([, since, after, id, content, more]: ListLine, first: number | undefined): LogLine {
  if (first === undefined) return { epoch: since + 1, after, id, count: 0 };
  const epoch = first + since;
  if (typeof content === 'string')
    return {
      toolwright: FORMAT,
      version: LOG_VERSION,
      epoch,
      after,
      id,
      writer: content,
      owner: more as number | undefined,
    };
  return Array.isArray(content)
    ? { epoch, after, id, count: content.length, entries: content }
    : { epoch, after, id, count: content as number, sealed: more as string };
}

export function isEpoch(line: LogLine): line is EpochLine {
  return 'toolwright' in line;
}

function parsed(bytes: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function sumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
