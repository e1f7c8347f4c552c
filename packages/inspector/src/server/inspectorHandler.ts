import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendError, sendJson } from './sendAnswers.js';
import { checkOrigin, checkToken, setSecurityHeaders } from './checkRequest.js';
import { Inspector, type Inspected, type InspectorOptions } from './Inspector.js';
import { InspectorError } from './InspectorError.js';
import { routes } from './routes.js';
import { sendFile } from './staticFiles.js';

/** Options of an inspector that is mounted on another server. */
export interface MountOptions extends InspectorOptions {
  /** The path under which it answers, such as `/inspector`; `/` when left out. */
  readonly path?: string | undefined;
  /** Further accepted values of the header `Host` besides the loopback names, such as `dev.example:3000`. */
  readonly hosts?: readonly string[] | undefined;
}

/** An inspector to mount. */
export interface InspectorHandler {
  /** The path and fragment of the page. Append it to the address of the server. */
  readonly path: string;
  /** Answers a request; returns false if it is for another path. Works with `node:http`, Express and Nest. */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** Stops following the application. */
  close(): void;
}

/**
 * Makes an inspector for your own server. Use it only in development: it shows prompts, arguments and results to everyone who has
 * its address.
 *
 * @throws the errors of rendering a prompt, unchanged
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
  /** The rest of the path after the inspector's own. */
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
      if (request.method !== 'GET') throw new InspectorError(405, 'pages accept only GET');
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
      // Sending the answer failed. A request must never end the server's process.
      response.destroy();
    }
  }
}

/**
 * Reads path and query as they were sent, without the URL parser, which would look for a host in `//` or `//a:b` and throw.
 * Express shortens `url` below a mounted path and keeps the whole one in `originalUrl`.
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
 * Returns only the own properties of the options: a property that someone put on `Object.prototype` must not grant a permission.
 */
export function ownOptions<T extends object>(given: T): T {
  return Object.assign(Object.create(null) as T, given);
}
