import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ToolwrightError } from 'toolwright';
import { checkOrigin, checkToken, secure } from './guard.js';
import { Inspector, type Inspected, type InspectorOptions } from './Inspector.js';
import { InspectorError } from './InspectorError.js';
import { routes } from './routes.js';
import { sendFile } from './staticFiles.js';

/** How the inspector is mounted. */
export interface MountOptions extends InspectorOptions {
  /** The path below which it answers, such as `/inspector`; `/` when left out. */
  readonly path?: string | undefined;
  /** Values of the header `Host` that are accepted besides those of the loopback, such as `dev.example:3000`. */
  readonly hosts?: readonly string[] | undefined;
}

/** An inspector to mount. */
export interface InspectorHandler {
  /** The path and fragment of the page: append it to the address of the server. */
  readonly path: string;
  /** Answers a request; false if it is for another path. For `node:http`, Express and Nest alike. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Stops following the application. */
  close(): void;
}

/**
 * Makes an inspector for a server of your own, in development: it shows prompts, arguments and results to everyone who has its
 * address.
 *
 * @throws what rendering tokens throws
 * @example
 * const inspector = await inspectorHandler({ app }, { path: '/inspector' });
 * nest.use((request, response, next) => inspector.handle(request, response) || next());
 * console.log(`http://localhost:3000${inspector.path}`);
 */
export async function inspectorHandler(inspected: Inspected, options: MountOptions = {}): Promise<InspectorHandler> {
  const { path: given = '/', hosts = [] } = options;
  const path = `/${given.split('/').filter(Boolean).join('/')}`;
  const base = path === '/' ? '/' : `${path}/`;
  const inspector = await Inspector.of(inspected, options);
  const token = randomBytes(24).toString('base64url');
  return {
    path: `${base}#token=${token}`,
    handle(request, response) {
      const url = new URL(originalUrl(request), 'http://inspector');
      if (url.pathname === path && path !== '/') {
        response.writeHead(308, { location: base }).end();
        return true;
      }
      if (!url.pathname.startsWith(base)) return false;
      const local = url.pathname.slice(base.length - 1);
      void answer(inspector, { request, response, local, query: url.searchParams, token, hosts });
      return true;
    },
    close() {
      inspector.close();
    },
  };
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The path below that of the inspector. */
  readonly local: string;
  readonly query: URLSearchParams;
  readonly token: string;
  readonly hosts: readonly string[];
}

async function answer(inspector: Inspector, exchange: Exchange): Promise<void> {
  const { request, response, local, query, token, hosts } = exchange;
  try {
    secure(response);
    checkOrigin(request, hosts);
    if (!local.startsWith('/api/')) {
      if (request.method !== 'GET') throw new InspectorError(405, 'pages are only read');
      await sendFile(local, response);
      return;
    }
    checkToken(request, token);
    const name = `${request.method ?? ''} ${local.slice('/api/'.length)}`;
    const route = Object.hasOwn(routes, name) ? routes[name] : undefined;
    if (route === undefined) throw new InspectorError(404, 'there is no such data', local);
    const data = await route({ inspector, query, request, response });
    if (data !== undefined) sendJson(response, 200, data);
  } catch (error) {
    refuse(request, response, error);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  // What was not read must not be read: a refused upload may be endless.
  if (!request.complete) {
    response.setHeader('connection', 'close');
    response.on('finish', () => request.destroy());
  }
  const problem = error instanceof Error ? error.message : 'the inspector failed';
  const { code, place, remedy } = ToolwrightError.is(error)
    ? error
    : { code: undefined, place: undefined, remedy: undefined };
  const status =
    error instanceof InspectorError ? error.status : code === 'E751' ? 413 : code === undefined ? 500 : 422;
  sendJson(response, status, { problem, code, place, remedy });
}

function sendJson(response: ServerResponse, status: number, data: unknown): void {
  response.statusCode = status;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(JSON.stringify(data));
}

/** Express shortens `url` below a mounted path, and keeps the whole one. */
function originalUrl(request: IncomingMessage & { readonly originalUrl?: string }): string {
  return request.originalUrl ?? request.url ?? '/';
}
