import { crc32 } from 'node:zlib';
import type { LogEntry } from '../../interface/RunStore.js';

/** The version of the format, raised when older copies could not read it. */
export const LOG_VERSION = 1;

const FORMAT = 'runs';

/** A writer opened the log: from here on, only lines of its epoch count. The first one is the head of the file. */
export interface EpochLine {
  readonly toolwright: typeof FORMAT;
  readonly version: typeof LOG_VERSION;
  readonly epoch: number;
  /** The number of entries that the writer had seen. */
  readonly after: number;
  /** Different for each line. */
  readonly id: string;
  /** Host and process, for messages. */
  readonly writer: string;
  readonly conversation: string;
}

/** Entries that were appended together. */
export interface BatchLine {
  readonly epoch: number;
  readonly after: number;
  readonly id: string;
  readonly count: number;
  readonly entries?: readonly LogEntry[] | undefined;
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

const SUM = /^\{"sum":"([0-9a-f]{8})",$/;
const SUM_LENGTH = '{"sum":"00000000",'.length;
const NEW_LINE = Buffer.from('\n');

/** The bytes of the line with which a writer begins. */
export function epochBytes(line: Omit<EpochLine, 'toolwright' | 'version'>): Buffer {
  return summed(JSON.stringify({ toolwright: FORMAT, version: LOG_VERSION, ...line }));
}

/** The bytes of a batch. */
export function batchBytes(head: Omit<BatchLine, 'entries' | 'sealed'>, { sealed, json }: WrittenEntries): Buffer {
  const content = sealed === undefined ? `"entries":${json}` : `"sealed":${JSON.stringify(sealed)}`;
  return summed(`${JSON.stringify(head).slice(0, -1)},${content}}`);
}

/** The checksum comes first, so that any change of what follows is noticed. */
function summed(json: string): Buffer {
  const rest = Buffer.from(json.slice(1));
  return Buffer.concat([Buffer.from(`{"sum":"${sumOf(rest)}",`), rest, NEW_LINE]);
}

/** Reads a line without its end; undefined if it was cut off or changed. */
export function readLine(bytes: Buffer): LogLine | ForeignLine | undefined {
  const line = parsed(bytes);
  if (line === undefined) return undefined;
  if (line['toolwright'] === FORMAT && line['version'] !== LOG_VERSION) return { foreign: line['version'] };
  const sum = SUM.exec(bytes.toString('latin1', 0, SUM_LENGTH))?.[1];
  if (sum === undefined || sum !== sumOf(bytes.subarray(SUM_LENGTH))) return undefined;
  return line as unknown as LogLine;
}

export function isEpoch(line: LogLine): line is EpochLine {
  return 'toolwright' in line;
}

function parsed(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
  } catch {
    return undefined;
  }
}

function sumOf(bytes: Buffer): string {
  return crc32(bytes).toString(16).padStart(8, '0');
}
