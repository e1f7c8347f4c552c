import { HttpProblem } from './HttpProblem.js';

const METHODS = 'GET, POST, PATCH, DELETE, OPTIONS';

/**
 * Refuses requests that another site sends with the cookies of a user.
 *
 * @param origins other origins that may call, e.g. `https://app.example.com`
 * @throws HttpProblem 403
 */
export function refuseForeignOrigin(request: Request, origins: readonly string[]): void {
  const origin = request.headers.get('origin');
  const isCrossSite = request.headers.get('sec-fetch-site') === 'cross-site';
  if (origin === null ? !isCrossSite : isOwnOrigin(request, origin) || origins.includes(origin)) return;
  throw new HttpProblem(403, 'This site may not call the chat.');
}

/** Returns the headers that let a page of an allowed origin read the response; empty for requests of the own origin. */
export function makeCorsHeaders(request: Request, origins: readonly string[]): Readonly<Record<string, string>> {
  const origin = request.headers.get('origin');
  if (origin === null || !origins.includes(origin)) return {};
  return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true', vary: 'origin' };
}

/** Answers the question of a browser whether a page may call. */
export function answerPreflight(request: Request, origins: readonly string[]): Response {
  const cors = makeCorsHeaders(request, origins);
  const allowed = {
    'access-control-allow-methods': METHODS,
    'access-control-allow-headers': 'content-type, authorization',
  };
  return new Response(null, { status: 204, headers: 'vary' in cors ? { ...cors, ...allowed } : { allow: METHODS } });
}

/** Compares hosts only: behind a proxy that ends TLS, the schemes differ. */
function isOwnOrigin(request: Request, origin: string): boolean {
  const own = request.headers.get('host') ?? new URL(request.url).host;
  return URL.canParse(origin) && new URL(origin).host === own;
}
