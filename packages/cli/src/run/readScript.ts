import type { ScriptedTurn } from 'toolwright/testing';
import { CliError } from '../CliError.js';
import { parseJson, readInputFile } from '../input.js';

/** Reads scripted replies from a file: a JSON list of texts and `{ text, toolCalls }`. @throws CliError E967, E970 */
export function readScript(path: string, folder: string): readonly ScriptedTurn[] {
  const turns = parseJson(readInputFile(path, folder), path);
  if (!Array.isArray(turns)) throw createScriptError(path, 'it is not a list');
  return turns.map((turn: unknown, index): ScriptedTurn => {
    if (typeof turn === 'string') return { text: turn };
    const { text, toolCalls } = (turn ?? {}) as { readonly text?: unknown; readonly toolCalls?: unknown };
    const isTurn = (typeof text === 'string' || text === undefined) && (toolCalls === undefined || areCalls(toolCalls));
    if (isTurn && (text !== undefined || toolCalls !== undefined)) return turn as ScriptedTurn;
    throw createScriptError(path, `reply ${String(index + 1)} has neither a text nor toolCalls`);
  });
}

function areCalls(value: unknown): boolean {
  return (
    Array.isArray(value) &&
    value.every((call) => typeof (call as { readonly name?: unknown } | null)?.name === 'string')
  );
}

function createScriptError(path: string, problem: string): CliError {
  return new CliError(problem, {
    code: 'E970',
    place: path,
    remedy: 'Write a JSON list of replies: [{ "toolCalls": [{ "name": "get_order", "arguments": {} }] }, "Done."].',
  });
}
