/**
 * Names of fields of messages, parts, usage, changes and results, and kinds of parts: a record without them could not be read, and they
 * are ordinary words in texts.
 */
export const FIELD_NAMES: ReadonlySet<string> = new Set(
  [
    'after arguments before bytes caller callId cause changes code content data effect failed file finishReason id image kind mediaType',
    'message messages name native note outcome output parts part path place problem result role seq stack success text tool toolCallId',
    'toolCalls tools type url usage value what',
  ].flatMap((names) => names.split(' ')),
);
