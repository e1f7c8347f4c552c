// Rows of the hosts: each mounts the handler as its page of docs/ui.md says, on a real server.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { serve as serveHono } from '@hono/node-server';
import { All, Controller, Module, Req, Res } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { chatHandler, toNodeHandler } from '@toolwright/ui';
import { authenticate, openDesk } from './desk.mjs';

const listen = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));

/** Each host: starts a server with the handler, and returns its port and a function that closes it. */
const hosts = {
  'Node http': async (handler) => {
    const server = createServer(toNodeHandler(handler));
    return { port: await listen(server), close: () => server.close() };
  },
  'Express with its JSON parser': async (handler) => {
    const app = express().use(express.json());
    app.all(['/api/chat', '/api/chat/*path'], toNodeHandler(handler));
    const server = createServer(app);
    return { port: await listen(server), close: () => server.close() };
  },
  'Express, mounted by use': async (handler) => {
    const server = createServer(express().use('/api/chat', toNodeHandler(handler)));
    return { port: await listen(server), close: () => server.close() };
  },
  Fastify: async (handler) => {
    const app = Fastify();
    const node = toNodeHandler(handler);
    app.all('/api/chat', node);
    app.all('/api/chat/*', node);
    await app.listen({ port: 0, host: '127.0.0.1' });
    return { port: app.server.address().port, close: () => app.close() };
  },
  Hono: async (handler) => {
    const app = new Hono();
    app.all('/api/chat', (c) => handler(c.req.raw));
    app.all('/api/chat/*', (c) => handler(c.req.raw));
    const server = serveHono({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise((resolve) => (server.listening ? resolve() : server.once('listening', resolve)));
    return { port: server.address().port, close: () => server.close() };
  },
  'Nest on Express': (handler) => openNest(handler),
  'Nest on Fastify': (handler) => openNest(handler, new FastifyAdapter()),
};

async function openNest(handler, adapter) {
  const node = toNodeHandler(handler);
  class Chat {
    chat(request, response) {
      return node(request, response);
    }
  }
  Controller('api/chat')(Chat);
  Req()(Chat.prototype, 'chat', 0);
  Res()(Chat.prototype, 'chat', 1);
  // The two platforms write the rest of a path differently.
  All(['', adapter === undefined ? '*path' : '*'])(
    Chat.prototype,
    'chat',
    Object.getOwnPropertyDescriptor(Chat.prototype, 'chat'),
  );
  class AppModule {}
  Module({ controllers: [Chat] })(AppModule);
  const args = adapter === undefined ? [AppModule] : [AppModule, adapter];
  const app = await NestFactory.create(...args, { logger: false });
  await app.listen(0, '127.0.0.1');
  return { port: app.getHttpServer().address().port, close: () => app.close() };
}

/** A model that writes one word and waits. */
function heldModel() {
  let release;
  const held = new Promise((resolve) => (release = resolve));
  const response = { text: 'Now later.', toolCalls: [], finishReason: 'stop' };
  const adapter = {
    name: 'held',
    complete: async () => response,
    async *stream() {
      yield { kind: 'text', text: 'Now ' };
      await held;
      yield { kind: 'text', text: 'later.' };
      yield { kind: 'response', response };
    },
  };
  return { adapter, release };
}

const post = (port, body) => ({
  url: `http://127.0.0.1:${port}/api/chat`,
  init: {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-user': 'ann' },
    body: JSON.stringify(body),
  },
});
const message = { id: 'm-1', role: 'user', parts: [{ type: 'text', text: 'Hi' }] };

export const rows = Object.entries(hosts).flatMap(([name, open]) => [
  {
    name: `${name}: a piece of text arrives before the next one is written`,
    async check() {
      const { adapter, release } = heldModel();
      const { runs } = await openDesk(adapter);
      const { port, close } = await open(chatHandler(runs, { authenticate }));
      const { url, init } = post(port, { id: 'c-1', messages: [message] });
      const response = await fetch(url, init);
      assert.equal(response.headers.get('x-vercel-ai-ui-message-stream'), 'v1');
      const decoder = new TextDecoder();
      let text = '';
      for await (const piece of response.body) {
        text += decoder.decode(piece, { stream: true });
        if (text.includes('Now ')) release();
      }
      assert.match(text, /"delta":"later\."[^]*data: \[DONE\]\n\n$/);
      await close();
    },
  },
  {
    name: `${name}: a refusal has its status and a text`,
    async check() {
      const { runs } = await openDesk([]);
      const { port, close } = await open(chatHandler(runs, { authenticate }));
      const { url, init } = post(port, { id: 'c-1' });
      const response = await fetch(url, init);
      assert.deepEqual([response.status, /has no message/.test(await response.text())], [400, true]);
      const unknown = await fetch(`${url}/c-1`, { headers: { 'x-user': 'ann' } });
      assert.equal(unknown.status, 404);
      await close();
    },
  },
  {
    name: `${name}: a client that leaves ends its stream, and the answer goes on`,
    async check() {
      const { adapter, release } = heldModel();
      const { runs } = await openDesk(adapter);
      const { port, close } = await open(chatHandler(runs, { authenticate }));
      const { url, init } = post(port, { id: 'c-1', messages: [message] });
      const left = new AbortController();
      const response = await fetch(url, { ...init, signal: left.signal });
      await response.body.getReader().read();
      left.abort();
      release();
      const [{ id }] = await runs.list({});
      assert.equal((await runs.result(id)).text, 'Now later.');
      await close();
    },
  },
]);
