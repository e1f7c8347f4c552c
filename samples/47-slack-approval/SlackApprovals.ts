// Approvals in Slack: posts a message with two buttons, and answers the webhook that Slack calls when a person presses one.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Runs } from '@toolwright/durable';

/** Slack's own advice: an older request may be a replay. */
const MAX_AGE_SECONDS = 300;

/** A pressed button, as far as it is read: the message that the payload also has is not, because the record has the call. */
interface Press {
  readonly user: string;
  readonly action: 'approve' | 'deny';
  readonly responseUrl: string;
  readonly button: ButtonValue;
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
  /** Gets the failure of a message about a decision. The decision itself is stored. */
  readonly onError: (error: unknown) => void;
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
      await this.#postMessage({ channel: this.#options.channel, text, blocks });
    }
  }

  /** Answers the interactivity URL of the Slack app. */
  readonly handle = async (request: Request): Promise<Response> => {
    // The signature covers the bytes, so the body is read before it is parsed.
    const body = await request.text();
    if (!this.#isFromSlack(request.headers, body)) return new Response('The signature is not valid.', { status: 401 });
    const press = readPress(body);
    if (press === 'malformed')
      return new Response('The payload does not come from a button of this app.', { status: 400 });
    if (press === 'other') return new Response();
    const message = await this.#decide(press);
    // Slack waits three seconds. The decision is stored, so a message that fails must not look like a failed decision.
    this.#respond(press.responseUrl, message).catch(this.#options.onError);
    return new Response();
  };

  /** Replies to the question, and returns the message for Slack. */
  async #decide({ user, action, button: { run, question, seen } }: Press): Promise<object> {
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

  async #postMessage(message: object): Promise<void> {
    const response = await send(`${this.#options.api}/chat.postMessage`, message, this.#options.token);
    // Slack answers its own refusals with status 200 and `ok: false`.
    const answer = parseJson(await response.text()) as { readonly ok?: unknown; readonly error?: unknown } | undefined;
    if (answer?.ok === true) return;
    const reason = typeof answer?.error === 'string' ? answer.error : `status ${String(response.status)}`;
    throw new Error(`Slack refused the question of a run: ${reason}. Check the token, its scopes and the channel.`);
  }

  async #respond(url: string, message: object): Promise<void> {
    const { ok, status } = await send(url, message);
    if (!ok) throw new Error(`Slack refused the message about a decision: status ${String(status)}.`);
  }
}

/** Reads the body of a signed request: `other` is an interaction that these buttons did not cause. */
function readPress(body: string): Press | 'malformed' | 'other' {
  const payload = parseJson(new URLSearchParams(body).get('payload') ?? '') as BlockActions | undefined | null;
  if (typeof payload?.type !== 'string') return 'malformed';
  const action = payload.actions?.[0];
  if (payload.type !== 'block_actions' || (action?.action_id !== 'approve' && action?.action_id !== 'deny'))
    return 'other';
  const button = parseJson(String(action.value)) as Partial<ButtonValue> | undefined | null;
  const { run, question, seen } = button ?? {};
  const user = payload.user?.id;
  if (typeof user !== 'string' || typeof payload.response_url !== 'string') return 'malformed';
  if (typeof run !== 'string' || typeof question !== 'string') return 'malformed';
  if (seen !== undefined && typeof seen !== 'string') return 'malformed';
  return { user, action: action.action_id, responseUrl: payload.response_url, button: { run, question, seen } };
}

/** The payload of `block_actions`, whose parts are checked before they are used. */
interface BlockActions {
  readonly type?: unknown;
  readonly user?: { readonly id?: unknown };
  readonly response_url?: unknown;
  readonly actions?: readonly { readonly action_id?: unknown; readonly value?: unknown }[];
}

/** Returns undefined for a text that is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The token is only for Slack's API: a response URL is itself the permission to answer. */
function send(url: string, message: object, token?: string): Promise<Response> {
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' });
  if (token !== undefined) headers.set('authorization', `Bearer ${token}`);
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(message) });
}
