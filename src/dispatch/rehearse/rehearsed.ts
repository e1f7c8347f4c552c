import { effectOf } from '../../metadata/effectOf.js';
import { RenderedTool } from '../../prompt/RenderedTool.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { notRehearsedText } from '../finish/messages.js';
import { failed, type CallResult } from '../finish/outcomes.js';

/** What a rehearsal of the tool runs; undefined if the tool cannot be rehearsed. */
export function rehearsalOf({ metadata, hints }: RenderedTool): 'handler' | 'preview' | undefined {
  if (effectOf(hints) === 'none') return 'handler';
  return metadata.preview === null ? undefined : 'preview';
}

/** The call with what a rehearsal may run of its tool, or its result, if that is nothing. */
export function rehearsed(call: GuardedCall): GuardedCall | CallResult {
  const { tool } = call;
  const { metadata, owner, container } = tool;
  switch (rehearsalOf(tool)) {
    case 'handler':
      return call;
    case 'preview':
      return { ...call, tool: new RenderedTool({ ...metadata, invoke: metadata.preview }, owner, container) };
    case undefined:
      return failed(notRehearsedText(tool.name));
  }
}
