import type { Logger } from '../../interface/Logger.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { DispatchServices } from '../CallRun.js';
import type { CallRedaction } from '../redact/CallRedaction.js';

/** The parts of a call that a log line needs. */
interface LoggedCall {
  readonly tool: RenderedTool | undefined;
  readonly redaction: CallRedaction | undefined;
}

/** Logs something that happened to a call, without its secrets. */
export function logError(
  { logger }: DispatchServices,
  { tool, redaction }: LoggedCall,
  level: keyof Logger,
  message: string,
  error?: unknown,
): void {
  const fields = { tool: tool?.metadata.place, ...(error === undefined ? {} : { error }) };
  const entry = { message, fields };
  const kept = redaction === undefined ? entry : redaction.recorded(entry);
  logger[level](kept.message, kept.fields);
}

/** Returns the id of a masked error as a log line has it; empty for any other. */
export function idText(masked: { readonly id: string | undefined } | undefined): string {
  return masked?.id === undefined ? '' : ` (error ${masked.id})`;
}
