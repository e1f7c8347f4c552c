import type { Logger } from '../../interface/ports.js';
import type { IncomingCall } from '../admit/IncomingCall.js';

/** Logs an event of a call, without the call's secrets. */
export function logError(
  { services, tool, redaction }: IncomingCall,
  level: keyof Logger,
  message: string,
  error?: unknown,
): void {
  const fields = { tool: tool?.metadata.place, ...(error === undefined ? {} : { error }) };
  const entry = { message, fields };
  const kept = redaction === undefined ? entry : redaction.redact(entry);
  services.logger[level](kept.message, kept.fields);
}

/** Formats the id of a masked error for a log line; returns an empty text for any other error. */
export function formatCallId(masked: { readonly id: string | undefined } | undefined): string {
  return masked?.id === undefined ? '' : ` (error ${masked.id})`;
}
