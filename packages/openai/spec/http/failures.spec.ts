import { inspect } from 'node:util';
import OpenAI from 'openai';
import { createApplication, Deadline, type Message, Prompt, Section, Tool } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { OpenAIChatAdapter } from '@toolwright/openai';
import { KEY, requestOf, toolNamed } from '../support/client';
import { answer, hang, ProviderDouble, raw } from '../support/ProviderDouble';
import { provider, stopAll } from '../support/overHttp';
import { silent } from '../../../../spec/support/silent';
import { rejectionOf } from '../support/thrownBy';

afterEach(stopAll);

/** An application with one tool, and how often it ran. */
async function desk() {
  let runs = 0;
  @Section({ title: 'Desk', template: 'Work.' })
  class Work {
    @Tool('Do it.')
    act() {
      runs += 1;
      return 'done';
    }
  }
  @Prompt({ ns: 'a', key: 'desk', sections: [Work] })
  class Desk {}
  const clock = new FakeClock();
  const app = await createApplication({ prompts: [Desk], clock, logger: silent, random: () => 0 });
  return { app, clock, prompt: app.prompt(Desk), runs: () => runs };
}

const act = answer({ toolCalls: [{ id: 'a', name: 'act', arguments: '{}' }] });

describe('error statuses over HTTP', () => {
  test.each([
    [401, `Incorrect API key provided: ${KEY}.`, 'Incorrect API key provided: [redacted]'],
    [403, `Project of Bearer ${KEY} has no access`, 'Project of Bearer [redacted] has no access'],
  ])('ADPT-11: %i stops the run at once, and the key is printed nowhere', async (status, message, shown) => {
    const { app, prompt } = await desk();
    const { double, adapter } = await provider(answer({ error: { message, type: 'invalid_request_error' }, status }));
    const error = await rejectionOf(app.evaluate(prompt, { adapter }));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E701', cause: { status } });
    expect(error.message).toContain(`openai-chat:gpt-5-mini answered ${String(status)}: ${shown}`);
    expect(error.message).toMatch(/\(request [^)]+\)$/);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(KEY);
    expect(double.requests).toHaveLength(1);
    expect(double.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test.each([
    [429, 'Rate limit reached for gpt-5-mini', OpenAI.RateLimitError],
    [500, 'The server had an error', OpenAI.InternalServerError],
    [503, 'Overloaded', OpenAI.InternalServerError],
  ])(
    'ADPT-01 %i in the second turn, five times: earlier calls have run once, the cause is kept',
    async (status, message, Kind) => {
      const { app, clock, prompt, runs } = await desk();
      const failing = Array.from({ length: 5 }, () => answer({ error: { message }, status }));
      const { double, adapter } = await provider(act, ...failing);
      const error = await rejectionOf(app.evaluate(prompt, { adapter }));
      expect(error).toMatchObject({ name: 'ThrottleError', phase: 'request', code: 'E705' });
      expect(clock.slept).toHaveLength(4);
      expect(error.message).toContain(`openai-chat:gpt-5-mini answered ${String(status)}: ${message}`);
      expect(error.cause).toBeInstanceOf(Kind);
      expect(runs()).toBe(1);
      expect(double.requests).toHaveLength(6);
    },
  );

  test("a provider that cannot be reached is reported with the system's message", async () => {
    const { app, prompt } = await desk();
    const gone = await ProviderDouble.start();
    const { baseURL } = gone;
    await gone.stop();
    const adapter = new OpenAIChatAdapter({ client: new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0 }), model: 'm' });
    const error = await rejectionOf(app.evaluate(prompt, { adapter }));
    expect(error).toMatchObject({ name: 'ThrottleError', phase: 'request', kind: 'connection' });
    expect(error.message).toMatch(/^The request to openai-chat:m failed: Connection error\. .*ECONNREFUSED/);
  });

  test.each([429, 500, 503, 529, 408])(
    'ADPT-01 %i with Retry-After: waits as long, asks again, and repeats no tool',
    async (status) => {
      const { app, clock, prompt, runs } = await desk();
      const busy = raw(status, '{"error":{"message":"busy"}}', { 'retry-after': '12' });
      const { double, adapter } = await provider(busy, act, busy, answer({ content: 'Done.' }));
      expect(await app.evaluate(prompt, { adapter })).toMatchObject({ text: 'Done.', turns: 2 });
      expect(double.requests).toHaveLength(4);
      expect(clock.slept).toEqual([12_000, 12_000]);
      expect(runs()).toBe(1);
    },
  );

  test('ADPT-01 an account that is used up is not asked again', async () => {
    const { app, clock, prompt } = await desk();
    const spent = raw(429, '{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}');
    const { double, adapter } = await provider(spent);
    const error = await rejectionOf(app.evaluate(prompt, { adapter }));
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'quota_exhausted', retrySafe: false });
    expect(double.requests).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test('ADPT-01 a host that has no name is asked for five times, and the tools have not run', async () => {
    const { app, clock, prompt, runs } = await desk();
    const client = new OpenAI({ apiKey: KEY, baseURL: 'http://no-such-host.invalid/v1' });
    const error = await rejectionOf(app.evaluate(prompt, { adapter: new OpenAIChatAdapter({ client, model: 'm' }) }));
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'connection' });
    expect(clock.slept).toHaveLength(4);
    expect(runs()).toBe(0);
  });

  test('ADPT-01 waiting never passes the deadline', async () => {
    const { app, clock, prompt } = await desk();
    const { double, adapter } = await provider(raw(503, '{}', { 'retry-after': '6' }));
    const deadline = Deadline.in(5_000, clock);
    const error = await rejectionOf(app.evaluate(prompt, { adapter, deadline }));
    expect(error).toMatchObject({ name: 'ThrottleError', retryAfter: 6 });
    expect(double.requests).toHaveLength(1);
    expect(clock.slept).toEqual([]);
  });

  test('a request that breaks a rule is refused with the id of the rule', async () => {
    const { adapter } = await provider();
    const orphan: Message = { role: 'tool', toolCallId: 'x', name: 'act', content: 'done', failed: false };
    const error = await rejectionOf(adapter.complete(requestOf([orphan])));
    expect(error.message).toContain('openai-chat:gpt-5-mini answered 400: Invalid parameter: messages with role');
    expect(error.cause).toMatchObject({ status: 400, code: 'answer-to-call' });
  });

  test('ADPT-10: 129 tools never reach the provider', async () => {
    const { double, adapter } = await provider();
    const tools = Array.from({ length: 129 }, (_, index) => toolNamed(`tool_${String(index)}`));
    const error = await rejectionOf(adapter.complete(requestOf([], tools)));
    expect(error.message).toContain('at most 128 are allowed');
    expect(double.requests).toEqual([]);
  });
});

describe('giving up over HTTP', () => {
  test('a caller who aborts gets the reason, and the provider sees the connection close', async () => {
    const { app, prompt, runs } = await desk();
    const { double, adapter } = await provider(act, hang);
    const stop = new AbortController();
    const running = rejectionOf(app.evaluate(prompt, { adapter, signal: stop.signal }));
    await double.received(2);
    const reason = new Error('The customer hung up.');
    stop.abort(reason);
    expect(await running).toBe(reason);
    expect(await double.requests[1]?.abandoned).toBe(true);
    expect(await double.requests[0]?.abandoned).toBe(false);
    expect(runs()).toBe(1);
  });

  test('a signal that is aborted beforehand makes no request', async () => {
    const { app, prompt } = await desk();
    const { double, adapter } = await provider(answer({ content: 'x' }));
    const reason = new Error('never mind');
    expect(await rejectionOf(app.evaluate(prompt, { adapter, signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(double.requests).toEqual([]);
  });

  test('a deadline that passes while the provider hangs stops the run and the request', async () => {
    const { app, prompt } = await desk();
    const { double, adapter } = await provider(hang);
    const deadline = Deadline.in(1_200);
    const error = await rejectionOf(app.evaluate(prompt, { adapter, deadline }));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'response', code: 'E605' });
    expect(error.message).toBe('The deadline passed while openai-chat:gpt-5-mini was answering.');
    expect(await double.requests[0]?.abandoned).toBe(true);
    expect(deadline.elapsed).toBeLessThan(3_000);
  });

  test('ADPT-01 a socket that the provider resets: the request is retried, and the run continues', async () => {
    const { app, clock, prompt } = await desk();
    const { double, adapter } = await provider(hang, answer({ content: 'Done.' }));
    const running = app.evaluate(prompt, { adapter });
    await double.received(1);
    double.drop();
    expect(await running).toMatchObject({ text: 'Done.' });
    expect(clock.slept).toHaveLength(1);
  });
});
