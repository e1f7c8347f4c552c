import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { closing } from './serverKit';

/** What an issuer of a test publishes; tests change it. */
interface Published {
  metadata: Record<string, unknown> | undefined;
  keys: object[];
}

/** An authorization server that only publishes its metadata and keys, and signs what a test asks for. */
export class FakeIssuer {
  private constructor(
    readonly url: string,
    readonly published: Published,
    /** The paths of the requests that came. */
    readonly asked: readonly string[],
    private readonly key: CryptoKey,
    private readonly server: Server,
  ) {}

  static async start(path = ''): Promise<FakeIssuer> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const published: Published = {
      metadata: undefined,
      keys: [{ ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }],
    };
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      const body =
        url === '/jwks' ? { keys: published.keys } : url === METADATA + path ? published.metadata : undefined;
      if (body === undefined) response.writeHead(404).end();
      else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    published.metadata = { issuer: origin + path, jwks_uri: `${origin}/jwks` };
    return closing(new FakeIssuer(origin + path, published, asked, privateKey, server));
  }

  /** A token of this issuer; claims that are undefined are left out. */
  sign(claims: Readonly<Record<string, unknown>>, { kid = 'k1', key = this.key, alg = 'ES256' } = {}): Promise<string> {
    const now = Math.floor(Date.now() / 1_000);
    const given = { iss: this.url, sub: 'ada', client_id: 'app', iat: now, exp: now + 600, ...claims };
    return new SignJWT(given).setProtectedHeader({ alg, kid, typ: 'at+jwt' }).sign(key);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const METADATA = '/.well-known/oauth-authorization-server';
