import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for tool calls: E601-E610. */
export const callRemedies = createCodeTable({
  E601: 'See the message and its cause.',
  E602: 'Await everything that the handler starts, and observe context.signal.',
  E603: 'Call again with corrected arguments.',
  E604: 'Follow the message.',
  E605: 'Give the run more time, or less to do.',
  E606: 'Merge requestedOverrides into visibilityOverrides and render again, or use expansions: "apply".',
  E607: 'Remove the hint or the write.',
  E608: "Give { kind: 'image', mediaType: 'image/png', data: bytes.toString('base64') }, or url instead of data. The kinds are text, image, audio and file.",
  E609: 'End the recursion: a handler may call another tool only if that tool does not call back without end.',
  E610: 'Give the tool truthful hints (readOnly, or openWorld: false), or a preview: @Tool({ preview(params, context) { … } }).',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const callTexts: Readonly<Record<keyof typeof callRemedies, CodeText>> = {
  E601: {
    title: 'Tool call stopped',
    meaning:
      'A call could not run or finish, and the model cannot correct the cause: the deadline expired, or the tool has no handler.',
  },
  E602: {
    title: 'Context used after its call ended',
    meaning: 'The transaction of the call is closed. A late write would be lost or, worse, kept.',
  },
  E603: {
    title: 'Arguments refused',
    meaning: 'The arguments do not match the tool. The model reads each issue with its path.',
  },
  E604: {
    title: 'Refused by the tool',
    meaning: 'The handler refused the request. Nothing was changed.',
  },
  E605: {
    title: 'Deadline exceeded',
    meaning: 'The time limit of the run was reached.',
  },
  E606: {
    title: 'Summarised sections requested',
    meaning: 'The model asked to see sections in full. The caller renders again with the requested overrides.',
  },
  E607: {
    title: 'Write by a read-only tool',
    meaning: 'A tool with hints.readOnly runs beside others on one snapshot and cannot change state.',
  },
  E608: {
    title: 'Result has invalid parts',
    meaning:
      'A part of a ToolResult has an unknown kind, lacks a media type, or does not have exactly one of data and url; or all parts together exceed limits.partBytes. The call was rolled back.',
  },
  E609: {
    title: 'Calls nested too deeply',
    meaning:
      'More than 64 calls are nested, each made by the handler of the call before, as when two tools call each other. The innermost call was not run; its caller gets a failed outcome.',
  },
  E610: {
    title: 'Tool cannot be rehearsed',
    meaning:
      'A rehearsal rolls back the session and resources, but cannot undo effects elsewhere. It therefore runs only a tool whose hints exclude such effects, or the preview of the tool.',
  },
};
