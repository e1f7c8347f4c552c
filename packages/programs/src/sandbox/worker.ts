// The script of a worker thread: runs programs one after the other, each in its own instance.
import { parentPort, workerData } from 'node:worker_threads';
import { Guest, type GuestSize } from './Guest.js';
import { takeImage } from './GuestImage.js';
import { endBy, GuestExecution } from './GuestExecution.js';
import { buffersOf, type SentText } from './SentText.js';
import { compileFor, type WasmModule } from './compileWasm.js';
import type { FromThread, ProgramOrder, ToWorker, WorkerSetup } from './protocol.js';

const setup = workerData as WorkerSetup;
let { size } = setup;
let engine: Promise<WasmModule> = Promise.resolve(setup.engine);
const image = takeImage(setup);
/** The instance for the next program, created in advance. */
let next = prepare();
let current: { readonly run: number; readonly program: GuestExecution } | undefined;
let work = Promise.resolve();

parentPort?.on('message', (message: ToWorker) => {
  work = work.then(() => receive(message));
});

async function receive(message: ToWorker): Promise<void> {
  if (message.kind === 'run') await start(message.run, message.order);
  else if (message.run !== current?.run) return;
  else if (message.kind === 'stop') current.program.stop();
  else current.program.answer(message.answers);
}

async function start(run: number, order: ProgramOrder): Promise<void> {
  try {
    const guest = await instanceFor(order.limits);
    send({ kind: 'began', run });
    const program = new GuestExecution(guest, order, {
      send: (messages) => send({ kind: 'messages', run, messages }),
      ended: (end) => {
        current = undefined;
        send({ kind: 'ended', run, end });
        next = prepare();
      },
    });
    current = { run, program };
    program.start();
  } catch (error) {
    send({ kind: 'ended', run, end: endBy(error) });
  }
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
  parentPort?.postMessage(message, buffersOf(textsOf(message)));
}

/** Returns the texts of a message that may be long. */
function textsOf(message: FromThread): readonly (SentText | undefined)[] {
  if (message.kind === 'messages')
    return message.messages.map((sent) => (sent.kind === 'call' ? sent.call.json : undefined));
  const { end } = message.kind === 'ended' ? message : { end: undefined };
  return end?.kind === 'completed' && end.value.kind === 'json' ? [end.value.json] : [];
}
