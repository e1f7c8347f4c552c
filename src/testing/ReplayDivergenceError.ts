import { brand } from '../common/brand.js';
import { cutExcerpt, findDifference } from '../common/excerpts.js';
import { quote } from '../common/text.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { Message } from '../value/Message.js';

/** A position in a recorded run, and the different message that the replay had there. */
export interface Divergence {
  /** The position in the transcript, from 0. */
  readonly index: number;
  /** The recorded message; undefined after the end of the record. */
  readonly recorded: Message | undefined;
  /** The message of the replay; `request` for a request to the model, `end` for the end of the run. */
  readonly came: Message | 'request' | 'end';
}

/** A replayed run differs from its record at this position. Later positions were not compared. */
export class ReplayDivergenceError extends ToolwrightError {
  readonly index: number;
  readonly recorded: Message | undefined;
  readonly came: Message | 'request' | 'end';

  constructor(divergence: Divergence) {
    const { index, recorded, came } = divergence;
    super(describeDivergence(divergence), { code: 'E707', place: `message ${String(index + 1)}` });
    this.index = index;
    this.recorded = recorded;
    this.came = came;
  }
}
brand(ReplayDivergenceError, 'ReplayDivergenceError');

function describeDivergence({ index, recorded, came }: Divergence): string {
  const head = `The run differs from its record at message ${String(index + 1)}`;
  const both = (was: string, is: string): string => `\n  recorded: ${was}\n  came:     ${is}`;
  if (recorded === undefined || typeof came === 'string' || getMessageKind(recorded) !== getMessageKind(came))
    return `${head}.${both(describeEvent(recorded), describeEvent(came))}`;
  const field =
    listFields(recorded, came).find((name) => writeField(recorded, name) !== writeField(came, name)) ?? 'content';
  const texts = [writeField(recorded, field), writeField(came, field)] as const;
  const at = findDifference(...texts);
  const [was, is] = texts.map((text) => cutExcerpt(text, at)) as [string, string];
  return `${head}, ${getMessageKind(came)}: ${field} differs from character ${String(at + 1)} on.${both(was, is)}`;
}

function getMessageKind(message: Message): string {
  switch (message.role) {
    case 'system':
      return 'the system message';
    case 'user':
      return 'a message of the user';
    case 'assistant':
      return 'an answer of the model';
    case 'tool':
      return `the answer of ${quote(message.name)}`;
  }
}

function describeEvent(what: Divergence['came'] | undefined): string {
  if (what === undefined) return 'nothing more';
  if (what === 'request') return 'a request for an answer of the model';
  if (what === 'end') return 'the end of the run';
  return `${getMessageKind(what)}, ${cutExcerpt(writeField(what, what.content === null ? 'toolCalls' : 'content'), 0)}`;
}

/** Returns the names of the fields, the most informative ones first. */
function listFields(...messages: readonly Message[]): readonly string[] {
  return [...new Set(['content', 'toolCalls', ...messages.flatMap((message) => Object.keys(message))])];
}

function writeField(message: Message, field: string): string {
  const value = (message as unknown as Readonly<Record<string, unknown>>)[field];
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
