import { inspect } from 'node:util';
import OpenAI from 'openai';
import { createApplication, Deadline, Prompt, Section, Tool, type Message } from 'toolwright';
import { OpenAIChatAdapter } from 'toolwright/openai';
import { KEY, requestOf, toolNamed } from '../../../support/openai/client';
import { answer, hang, ProviderDouble, raw } from '../../../support/openai/ProviderDouble';
import { provider, stopAll } from '../../../support/openai/overHttp';
import { rejectionOf } from '../../../support/openai/thrownBy';

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
  const app = await createApplication({ prompts: [Desk] });
  return { app, prompt: app.prompt(Desk), runs: () => runs };
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
    expect(error.message).toContain(`openai:gpt-5-mini answered ${String(status)}: ${shown}`);
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
    '%i in the second turn: earlier calls have run, the cause is kept, nothing is repeated',
    async (status, message, Kind) => {
      const { app, prompt, runs } = await desk();
      const { double, adapter } = await provider(act, answer({ error: { message }, status }));
      const error = await rejectionOf(app.evaluate(prompt, { adapter }));
      expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E701' });
      expect(error.message).toContain(`openai:gpt-5-mini answered ${String(status)}: ${message}`);
      expect(error.cause).toBeInstanceOf(Kind);
      expect(runs()).toBe(1);
      expect(double.requests).toHaveLength(2);
    },
  );

  test('a provider that cannot be reached is told with what the system said', async () => {
    const { app, prompt } = await desk();
    const gone = await ProviderDouble.start();
    const { baseURL } = gone;
    await gone.stop();
    const adapter = new OpenAIChatAdapter({ client: new OpenAI({ apiKey: KEY, baseURL, maxRetries: 0 }), model: 'm' });
    const error = await rejectionOf(app.evaluate(prompt, { adapter }));
    expect(error).toMatchObject({ phase: 'request', code: 'E701' });
    expect(error.message).toMatch(/^The request to openai:m failed: Connection error\. .*ECONNREFUSED/);
  });

  test('retries of the client are the user’s choice', async () => {
    const { app, prompt } = await desk();
    const busy = raw(503, '{"error":{"message":"busy"}}', { 'retry-after-ms': '1' });
    const { double, client } = await provider(busy, act, busy, answer({ content: 'Done.' }));
    const adapter = new OpenAIChatAdapter({ client: client.withOptions({ maxRetries: 1 }), model: 'm' });
    expect(await app.evaluate(prompt, { adapter })).toMatchObject({ text: 'Done.', turns: 2 });
    expect(double.requests).toHaveLength(4);
  });

  test('a request that breaks a rule is refused with the id of the rule', async () => {
    const { adapter } = await provider();
    const orphan: Message = { role: 'tool', toolCallId: 'x', name: 'act', content: 'done', failed: false };
    const error = await rejectionOf(adapter.complete(requestOf([orphan])));
    expect(error.message).toContain('openai:gpt-5-mini answered 400: Invalid parameter: messages with role');
    expect(error.cause).toMatchObject({ status: 400, code: 'answer-to-call' });
  });

  test('ADPT-10: 129 tools never reach the provider', async () => {
    const { double, adapter } = await provider();
    const tools = Array.from({ length: 129 }, (_, index) => toolNamed(`tool_${String(index)}`));
    const error = await rejectionOf(adapter.complete(requestOf([], tools)));
    expect(error.message).toContain('at most 128 are possible');
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
    expect(error.message).toBe('The deadline passed while openai:gpt-5-mini was answering.');
    expect(await double.requests[0]?.abandoned).toBe(true);
    expect(deadline.elapsed).toBeLessThan(3_000);
  });

  test('a connection that the provider drops is a failed request', async () => {
    const { app, prompt } = await desk();
    const { double, adapter } = await provider(hang);
    const running = rejectionOf(app.evaluate(prompt, { adapter }));
    await double.received(1);
    double.drop();
    const error = await running;
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E701' });
    expect(error.message).toContain('The request to openai:gpt-5-mini failed: Connection error.');
  });
});
