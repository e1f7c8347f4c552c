import { type Fields, isRecord } from '../common/guards.js';
import { findTextIssue } from '../schema/limits.js';
import type { SchemaTarget, ToolSchema } from '../interface/ModelAdapter.js';
import type { ToolCall } from '../value/ToolCall.js';

const NAME = 'use_tool';
const TARGET = 'tool';
const ARGUMENTS = 'arguments';

/** Matches the target in arguments that are not JSON, so that the failure names the intended tool. */
const MALFORMED_TARGET = new RegExp(`"${TARGET}"\\s*:\\s*"([^"\\\\]+)"`);

/** Returns a name for the bridge that no tool of the conversation has. */
export function chooseBridgeName(taken: readonly string[]): string {
  const names = new Set(taken);
  let name = NAME;
  for (let copy = 2; names.has(name); copy++) name = `${NAME}_${String(copy)}`;
  return name;
}

/** Writes the tool through which closed tools are called. It does not depend on them, so it never changes. */
export function createBridgeTool(name: string, target: SchemaTarget): ToolSchema {
  const schema = 'Its arguments, as its schema says';
  return {
    name,
    description:
      'Calls a tool that is not in this list. Its name and its schema are in the message that made it available; ' +
      'until then it cannot be called.',
    parameters: {
      type: 'object',
      properties: {
        [TARGET]: { type: 'string', description: 'The name of the tool.' },
        // Gemini refuses an object without properties.
        [ARGUMENTS]:
          target === 'gemini'
            ? { type: 'string', description: `${schema}: a JSON object as text.` }
            : { type: 'object', description: `${schema}.` },
      },
      required: [TARGET, ARGUMENTS],
    },
    strict: false,
  };
}

/**
 * Converts a call of the bridge to a call of the tool that it names, with its `wireName`. Any other call, and a call
 * that names no tool, is returned unchanged: the dispatcher tells the model what is wrong.
 *
 * @param find returns the tool of a name; its parameters decide about arguments that occur in two places
 */
export function unwrapBridgeCall(
  call: ToolCall,
  bridge: string,
  find: (name: string) => ToolSchema | undefined,
): ToolCall {
  if (call.name !== bridge) return call;
  const given = parseIfJson(call.arguments);
  if (!isRecord(given)) {
    // The arguments break off or are not an object: the call fails under the name of its tool.
    const name = typeof call.arguments === 'string' ? MALFORMED_TARGET.exec(call.arguments)?.[1] : undefined;
    return name === undefined ? call : { ...call, name, wireName: bridge };
  }
  const { [TARGET]: name, ...rest } = given;
  if (typeof name !== 'string' || name.trim() === '') return call;
  return { ...call, name, arguments: readBridgeArguments(rest, find(name)), wireName: bridge };
}

/** Returns a call as the model wrote it on the wire, wrapped again if it used a bridge. */
export function wrapBridgeCall(call: ToolCall): ToolCall {
  const { id, name, wireName, arguments: given } = call;
  if (wireName === undefined) return call;
  return { id, name: wireName, arguments: { [TARGET]: name, [ARGUMENTS]: parseIfJson(given) ?? {} } };
}

/** Reads the arguments, which models write nested, as text, beside `tool`, or in several of these places. */
function readBridgeArguments(rest: Fields, tool: ToolSchema | undefined): ToolCall['arguments'] {
  const { [ARGUMENTS]: nested, ...beside } = rest;
  const hasBeside = Object.keys(beside).length > 0;
  // The tool has a parameter of that name.
  if (hasBeside && isDeclared(tool)) return rest;
  const inner = parseIfJson(nested);
  if (isRecord(inner)) return hasBeside ? { ...beside, ...inner } : inner;
  if (nested === undefined || nested === null || nested === '') return beside;
  return hasBeside ? rest : typeof nested === 'string' ? nested : JSON.stringify(nested);
}

function isDeclared(tool: ToolSchema | undefined): boolean {
  const properties: unknown = tool?.parameters['properties'];
  return isRecord(properties) && Object.hasOwn(properties, ARGUMENTS);
}

/** Parses JSON text. Returns any other value unchanged. */
function parseIfJson(given: unknown): unknown {
  // A text that is too large to parse stays text, which the dispatcher refuses.
  if (typeof given !== 'string' || findTextIssue(given) !== undefined) return given;
  try {
    return JSON.parse(given) as unknown;
  } catch {
    return given === '' ? null : given;
  }
}
