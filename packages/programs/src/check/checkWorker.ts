import { createRequire } from 'node:module';
import { argv } from 'node:process';
import { parentPort } from 'node:worker_threads';
import { messageOf } from 'toolwright/internal/light';
import type { CheckMessage, CheckTask } from './checkTasks.js';
import { createParsers, type Parsers } from './createParsers.js';
import { readProgram } from './readProgram.js';
import { loadCompiler } from './types/loadCompiler.js';
import { TypeCheck } from './types/TypeCheck.js';

/** The type check, or the reason why it is missing. The compiler is loaded for the first program that needs a type check. */
let typeCheck: TypeCheck | string | undefined;

/** Serves check tasks in a worker thread: a source that makes a parser run forever blocks only this thread. */
function serve(parsers: Parsers): void {
  parentPort?.on('message', (task: CheckTask) => send(answer(task, parsers)));
  send({ kind: 'ready' });
}

function answer(task: CheckTask, parsers: Parsers): CheckMessage {
  if (task.task === 'read') return { kind: 'read', outcome: readProgram(task.source, parsers) };
  const check = (typeCheck ??= loadTypeCheck());
  if (task.task === 'load') {
    // Checks an empty program first: the first check reads the library, and no program should have to pay for that.
    if (typeof check !== 'string') check.check('', { text: '', positional: '' }, false);
    return { kind: 'loaded' };
  }
  if (typeof check === 'string') return { kind: 'untyped', reason: check };
  return { kind: 'types', fault: check.check(task.source, task.declarations, task.isTyped) };
}

function loadTypeCheck(): TypeCheck | string {
  // argv[1] of a thread is its file.
  const compiler = loadCompiler(createRequire(argv[1] ?? ''));
  return typeof compiler === 'string' ? compiler : new TypeCheck(compiler);
}

async function loadParsers(): Promise<Parsers> {
  const [acorn, sucrase] = await Promise.all([import('acorn'), import('sucrase')]);
  return createParsers(acorn, sucrase);
}

function send(message: CheckMessage): void {
  parentPort?.postMessage(message);
}

loadParsers().then(serve, (error: unknown) => {
  send({ kind: 'unable', problem: messageOf(error) });
});
