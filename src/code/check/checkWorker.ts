import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../common/text.js';
import type { CheckMessage, CheckTask } from './checkTasks.js';
import { parsersOf, type Parsers } from './parsers.js';
import { readProgram } from './readProgram.js';
import { TypeCheck } from './types/TypeCheck.js';

let typeCheck: Promise<TypeCheck | undefined> | undefined;

/** The thread in which programs are read and checked: a text that makes a parser run for ever stops nothing but this thread. */
function serve(parsers: Parsers): void {
  parentPort?.on('message', (task: CheckTask) => void answer(task, parsers).then(send));
  send({ kind: 'ready' });
}

async function answer(task: CheckTask, parsers: Parsers): Promise<CheckMessage> {
  if (task.task === 'read') return { kind: 'read', outcome: readProgram(task.source, parsers) };
  const check = await (typeCheck ??= loadTypeCheck());
  if (check === undefined) return { kind: 'untyped' };
  return { kind: 'types', fault: check.check(task.source, task.declarations, task.isTyped) };
}

/** The compiler is loaded for the first program that is checked with it. */
async function loadTypeCheck(): Promise<TypeCheck | undefined> {
  try {
    return new TypeCheck((await import('typescript')).default);
  } catch {
    return undefined;
  }
}

async function loadParsers(): Promise<Parsers> {
  const [acorn, sucrase] = await Promise.all([import('acorn'), import('sucrase')]);
  return parsersOf(acorn, sucrase);
}

function send(message: CheckMessage): void {
  parentPort?.postMessage(message);
}

loadParsers().then(serve, (error: unknown) => {
  send({ kind: 'unable', problem: messageOf(error) });
});
