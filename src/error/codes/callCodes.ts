import { codeTable } from './codeTable.js';

/** Tool calls: E601-E608. */
export const callCodes = codeTable({
  E601: {
    title: 'Tool call stopped',
    meaning:
      'A call could not be run or finished, and the model cannot mend it: an expired deadline, or a tool without a handler.',
    remedy: 'See the message and its cause.',
  },
  E602: {
    title: 'Context used after its call has ended',
    meaning: 'The transaction of the call is closed; a late write would be lost or, worse, kept.',
    remedy: 'Await everything that the handler starts, and honour context.signal.',
  },
  E603: {
    title: 'Arguments refused',
    meaning: 'The arguments do not fit the tool. The model reads each issue with its path.',
    remedy: 'Call again with corrected arguments.',
  },
  E604: {
    title: 'Refused by the tool',
    meaning: 'The handler refused the request; nothing was changed.',
    remedy: 'Do what the message says.',
  },
  E605: {
    title: 'Deadline exceeded',
    meaning: 'The time for the run is over.',
    remedy: 'Give the run more time, or less to do.',
  },
  E606: {
    title: 'Summarised sections requested',
    meaning: 'The model asked to see sections in full; the caller renders again with the requested overrides.',
    remedy: 'Merge requestedOverrides into visibilityOverrides and render again, or use expansions: "apply".',
  },
  E607: {
    title: 'Write by a read-only tool',
    meaning: 'A tool with hints.readOnly runs beside others on one snapshot and cannot change state.',
    remedy: 'Remove the hint, or the write.',
  },
  E608: {
    title: 'Result with wrong parts',
    meaning:
      'A part of a ToolResult has no known kind, no media type, not exactly one of data and url, or all together exceed limits.partBytes. The call was rolled back.',
    remedy:
      "Give { kind: 'image', mediaType: 'image/png', data: bytes.toString('base64') }, or url in place of data; kinds are text, image, audio and file.",
  },
});
