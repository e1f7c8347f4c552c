import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';

export const CLIENT_ID = 'sample';
export const REDIRECT_URL = 'http://127.0.0.1:1/callback';

/** Ada and the client that she uses: what the client keeps, and a browser that follows the redirects of signing in. */
export class Ada implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URL;
  readonly clientMetadata: OAuthClientMetadata = { client_name: 'sample', redirect_uris: [REDIRECT_URL] };
  /** The scopes that she was asked to grant, for each time that she signed in. */
  readonly askedFor: string[] = [];
  readonly #cookies = new Map<string, string>();
  #tokens: StoredOAuthTokens | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = '';
  #answer = new URLSearchParams();

  /** The query with which the authorization server has sent the browser back: the code, and the issuer. */
  get answer(): URLSearchParams {
    return this.#answer;
  }

  get accessToken(): string {
    return this.#tokens?.access_token ?? '';
  }

  clientInformation() {
    return { client_id: CLIENT_ID };
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.#tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }

  /** Keeps the authorization server that was found, so that the code is sent to no other. */
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }

  async redirectToAuthorization(start: URL): Promise<void> {
    this.askedFor.push(start.searchParams.get('scope') ?? '');
    let next = start;
    while (!next.href.startsWith(REDIRECT_URL)) {
      const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(next, { redirect: 'manual', headers: { cookie } });
      for (const text of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
        this.#cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`The authorization server answered ${String(response.status)}.`);
      next = new URL(location, next);
    }
    this.#answer = next.searchParams;
  }
}
