// Engines that run a program with tools, assembled as in their documentation: a fresh instance for each program, calls as JSON text,
// answers as promises. They do not check, limit, log or roll back anything.
import ivm from 'isolated-vm';
import { Worker } from 'node:worker_threads';

export async function peers({ bodies, answer, memoryBytes }) {
  const engine = new Worker(new URL('./quickjsEmscripten.mjs', import.meta.url), { workerData: { memoryBytes } });
  await new Promise((resolve) => engine.once('message', resolve));
  const contenders = {};
  for (const [task, body] of Object.entries(bodies)) {
    contenders[`isolated-vm, in-process ${task}`] = () => runIsolated(body, answer, memoryBytes);
    contenders[`quickjs-emscripten, in a worker ${task}`] = () => runInWorker(engine, body, answer);
  }
  return { contenders, close: () => engine.terminate() };
}

async function runIsolated(body, answer, memoryBytes) {
  const isolate = new ivm.Isolate({ memoryLimit: memoryBytes / 1024 / 1024 });
  try {
    const context = await isolate.createContext();
    await context.global.set('host', new ivm.Reference(async (json) => JSON.stringify(answer(JSON.parse(json)))));
    const head = `const tool = async (argument) => JSON.parse(await host.apply(undefined, [JSON.stringify(argument)],
      { result: { promise: true, copy: true } }));`;
    const value = await context.eval(`${head}(async () => {${body}})().then(JSON.stringify)`, { promise: true });
    return JSON.parse(value);
  } finally {
    isolate.dispose();
  }
}

/** The worker sends calls as `{ id, json }` and ends with `{ value }`. */
function runInWorker(engine, body, answer) {
  return new Promise((resolve, reject) => {
    const hear = ({ id, json, value, error }) => {
      if (id !== undefined) return engine.postMessage({ id, json: JSON.stringify(answer(JSON.parse(json))) });
      engine.off('message', hear);
      return error === undefined ? resolve(JSON.parse(value)) : reject(new Error(error));
    };
    engine.on('message', hear);
    engine.postMessage({ body });
  });
}
