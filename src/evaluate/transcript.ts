import { messageOf } from '../common/text.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { Message } from '../value/Message.js';

/** The first line of a transcript as text. */
const HEAD = { format: 'toolwright/transcript', version: 1 };

/**
 * Writes a transcript as JSON Lines: a head, then one message per line. The transcript of a response is redacted already
 * (docs/contract.md, 16).
 */
export function writeTranscript(messages: readonly Message[]): string {
  return [HEAD, ...messages].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/**
 * Reads a transcript that `writeTranscript` wrote.
 *
 * @throws ToolwrightError E710 with the first line that does not fit
 */
export function readTranscript(text: string): readonly Message[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const [head, ...messages] = lines.map(parsedLine);
  const { format, version } = (head ?? {}) as Partial<typeof HEAD>;
  if (format !== HEAD.format || version !== HEAD.version)
    throw unreadable(1, `expected ${JSON.stringify(HEAD)} as the first line`);
  return messages.map((message, index) => {
    if (!isMessage(message)) throw unreadable(index + 2, 'expected a message with a role');
    return message;
  });
}

function parsedLine(line: string, index: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (cause) {
    throw unreadable(index + 1, messageOf(cause), cause);
  }
}

function isMessage(value: unknown): value is Message {
  const { role } = (value ?? {}) as { readonly role?: unknown };
  return role === 'system' || role === 'user' || role === 'assistant' || role === 'tool';
}

function unreadable(line: number, problem: string, cause?: unknown): ToolwrightError {
  return new ToolwrightError(`This is no transcript: line ${String(line)}: ${problem}.`, { code: 'E710', cause });
}
