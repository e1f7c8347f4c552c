// A worker thread that runs one program after the other in quickjs-emscripten, each in a new runtime.
import { getQuickJS } from 'quickjs-emscripten';
import { parentPort, workerData } from 'node:worker_threads';

const quickjs = await getQuickJS();
let program;

parentPort.on('message', ({ body, id, json }) => {
  if (id === undefined) start(body);
  else settle(id, json);
});
parentPort.postMessage('ready');

function start(body) {
  const runtime = quickjs.newRuntime({ memoryLimitBytes: workerData.memoryBytes });
  const vm = runtime.newContext();
  const calls = new Map();
  program = { runtime, vm, calls };
  const host = vm.newFunction('host', (json) => {
    const call = vm.newPromise();
    calls.set(calls.size, call);
    parentPort.postMessage({ id: calls.size - 1, json: vm.getString(json) });
    return call.handle;
  });
  vm.setProp(vm.global, 'host', host);
  host.dispose();
  const head = 'const tool = async (argument) => JSON.parse(await host(JSON.stringify(argument)));';
  const main = vm.unwrapResult(vm.evalCode(`${head}(async () => {${body}})().then(JSON.stringify)`));
  const ended = vm.resolvePromise(main);
  main.dispose();
  runtime.executePendingJobs();
  void ended.then((result) => end(result));
}

function settle(id, json) {
  const { runtime, vm, calls } = program;
  const call = calls.get(id);
  const text = vm.newString(json);
  call.resolve(text);
  text.dispose();
  call.dispose();
  runtime.executePendingJobs();
}

function end(result) {
  const { runtime, vm } = program;
  const message = result.error
    ? { error: JSON.stringify(vm.dump(result.error)) }
    : { value: vm.getString(result.value) };
  (result.error ?? result.value).dispose();
  vm.dispose();
  runtime.dispose();
  parentPort.postMessage(message);
}
