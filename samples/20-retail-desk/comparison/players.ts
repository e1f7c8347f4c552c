import { type Application, type RenderedPrompt, Session } from 'toolwright';
import { Toolkit } from '@toolwright/programs';
import type { ExpectedCall, RetailTask } from './readInput.js';

/** The result of one call of a task. */
export interface PlayedCall {
  readonly success: boolean;
  readonly value: unknown;
  /** The text that a model would read. */
  readonly text: string;
}

/** Plays the calls of a task in order; one entry for each. */
export type Player = (task: RetailTask) => Promise<readonly PlayedCall[]>;

/** Plays every call by itself, as a model makes them. */
export function callByCall(app: Application, rendered: RenderedPrompt): Player {
  return async ({ calls }) => {
    const session = new Session();
    const played: PlayedCall[] = [];
    for (const [index, { name, args }] of calls.entries()) {
      // As text, the form in which arguments arrive from a model; a task may hold arguments that are not even an object.
      const call = { id: `c${index + 1}`, name, arguments: JSON.stringify(args) };
      const { result, text } = await app.callTool(rendered, call, { session });
      played.push({ success: result.success, value: result.value, text });
    }
    return played;
  };
}

/** Plays all calls of a task in one program, which continues after a failed call. */
export async function asOneProgram(app: Application, rendered: RenderedPrompt): Promise<Player> {
  const kit = await Toolkit.from(rendered, { app, timeoutMs: 60_000, check: 'syntax' });
  return async ({ label, calls }) => {
    const result = await kit.execute(programOf(calls), { session: new Session() });
    if (!result.success) throw new TypeError(`task ${label}: ${result.toModelText()}`);
    return result.returnValue as readonly PlayedCall[];
  };
}

function programOf(calls: readonly ExpectedCall[]): string {
  return [
    'const played = [];',
    'async function play(name, args) {',
    '  try {',
    '    const value = await tools[name](args);',
    '    played.push({ success: true, value, text: "" });',
    '  } catch (error) {',
    '    played.push({ success: false, value: null, text: error.message });',
    '  }',
    '}',
    ...calls.map(({ name, args }) => `await play(${JSON.stringify(name)}, ${JSON.stringify(args)});`),
    'return played;',
  ].join('\n');
}
