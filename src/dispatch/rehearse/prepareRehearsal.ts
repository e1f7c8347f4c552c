import { getEffect } from '../../value/ToolHints.js';
import { RenderedTool } from '../../prompt/RenderedTool.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { describeNotRehearsed } from '../finish/outcomeTexts.js';
import { createFailed, type AttemptResult } from '../finish/outcomes.js';

/** Returns which function a rehearsal of the tool runs; undefined if the tool cannot be rehearsed. */
export function getRehearsalKind({ metadata, hints }: RenderedTool): 'handler' | 'preview' | undefined {
  if (getEffect(hints) === 'none') return 'handler';
  return metadata.preview === null ? undefined : 'preview';
}

/** Returns the call with the function that a rehearsal may run, or a failed result if there is none. */
export function prepareRehearsal(call: GuardedCall): GuardedCall | AttemptResult {
  const { tool } = call;
  const { metadata, owner, container } = tool;
  const kind = getRehearsalKind(tool);
  if (kind === undefined) return createFailed(describeNotRehearsed(tool.name));
  if (kind === 'handler') return call;
  return { ...call, tool: new RenderedTool({ ...metadata, invoke: metadata.preview }, owner, container) };
}
