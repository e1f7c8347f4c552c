import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { stdin } from 'node:process';
import { messageOf } from '../common/text.js';
import { CliError } from './CliError.js';

/** Reads a file that was named on the command line. @throws CliError E970 */
export function readGiven(path: string, folder: string): string {
  try {
    return readFileSync(resolve(folder, path), 'utf8');
  } catch (cause) {
    throw new CliError(messageOf(cause).replace(/^\w+: /, ''), { code: 'E970', place: path, cause });
  }
}

/** The text of an argument: itself, the contents of `@file`, or of standard input for `-`. @throws CliError E970 */
export async function givenText(argument: string, folder: string): Promise<string> {
  if (argument === '-') return textOf(stdin);
  return argument.startsWith('@') ? readGiven(argument.slice(1), folder) : argument;
}

/** Parses JSON, and says where it is wrong. @param place what the text is, for the message @throws CliError E967 */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    const message = messageOf(cause);
    throw new CliError(`${message.replace(/ \(line.*\)$| in JSON at position.*$/, '')}, at ${lineAndColumn(text)}`, {
      code: 'E967',
      place,
      cause,
    });
  }
}

function lineAndColumn(text: string): string {
  const before = text.slice(0, firstFault(text)).split('\n');
  return `line ${String(before.length)}, column ${String((before.at(-1)?.length ?? 0) + 1)}`;
}

/** The offset of the first character that no JSON could have there: V8 does not say it of every fault. */
function firstFault(text: string): number {
  let [good, bad] = [0, text.length];
  while (good < bad) {
    const middle = (good + bad + 1) >> 1;
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle - 1;
  }
  return good;
}

/** True for what could go on as JSON: the only fault is that it ends. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = messageOf(error);
    const position = /position (\d+)/.exec(message)?.[1];
    return /end of JSON|Unterminated/.test(message) || position === String(text.length);
  }
}

/** A path as it is shown: relative to the folder. */
export function shownPath(path: string, folder: string): string {
  return relative(folder, path) || path;
}
