import { createCodeTable, type CodeText } from './CodeText.js';

/** Tool calls: E601-E610: what to do. */
export const callRemedies = createCodeTable({
  E601: 'See the message and its cause.',
  E602: 'Await everything that the handler starts, and honour context.signal.',
  E603: 'Call again with corrected arguments.',
  E604: 'Do what the message says.',
  E605: 'Give the run more time, or less to do.',
  E606: 'Merge requestedOverrides into visibilityOverrides and render again, or use expansions: "apply".',
  E607: 'Remove the hint, or the write.',
  E608: "Give { kind: 'image', mediaType: 'image/png', data: bytes.toString('base64') }, or url in place of data; kinds are text, image, audio and file.",
  E609: 'End the recursion: let the handler call another tool only where that one does not lead back to it without end.',
  E610: 'Give the tool hints that are true (readOnly, or openWorld: false), or a preview: @Tool({ preview(params, context) { … } }).',
});

/** What the codes mean, for docs/errors.md. */
export const callTexts: Readonly<Record<keyof typeof callRemedies, CodeText>> = {
  E601: {
    title: 'Tool call stopped',
    meaning:
      'A call could not be run or finished for a reason that the model cannot mend: an expired deadline, or a tool without a handler.',
  },
  E602: {
    title: 'Context used after its call has ended',
    meaning: 'The transaction of the call is closed; a late write would be lost or, worse, kept.',
  },
  E603: {
    title: 'Arguments refused',
    meaning: 'The arguments do not fit the tool. The model reads each issue with its path.',
  },
  E604: {
    title: 'Refused by the tool',
    meaning: 'The handler refused the request; nothing was changed.',
  },
  E605: {
    title: 'Deadline exceeded',
    meaning: 'The time for the run is over.',
  },
  E606: {
    title: 'Summarised sections requested',
    meaning: 'The model asked to see sections in full; the caller renders again with the requested overrides.',
  },
  E607: {
    title: 'Write by a read-only tool',
    meaning: 'A tool with hints.readOnly runs beside others on one snapshot and cannot change state.',
  },
  E608: {
    title: 'Result with wrong parts',
    meaning:
      'A part of a ToolResult has no known kind, no media type, not exactly one of data and url, or all of them together are larger than limits.partBytes. The call was rolled back.',
  },
  E609: {
    title: 'Calls nested too deeply',
    meaning:
      'More than 64 calls stand within each other, each made by the handler of the one before, as when two tools call each other. The innermost was not run; its caller gets a failed outcome.',
  },
  E610: {
    title: 'Tool that cannot be rehearsed',
    meaning:
      'A rehearsal rolls back session and resources. What a handler does elsewhere it cannot undo, so that it runs only a tool whose hints say that it does nothing elsewhere, or the preview of a tool.',
  },
};
