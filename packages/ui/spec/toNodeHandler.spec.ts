import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fastify from 'fastify';
import { toNodeHandler } from '@toolwright/ui';

/** Sends bytes, and returns the status of the answer. */
function send(port: number, bytes: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    let text = '';
    socket.on('data', (data) => (text += data.toString()));
    socket.on('error', reject);
    socket.on('close', () => resolve(Number(text.split(' ')[1])));
  });
}

describe('a handler on a server of Node', () => {
  const errors: unknown[] = [];
  let server: Server;
  let port: number;
  beforeAll(async () => {
    const handler = (request: Request): Promise<Response> =>
      request.url.endsWith('/fail') ? Promise.reject(new Error('no store')) : Promise.resolve(new Response('ok'));
    server = createServer(toNodeHandler(handler, { onError: (error) => errors.push(error) }) as never);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ({ port } = server.address() as AddressInfo);
  });
  afterAll(() => server.close());

  test.each([
    ['a path that begins with two slashes', 'GET // HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['a host that is none', 'GET / HTTP/1.1\r\nHost: [\r\nConnection: close\r\n\r\n', 400],
    ['an address of another host', 'GET http://b:99999/ HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['a method that requests cannot have', 'TRACE / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 400],
    ['a failing host', 'GET /fail HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 500],
    ['a request', 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 200],
  ])('%s is answered, and the process goes on', async (_case, bytes, status) => {
    expect(await send(port, bytes)).toBe(status);
  });

  test('errors of the host are reported', () => {
    expect(errors).toEqual([new Error('no store')]);
  });
});

describe('a handler on Fastify', () => {
  test('the answer has the headers that hooks have set, and its own', async () => {
    const app = fastify();
    app.addHook('onRequest', (_request, reply, done) => {
      reply.header('x-frame-options', 'DENY').header('content-type', 'text/html');
      done();
    });
    app.get(
      '/',
      toNodeHandler(() => Promise.resolve(Response.json({}))),
    );
    const { headers, body } = await app.inject('/');
    expect([headers['x-frame-options'], headers['content-type'], body]).toEqual(['DENY', 'application/json', '{}']);
    await app.close();
  });
});
