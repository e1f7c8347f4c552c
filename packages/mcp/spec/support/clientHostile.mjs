// A server that misbehaves in the way that its argument names, once its one tool is called.
import { createInterface } from 'node:readline';

const [way] = process.argv.slice(2);
const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const ways = {
  dies: () => process.kill(process.pid, 'SIGKILL'),
  hangs: () => undefined,
  // One answer of 100 MB; it is written as fast as it is read.
  floods: (id) => {
    const piece = 'x'.repeat(1_000_000);
    let left = 100;
    const more = () => {
      while (left-- > 0) if (!process.stdout.write(piece)) return process.stdout.once('drain', more);
      process.stdout.write('"}]}}\n');
    };
    process.stdout.on('error', () => process.exit(1));
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"`);
    more();
  },
  // Invalid JSON, an invalid message, an answer without a request, and at last an answer.
  babbles: (id) => {
    process.stdout.write('{"jsonrpc":"2.0","id":\n\u0000\u001b[2J\n[]\n{"jsonrpc":"1.0"}\n');
    send({ id: 999, result: {} });
    send({ method: 'notifications/unheard-of' });
    send({ id, result: { content: [{ type: 'text', text: 'at last' }] } });
  },
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'hostile', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'q', inputSchema: { type: 'object' } }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'tools/call') ways[way](id);
  else if (id !== undefined) send({ id, result: answers[method](params) });
});
