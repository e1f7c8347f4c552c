import type { FileHandle } from 'node:fs/promises';
import { damaged, logFault } from './logFault.js';
import { linesOf } from './linesOf.js';
import { isEpoch, LOG_VERSION, readLine, type LogLine } from './logLine.js';
import { judge, NO_LINES, type LogState } from './logState.js';

/** A place in a log between two lines, with the state of the log before it. */
export interface LogMark {
  /** In bytes. */
  readonly offset: number;
  /** The number of lines before it. */
  readonly line: number;
  readonly state: LogState;
}

export const START: LogMark = { offset: 0, line: 0, state: NO_LINES };

/** The end of a log. */
export interface LogEnd {
  /** After the last whole line. */
  readonly mark: LogMark;
  /** True if a line follows that was cut off, or is being written. */
  readonly ragged: boolean;
}

/** Called for each line that counts. */
export type OnLine = (line: LogLine, number: number) => void;

/**
 * Reads the lines of a log after a mark. One that was cut off by the end of its process counts neither now nor later, since
 * whatever is written next begins a line of its own; it stays in the file, because another process may still be writing it.
 *
 * @throws PromptEvaluationError E709 for damage before the end, and for a log of another version or conversation
 */
export async function scanLog(
  log: { readonly path: string; readonly conversation: string },
  handle: FileHandle,
  from: LogMark,
  onLine: OnLine,
): Promise<LogEnd> {
  let { offset, line, state } = from;
  let unreadable = false;
  const { size } = await handle.stat();
  for await (const bytes of linesOf(handle, offset, size)) {
    line += 1;
    offset += bytes.length + 1;
    if (bytes.length === 0) continue;
    const read = readLine(bytes, state);
    unreadable = read === undefined;
    if (read === undefined) {
      state = { ...state, unread: state.unread ?? line };
      continue;
    }
    if ('foreign' in read) throw tooNew(log.path, line, read.foreign);
    if (isEpoch(read) && read.conversation !== undefined && read.conversation !== log.conversation)
      throw foreign(log, line, read.conversation);
    const verdict = judge(state, read);
    if (verdict.kind === 'lost') throw damaged(log.path, state.unread ?? line, verdict.problem);
    if (verdict.kind === 'late') continue;
    state = verdict.state;
    onLine(read, line);
  }
  const ragged = offset < size;
  if (unreadable && !ragged) throw damaged(log.path, line, 'its last line is whole, and cannot be read');
  return { mark: { offset, line, state }, ragged };
}

function tooNew(path: string, line: number, version: unknown): Error {
  const known = `this copy of Toolwright reads versions up to ${String(LOG_VERSION)}`;
  return logFault(`the log is of version ${JSON.stringify(version)}, and ${known}`, {
    place: `${path}:${String(line)}`,
    remedy: 'Open it with a copy of Toolwright that is at least as new as the one that wrote it.',
  });
}

function foreign(log: { readonly path: string }, line: number, conversation: string): Error {
  return logFault(`the log is that of the conversation ${JSON.stringify(conversation)}`, {
    place: `${log.path}:${String(line)}`,
    remedy: 'Give the file the name back that it had; a copy does not become another conversation by its name.',
  });
}
