import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError, sendJson } from './sendAnswers.js';
import { checkOrigin, checkToken, setSecurityHeaders } from './checkRequest.js';
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
 * express.use((request, response, next) => inspector.handle(request, response) || next());
 * console.log(`http://localhost:3000${inspector.path}`);
 */
export async function inspectorHandler(inspected: Inspected, given: MountOptions = {}): Promise<InspectorHandler> {
  const options = ownOptions(given);
  const { path: mounted = '/', hosts = [] } = options;
  const path = `/${mounted.split('/').filter(Boolean).join('/')}`;
  const base = path === '/' ? '/' : `${path}/`;
  const inspector = await Inspector.of(ownOptions(inspected), options);
  const token = randomBytes(24).toString('base64url');
  return {
    path: `${base}#token=${token}`,
    handle(request, response) {
      const target = readTarget(request);
      if (target.pathname === path && path !== '/') {
        response.writeHead(308, { location: base }).end();
        return true;
      }
      if (!target.pathname.startsWith(base)) return false;
      const local = target.pathname.slice(base.length - 1);
      void answer(inspector, { request, response, local, query: target.query, token, hosts });
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
    setSecurityHeaders(response);
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
    try {
      sendError(request, response, error);
    } catch {
      // The answer itself fails: no request may end the process that serves it.
      response.destroy();
    }
  }
}

/**
 * Reads path and query as they were sent. They are not a URL: in `//` or `//a:b`, its parser would look for a host, and throw.
 * Express shortens `url` below a mounted path, and keeps the whole one.
 */
function readTarget(request: IncomingMessage & { readonly originalUrl?: string }): {
  readonly pathname: string;
  readonly query: URLSearchParams;
} {
  const target = request.originalUrl ?? request.url ?? '/';
  const [pathname = '', ...query] = target.split('?');
  return { pathname, query: new URLSearchParams(query.join('?')) };
}

/**
 * Returns the options that are an object's own: a property that something has put on `Object.prototype` must not grant a permission.
 */
export function ownOptions<T extends object>(given: T): T {
  return Object.assign(Object.create(null) as T, given);
}
