// OAuth providers for the scenarios of the suite. A host writes one for its users; `fetch` stands in for the browser of the user here.
import {
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  DpopSession,
  PrivateKeyJwtProvider,
  requestJwtAuthorizationGrant,
} from '@modelcontextprotocol/client';

const CALLBACK = 'http://localhost:3000/callback';
const METADATA = { client_name: 'toolwright-conformance', redirect_uris: [CALLBACK] };
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Returns the provider for a scenario. */
export function createProvider(scenario, context) {
  const { client_id: clientId, client_secret: clientSecret } = context;
  switch (scenario) {
    case 'auth/client-credentials-basic':
      return new ClientCredentialsProvider({ clientId, clientSecret });
    case 'auth/client-credentials-jwt':
      return new PrivateKeyJwtProvider({
        clientId,
        privateKey: context.private_key_pem,
        algorithm: context.signing_algorithm ?? 'ES256',
      });
    case 'auth/enterprise-managed-authorization':
      return createCrossAppProvider(context);
    case 'auth/wif-jwt-bearer':
      return new WorkloadProvider(context);
    default:
      return new CodeProvider({
        registered:
          scenario === 'auth/pre-registration' ? { client_id: clientId, client_secret: clientSecret } : undefined,
        dpop: scenario.startsWith('auth/dpop') ? DpopSession.create() : undefined,
      });
  }
}

/** Signs a user in by the authorization code flow. Keeps the credentials of each issuer. */
class CodeProvider {
  redirectUrl = CALLBACK;
  clientMetadata = METADATA;
  clientMetadataUrl = 'https://conformance-test.local/client-metadata.json';
  /** The parameters with which the authorization server sent the user back. */
  callback = undefined;
  #clients = new Map();
  #tokens = new Map();
  #newest = undefined;
  #verifier = '';
  #discovery = undefined;
  #registered;
  #state = '';

  constructor({ registered, dpop }) {
    this.#registered = registered;
    if (dpop !== undefined) this.dpop = () => dpop;
  }

  state() {
    this.#state = crypto.randomUUID();
    return this.#state;
  }

  clientInformation({ issuer } = {}) {
    return this.#clients.get(issuer) ?? this.#registered;
  }

  saveClientInformation(information, { issuer } = {}) {
    this.#clients.set(issuer, information);
  }

  tokens({ issuer } = {}) {
    return issuer === undefined ? this.#newest : this.#tokens.get(issuer);
  }

  saveTokens(tokens, { issuer } = {}) {
    this.#tokens.set(issuer, tokens);
    this.#newest = tokens;
    // The next authorization starts from new metadata, because a server may move to another authorization server.
    this.#discovery = undefined;
  }

  saveCodeVerifier(verifier) {
    this.#verifier = verifier;
  }

  codeVerifier() {
    return this.#verifier;
  }

  saveDiscoveryState(state) {
    this.#discovery = state;
  }

  discoveryState() {
    return this.#discovery;
  }

  invalidateCredentials(scope) {
    if (scope === 'all' || scope === 'client') this.#clients.clear();
    if (scope === 'all' || scope === 'tokens') {
      this.#tokens.clear();
      this.#newest = undefined;
    }
    if (scope === 'all' || scope === 'discovery') this.#discovery = undefined;
  }

  async redirectToAuthorization(url) {
    const { headers } = await fetch(url, { redirect: 'manual' });
    const { searchParams } = new URL(headers.get('location'));
    if (searchParams.get('state') !== this.#state)
      throw new Error('The state of the callback is not the one that was sent');
    this.callback = searchParams;
  }
}

/** Exchanges the token of a workload for an access token, once. */
class WorkloadProvider extends CodeProvider {
  redirectUrl = undefined;
  clientMetadataUrl = undefined;
  clientMetadata = {
    client_name: METADATA.client_name,
    redirect_uris: [],
    grant_types: [JWT_BEARER],
    token_endpoint_auth_method: 'none',
  };
  #assertion;

  constructor(context) {
    super({ registered: { client_id: context.client_id } });
    this.#assertion =
      context.workload_jwt ?? context.assertion ?? Object.values(context).find((value) => /^ey.*\..*\./.test(value));
  }

  prepareTokenRequest(scope) {
    return new URLSearchParams({ grant_type: JWT_BEARER, assertion: this.#assertion, ...(scope ? { scope } : {}) });
  }
}

function createCrossAppProvider(context) {
  return new CrossAppAccessProvider({
    clientId: context.client_id,
    clientSecret: context.client_secret,
    assertion: async ({ authorizationServerUrl, resourceUrl, scope, fetchFn }) => {
      const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
        tokenEndpoint: context.idp_token_endpoint,
        audience: authorizationServerUrl,
        resource: resourceUrl,
        idToken: context.idp_id_token,
        clientId: context.idp_client_id,
        scope,
        fetchFn,
      });
      return jwtAuthGrant;
    },
  });
}
