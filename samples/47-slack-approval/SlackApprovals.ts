// Approvals in Slack: posts a message with two buttons, and answers the webhook that Slack calls when a person presses one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Runs } from '@toolwright/durable';

/** Slack's own advice: an older request may be a replay. */
const MAX_AGE_SECONDS = 300;

/** The payload of a pressed button, as far as it is read: the message in it is not, because the record has the call. */
interface BlockActions {
  readonly type: string;
  readonly user: { readonly id: string };
  readonly response_url: string;
  readonly actions: readonly { readonly action_id: string; readonly value: string }[];
}

/** The value of a button. It names the question; `seen` is a digest of the change that the message shows. */
interface ButtonValue {
  readonly run: string;
  readonly question: string;
  readonly seen?: string | undefined;
}

export interface SlackOptions {
  /** `https://slack.com/api`; a test passes a local double. */
  readonly api: string;
  readonly token: string;
  readonly channel: string;
  readonly signingSecret: string;
  /** Says whether a user of Slack may decide. The members of a channel are not a list of approvers. */
  readonly mayDecide: (user: string) => boolean;
}

export class SlackApprovals {
  readonly #runs: Runs;
  readonly #options: SlackOptions;

  constructor(runs: Runs, options: SlackOptions) {
    this.#runs = runs;
    this.#options = options;
  }

  /** Posts one message for each open question of a run. */
  async post(run: string): Promise<void> {
    for (const { id, name, about } of await this.#runs.questions({ run })) {
      if (about !== 'approval') continue;
      const { arguments: given, seen } = await this.#runs.preview(run, id);
      const value = JSON.stringify({ run, question: id, seen } satisfies ButtonValue);
      const text = `May ${name} run with ${JSON.stringify(given)}?`;
      const button = (action_id: string, label: string) => ({
        type: 'button',
        action_id,
        value,
        text: { type: 'plain_text', text: label },
      });
      // Plain text, because arguments come from a model and may hold links or mentions.
      const blocks = [
        { type: 'section', text: { type: 'plain_text', text } },
        { type: 'actions', elements: [button('approve', 'Approve'), button('deny', 'Deny')] },
      ];
      await this.#send(`${this.#options.api}/chat.postMessage`, { channel: this.#options.channel, text, blocks });
    }
  }

  /** Answers the interactivity URL of the Slack app. */
  readonly handle = async (request: Request): Promise<Response> => {
    // The signature covers the bytes, so the body is read before it is parsed.
    const body = await request.text();
    if (!this.#isFromSlack(request.headers, body)) return new Response('The signature is not valid.', { status: 401 });
    const payload = JSON.parse(new URLSearchParams(body).get('payload') ?? 'null') as BlockActions | null;
    const [action] = payload?.actions ?? [];
    if (payload?.type !== 'block_actions' || action === undefined) return new Response();
    const told = await this.#decide(payload.user.id, action.action_id, JSON.parse(action.value) as ButtonValue);
    await this.#send(payload.response_url, told);
    return new Response();
  };

  /** Replies to the question, and returns the message for Slack. */
  async #decide(user: string, action: string, { run, question, seen }: ButtonValue): Promise<object> {
    const onlyToThem = { response_type: 'ephemeral', replace_original: false };
    if (!this.#options.mayDecide(user)) return { ...onlyToThem, text: 'You may not decide about this call.' };
    const by = `slack:${user}`;
    const taken = await this.#runs.reply(
      run,
      question,
      action === 'approve'
        ? { kind: 'approved', by, seen }
        : { kind: 'denied', by, reason: 'A person denied it in Slack.' },
    );
    // The first decision counts, also for a request that is replayed within its five minutes.
    if (taken === 'late') return { ...onlyToThem, text: 'This was decided before, or its run has ended.' };
    return { replace_original: true, text: `${action === 'approve' ? 'Approved' : 'Denied'} by <@${user}>.` };
  }

  #isFromSlack(headers: Headers, body: string): boolean {
    const timestamp = headers.get('x-slack-request-timestamp') ?? '';
    const age = Math.abs(Date.now() / 1000 - Number(timestamp));
    if (!/^\d+$/.test(timestamp) || age > MAX_AGE_SECONDS) return false;
    const hmac = createHmac('sha256', this.#options.signingSecret).update(`v0:${timestamp}:${body}`);
    const wanted = Buffer.from(`v0=${hmac.digest('hex')}`);
    const given = Buffer.from(headers.get('x-slack-signature') ?? '');
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  }

  async #send(url: string, message: object): Promise<void> {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${this.#options.token}` };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
    // Slack answers its own mistakes with status 200 and `ok: false`.
    const { ok } = (await response.json()) as { readonly ok: boolean };
    if (!ok) throw new Error('Slack refused a message.');
  }
}
