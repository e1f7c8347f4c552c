import type { Logger } from '../../interface/ports.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { DispatchServices } from '../DispatchContext.js';
import type { SecretRedaction } from '../redact/SecretRedaction.js';

/** The parts of a call that a log line needs. */
interface LogSubject {
  readonly tool: RenderedTool | undefined;
  readonly redaction: SecretRedaction | undefined;
}

/** Logs an event of a call, without the call's secrets. */
export function logError(
  { logger }: DispatchServices,
  { tool, redaction }: LogSubject,
  level: keyof Logger,
  message: string,
  error?: unknown,
): void {
  const fields = { tool: tool?.metadata.place, ...(error === undefined ? {} : { error }) };
  const entry = { message, fields };
  const kept = redaction === undefined ? entry : redaction.redact(entry);
  logger[level](kept.message, kept.fields);
}

/** Formats the id of a masked error for a log line; returns an empty text for any other error. */
export function formatCallId(masked: { readonly id: string | undefined } | undefined): string {
  return masked?.id === undefined ? '' : ` (error ${masked.id})`;
}
