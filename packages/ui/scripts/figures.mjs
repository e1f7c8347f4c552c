// `npm run -w @toolwright/ui figures`: measures the cost of chats on Node 24. Needs a build.
//
// - CPU time of a whole run with its stream, over the AI SDK's encoding of the same pieces alone. Pieces that the reader has not asked for
//   yet are joined, so that the stream has fewer chunks.
// - Memory of a process whose readers have stopped reading, before and after a run continues to write.
import { continueOnNode24 } from './onNode24.mjs';

continueOnNode24(import.meta.url, ['--expose-gc']);

const { createUIMessageStream, createUIMessageStreamResponse } = await import('ai7');
const { chatHandler } = await import('@toolwright/ui');
const { authenticate, makeFetch, openDesk } = await import('./conformance/desk.mjs');

for (const pieces of [1_000, 10_000, 40_000]) await compareEncoding(pieces);
await holdReaders(1_000, 10_000);
process.exit(0);

async function compareEncoding(pieces) {
  const PAIRS = 7;
  const words = Array.from({ length: pieces }, (_, index) => `word${index % 100} `);
  const ours = await openChats(words);
  const ratios = [];
  for (let pair = 0; pair <= PAIRS; pair++) {
    const theirs = await measure(() => read(encodeByAiSdk(words)));
    const own = await measure(async () => read(await ours.send()));
    // The first pair warms up.
    if (pair > 0) ratios.push(own / theirs);
  }
  ratios.sort((one, other) => one - other);
  const [least, median, most] = [0, Math.floor(PAIRS / 2), PAIRS - 1].map((at) => ratios[at].toFixed(2));
  console.log(`${pieces} pieces: a whole run / the AI SDK's encoding alone, CPU: ${median} [${least} - ${most}]`);
  await ours.runs.drain(0);
}

function encodeByAiSdk(words) {
  const execute = async ({ writer }) => {
    writer.write({ type: 'text-start', id: '1' });
    for (const delta of words) {
      writer.write({ type: 'text-delta', id: '1', delta });
      await null;
    }
    writer.write({ type: 'text-end', id: '1' });
  };
  return createUIMessageStreamResponse({ stream: createUIMessageStream({ execute }) });
}

/** Opens chats whose model writes the words; `half` is awaited in the middle. */
async function openChats(words, half) {
  const response = { text: words.join(''), toolCalls: [], finishReason: 'stop' };
  const adapter = {
    name: 'words',
    complete: async () => response,
    async *stream() {
      for (const [index, text] of words.entries()) {
        if (index === Math.floor(words.length / 2)) await half;
        yield { kind: 'text', text };
      }
      yield { kind: 'response', response };
    },
  };
  const { runs } = await openDesk(adapter);
  const fetch = makeFetch(chatHandler(runs, { authenticate }));
  let sent = 0;
  const send = () => {
    const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
    const body = JSON.stringify({ id: `c${++sent}`, messages: [message] });
    const headers = { 'content-type': 'application/json' };
    return fetch('http://shop.test/api/chat', { method: 'POST', headers, body });
  };
  return { runs, send, resume: (chat) => fetch(`http://shop.test/api/chat/${chat}/stream`) };
}

async function read(response) {
  for await (const piece of response.body) void piece;
}

async function measure(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

async function holdReaders(readers, pieces) {
  let release;
  const half = new Promise((resolve) => (release = resolve));
  const chats = await openChats(
    Array.from({ length: 2 * pieces }, (_, index) => `word${index % 100} `),
    half,
  );
  const first = (await chats.send()).body.getReader();
  await first.read();
  const held = [];
  for (let reader = 0; reader < readers; reader++) {
    const body = (await chats.resume('c1')).body.getReader();
    await body.read();
    held.push(body);
  }
  const before = readHeap();
  release();
  const [{ id }] = await chats.runs.list({});
  await chats.runs.result(id);
  const after = readHeap();
  console.log(`${readers} readers that stand still, ${pieces} pieces later: ${before} MB, then ${after} MB`);
  await Promise.all(held.map((body) => body.cancel()));
}

function readHeap() {
  globalThis.gc();
  return (process.memoryUsage().heapUsed / 1e6).toFixed(1);
}
