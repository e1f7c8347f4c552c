import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { GrantContext } from 'oidc-provider';
import { CLIENT_ID, REDIRECT_URL } from './Ada.js';

const SCOPES = ['orders:read', 'orders:write'];

export interface AuthorizationServer {
  readonly issuer: string;
  close(): void;
}

/**
 * Starts an authorization server on this machine: it knows one client, and Ada signs in and consents to everything. Its access
 * tokens are JWTs for the resource that the client names (RFC 8707).
 *
 * @param lifetimeSeconds the lifetime of its access tokens
 */
export async function startAuthorizationServer(lifetimeSeconds = 600): Promise<AuthorizationServer> {
  const { Provider } = await import('oidc-provider');
  const { exportJWK, generateKeyPair } = await import('jose');
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const web = createServer();
  const issuer = await listenLocally(web);
  const provider = new Provider(issuer, {
    scopes: SCOPES,
    clients: [
      {
        client_id: CLIENT_ID,
        redirect_uris: [REDIRECT_URL],
        application_type: 'native',
        token_endpoint_auth_method: 'none',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'k1', use: 'sig', alg: 'ES256' }] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    cookies: { keys: ['only for this sample'] },
    ttl: { AccessToken: lifetimeSeconds, Grant: 600, Interaction: 600, Session: 600 },
    findAccount: (_context: unknown, accountId: string) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: () => '/sign-in' },
    features: {
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context: unknown, audience: string) => ({
          scope: SCOPES.join(' '),
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: lifetimeSeconds,
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
    loadExistingGrant: grantEverything,
  });
  const answer = provider.callback();
  web.on('request', (request, response) => {
    if (request.url === '/sign-in')
      void provider.interactionFinished(request, response, { login: { accountId: 'ada' }, consent: {} });
    else answer(request, response);
  });
  return {
    issuer,
    close: () => {
      web.close().closeAllConnections();
    },
  };
}

/** Grants the scopes that the client asks for, as if Ada had consented. */
async function grantEverything({ oidc }: GrantContext) {
  const { client, session, params, provider } = oidc;
  const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
  grant.addOIDCScope(params.scope ?? '');
  if (params.resource !== undefined) grant.addResourceScope(params.resource, params.scope ?? '');
  await grant.save();
  return grant;
}

/** Opens a free port of this machine, and returns its origin. */
export async function listenLocally(web: Server): Promise<string> {
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((web.address() as AddressInfo).port)}`;
}
