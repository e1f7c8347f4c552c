// The thread of a store. Both drivers are synchronous, and a disk or a lock must never block the application's thread.
import { parentPort, workerData } from 'node:worker_threads';
import { loadDriver, type DriverClass } from './Connection.js';
import type { FromThread, ThreadSetup, ToThread } from './protocol.js';
import { RequestQueue } from './RequestQueue.js';

const setup = workerData as ThreadSetup;
let driver: Promise<DriverClass> | undefined;
const load = (): Promise<DriverClass> => (driver ??= loadDriver(setup.driver));
const send = (message: FromThread): void => {
  parentPort?.postMessage(message);
  if (message.kind === 'closed') parentPort?.close();
};
const queue = new RequestQueue(setup, load, send);

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'run') queue.add(message.requests);
  else if (message.kind === 'watch') queue.watch(message.isOn);
  else queue.close();
});
