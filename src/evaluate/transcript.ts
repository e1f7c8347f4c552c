import { describeMisfit } from '../common/dataForm.js';
import { MAX_TRANSCRIPT_CHARS, MAX_TRANSCRIPT_VALUES, MESSAGE_EXTENT } from '../common/limits.js';
import { describeValue, messageOf } from '../common/text.js';
import { boundText, walkValue, type JsonExcess } from '../common/walkValue.js';
import { createPlacedError, type ToolwrightError } from '../error/ToolwrightError.js';
import { JsonCounter } from '../schema/parse/jsonExtent.js';
import type { Message } from '../value/Message.js';
import { messageForm } from '../value/messageForm.js';

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
 * Reads a transcript that `writeTranscript` wrote. Each line is measured before it is parsed; the time grows with the length of
 * the text alone.
 *
 * @throws ToolwrightError E710 with the first line that does not fit
 */
export function readTranscript(text: string): readonly Message[] {
  if (typeof text !== 'string') throw createTranscriptError(1, `expected a text, got ${describeValue(text)}`);
  if (text.length > MAX_TRANSCRIPT_CHARS)
    throw createTranscriptError(
      1,
      `expected at most ${String(MAX_TRANSCRIPT_CHARS)} characters, got ${String(text.length)}`,
    );
  const messages: Message[] = [];
  let values = 0;
  let hasHead = false;
  for (const [number, line] of splitLines(text)) {
    if (line.trim() === '') continue;
    const counter = new JsonCounter(MESSAGE_EXTENT).add(line);
    if (counter.excess !== undefined) throw createTranscriptError(number, createTooLargeError(counter.excess));
    values += counter.values;
    if (values > MAX_TRANSCRIPT_VALUES)
      throw createTranscriptError(number, `the lines hold more than ${String(MAX_TRANSCRIPT_VALUES)} values together`);
    const value = parseLine(line, number);
    if (hasHead)
      messages.push(checkMessage(value, (path, problem) => createTranscriptError(number, `${path}: ${problem}`)));
    else checkHead(value, number);
    hasHead = true;
  }
  if (!hasHead) checkHead(undefined, 1);
  return messages;
}

/**
 * Checks a transcript that may come from anywhere.
 *
 * @throws ToolwrightError E710 with the first message that does not fit
 */
export function requireTranscript(transcript: unknown): asserts transcript is readonly Message[] {
  const fault = (place: string, problem: string): ToolwrightError =>
    createPlacedError(problem, { code: 'E710', place });
  if (!Array.isArray(transcript))
    throw fault('transcript', `expected a list of messages, got ${describeValue(transcript)}`);
  for (const [index, message] of (transcript as readonly unknown[]).entries()) {
    const place = `transcript[${String(index)}]`;
    const excess = walkValue(message, MESSAGE_EXTENT);
    if (excess !== undefined) throw fault(place, createTooLargeError(excess));
    checkMessage(message, (path, problem) => fault(path === '' ? place : `${place}.${path}`, problem));
  }
}

function* splitLines(text: string): Generator<readonly [number: number, line: string]> {
  let from = 0;
  for (let number = 1; from < text.length; number++) {
    const end = text.indexOf('\n', from);
    const to = end < 0 ? text.length : end;
    yield [number, text.slice(from, to)];
    from = to + 1;
  }
}

function checkHead(value: unknown, number: number): void {
  const { format, version } = (value ?? {}) as Partial<typeof HEAD>;
  if (format !== HEAD.format || version !== HEAD.version)
    throw createTranscriptError(number, `expected ${JSON.stringify(HEAD)} as the first line`);
}

function checkMessage(value: unknown, fault: (path: string, problem: string) => ToolwrightError): Message {
  const misfit = messageForm(value);
  if (misfit !== undefined) throw fault(misfit.path, describeMisfit(misfit));
  return value as Message;
}

function parseLine(line: string, number: number): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch (cause) {
    throw createTranscriptError(number, messageOf(cause).slice(0, 200), cause);
  }
}

function createTooLargeError(excess: JsonExcess): string {
  return `expected ${boundText(excess, MESSAGE_EXTENT)} in a message, got more`;
}

function createTranscriptError(line: number, problem: string, cause?: unknown): ToolwrightError {
  return createPlacedError(problem, { code: 'E710', place: `line ${String(line)}`, cause });
}
