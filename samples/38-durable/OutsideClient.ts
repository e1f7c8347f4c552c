/** One request to a service outside. */
export interface OutsideRequest {
  readonly what: string;
  readonly orderId: string;
  /** The same for the same call of the same run, in every process. */
  readonly key: string;
}

/** Requests to the services outside. */
export class OutsideClient {
  constructor(private readonly url: string) {}

  async request(service: string, { key, ...body }: OutsideRequest): Promise<string> {
    const response = await fetch(`${this.url}/${service}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${service} answered ${String(response.status)}: ${text}`);
    return text;
  }
}
