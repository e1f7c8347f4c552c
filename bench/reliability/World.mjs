// The world of one fault: a model that follows a script, effects in a file that survives a killed process, and a record of requests.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const types = new Set(['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']);

export class World {
  /** Requests as the model got them: system text, messages and tools. */
  requests = [];

  /** @param script answers by their position in the conversation: `{ calls: [{ name, json }] }` or `{ text }` */
  constructor(folder, script) {
    this.folder = folder;
    this.script = script;
    this.started = new Promise((resolve) => {
      this.begin = resolve;
    });
  }

  file(name) {
    return join(this.folder, name);
  }

  /** Records an effect outside the process, such as a payment. */
  effect(name, key = '') {
    appendFileSync(this.file('effects.jsonl'), `${JSON.stringify({ name, key })}\n`);
  }

  /** Aborts 100 ms after the tool has begun, which takes 400 ms. Resolves to the time of the abort. */
  async abortLater(controller) {
    await this.started;
    await sleep(100);
    controller.abort();
    return performance.now();
  }

  effects(name) {
    if (!existsSync(this.file('effects.jsonl'))) return [];
    const lines = readFileSync(this.file('effects.jsonl'), 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line)).filter((effect) => effect.name === name);
  }

  /** Answers a request, or refuses it as providers do: calls without results, and schemas that are not JSON Schema. */
  answer(request) {
    this.requests.push(copy(request));
    const { messages, tools } = request;
    const open = findOpenCalls(messages);
    if (open.length > 0) throw new Error(`HTTP 400: calls without results: ${open.length}`);
    const bad = tools.find(({ schema }) => !isSchema(schema));
    if (bad !== undefined) throw new Error(`HTTP 400: invalid schema of tool ${bad.name}`);
    const position = messages.filter(({ role }) => role === 'assistant').length;
    const { calls = [], text } = this.script[position] ?? { text: 'Done.' };
    // A provider gives each call of each answer a new id.
    return { text, calls: calls.map((call) => ({ id: `call_${crypto.randomUUID()}`, ...call })) };
  }
}

/** Lists the calls that the next message does not answer. */
function findOpenCalls(messages) {
  const open = new Set();
  for (const { role, calls = [], answers = [] } of messages) {
    if (role !== 'tool' && open.size > 0) break;
    for (const id of calls) open.add(id);
    for (const id of answers) open.delete(id);
  }
  return [...open];
}

function isSchema(schema) {
  if (schema === null || typeof schema !== 'object') return typeof schema === 'boolean';
  const type = schema.type === undefined ? [] : [schema.type].flat();
  return type.every((name) => types.has(name)) && Object.values(schema.properties ?? {}).every(isSchema);
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Ends this process as a crash does, without any cleanup. */
export function crash() {
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
}

/** Resolves to the error of a promise, or to undefined. */
export const errorOf = (promise) =>
  Promise.resolve(promise).then(
    () => undefined,
    (error) => error,
  );

/** A copy, since libraries may change a request later. Lists nested too deeply for one are kept as they are: the failure would be ours. */
function copy(request) {
  try {
    return JSON.parse(JSON.stringify(request));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return request;
  }
}
