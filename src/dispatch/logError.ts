import type { Logger } from '../interface/Logger.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import type { DispatchServices } from './CallRun.js';
import type { CallRedaction } from './Redaction.js';

/** What a log line of a call is made of. */
interface LoggedCall {
  readonly tool: RenderedTool | undefined;
  readonly redaction: CallRedaction | undefined;
}

/** Tells the host what a call met, without what the call must not show. */
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
