// The script of a worker thread: runs programs one after the other, each in its own instance.
import { parentPort, receiveMessageOnPort, workerData, type MessagePort } from 'node:worker_threads';
import { Guest, type GuestSize } from './Guest.js';
import { takeImage } from './GuestImage.js';
import { endBy, GuestExecution } from './GuestExecution.js';
import { buffersOf, type SentText } from './SentText.js';
import { compileFor, type WasmModule } from './compileWasm.js';
import type { FromThread, GuestAnswer, ProgramOrder, ToWorker, WorkerSetup } from './protocol.js';

const host = parentPort as MessagePort;
const setup = workerData as WorkerSetup;
let { size } = setup;
let engine: Promise<WasmModule> = Promise.resolve(setup.engine);
const image = takeImage(setup);
/** The instance for the next program, created in advance. */
let next = prepare();

host.on('message', (message: ToWorker) => {
  // A running program takes its answers itself; answers that arrive here are late.
  if ('body' in message) void runProgram(message);
});

async function runProgram(order: ProgramOrder): Promise<void> {
  try {
    const guest = await instanceFor(order.limits);
    send({ kind: 'began' });
    const program = new GuestExecution(guest, order, {
      send,
      takeAnswers,
    });
    const end = program.run();
    send({ kind: 'ended', end });
    next = prepare();
  } catch (error) {
    send({ kind: 'ended', end: endBy(error) });
  }
}

/** Takes the next answers from the port. The host sends the next program only after the end of this one. */
function takeAnswers(): readonly GuestAnswer[] | undefined {
  const message = receiveMessageOnPort(host)?.message as ToWorker | undefined;
  return message === undefined || 'body' in message ? undefined : message;
}

async function instanceFor({ memoryBytes, stackBytes }: GuestSize): Promise<Guest> {
  if (memoryBytes !== size.memoryBytes || stackBytes !== size.stackBytes) {
    if (memoryBytes !== size.memoryBytes) engine = compileFor(setup.bytes, memoryBytes);
    size = { memoryBytes, stackBytes };
    next = prepare();
  }
  return next;
}

function prepare(): Promise<Guest> {
  const guest = Promise.all([image, engine]).then(([image, engine]) => Guest.make(image, engine, size));
  // The failure is reported where the guest is awaited; until then, the rejection would count as unhandled.
  guest.then(() => send({ kind: 'ready' })).catch(() => undefined);
  return guest;
}

function send(message: FromThread): void {
  host.postMessage(message, buffersOf(textsOf(message)));
}

/** Returns the texts of a message that may be long. */
function textsOf(message: FromThread): readonly (SentText | undefined)[] {
  if (!('kind' in message)) return message.map((sent) => (sent[0] === 'call' ? sent[3] : undefined));
  const { end } = message.kind === 'ended' ? message : { end: undefined };
  return end?.kind === 'completed' && end.value.kind === 'json' ? [end.value.json] : [];
}
