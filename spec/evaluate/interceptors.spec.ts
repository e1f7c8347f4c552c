import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  PromptEvaluationError,
  Session,
  ThrottleError,
} from 'toolwright';
import type { Interceptor } from 'toolwright/policies';
import { FakeClock, ScriptedModel } from 'toolwright/testing';
import { rejection } from './desk';

async function evaluateWith(...interceptors: readonly Interceptor[]) {
  const type = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', template: 'T' })] });
  const app = await createApplication({ prompts: [type], interceptors, clock: new FakeClock(), random: () => 0 });
  const adapter = new ScriptedModel([{ text: 'Done.' }]);
  return {
    adapter,
    app,
    prompt: app.prompt(type),
    running: () => app.evaluate(app.prompt(type), { adapter, runMetadata: { trace: 't' } }),
  };
}

describe('interceptors around runs and requests', () => {
  test('interceptors wrap runs and requests, the first outermost, and see what they are about', async () => {
    const told: string[] = [];
    const layer = (name: string): Interceptor => ({
      aroundRun: async ({ prompt, metadata: context }, next) => {
        told.push(`${name} run ${prompt.key} ${context['trace'] ?? ''}`);
        await next();
        told.push(`${name} ran`);
      },
      aroundModel: async ({ turn, request, run }, next) => {
        told.push(`${name} asks ${run.prompt.key} ${String(turn)} ${String(request.messages.length)}`);
        const { text } = await next();
        told.push(`${name} heard ${String(text)}`);
      },
    });
    const { running } = await evaluateWith(layer('a'), layer('b'));
    expect(await running()).toMatchObject({ text: 'Done.' });
    expect(told).toEqual([
      ...['a run b t', 'b run b t', 'a asks b 1 1', 'b asks b 1 1'],
      ...['b heard Done.', 'a heard Done.', 'b ran', 'a ran'],
    ]);
  });

  test('an interceptor denies a request by throwing', async () => {
    const refusal = new PromptEvaluationError('Not now.', { phase: 'request' });
    const { running, adapter } = await evaluateWith({
      aroundRun: async () => {
        throw refusal;
      },
    });
    expect(await rejection(running())).toBe(refusal);
    expect(adapter.requests).toHaveLength(0);
  });

  test('each attempt at a request passes through the interceptors', async () => {
    let attempts = 0;
    const { running } = await evaluateWith({
      aroundModel: async (_request, next) => {
        attempts++;
        if (attempts < 3) throw new ThrottleError('later', { kind: 'overloaded' });
        await next();
      },
    });
    expect(await running()).toMatchObject({ text: 'Done.' });
    expect(attempts).toBe(3);
  });

  test('interceptors around runs and requests know the session and the adapter of a run, and its messages as they may be kept', async () => {
    class SignInParams {
      @Param({ description: 'The password', secret: true }) password!: string;
    }
    const signIn = defineTool({
      name: 'sign_in',
      description: 'Signs in.',
      params: SignInParams,
      handler: () => 'In.',
    });
    const type = definePrompt({
      ns: 'a',
      key: 'b',
      sections: [defineSection({ key: 's', title: 'S', tools: [signIn] })],
    });
    const seen: unknown[] = [];
    const app = await createApplication({
      prompts: [type],
      redact: (text) => text.replace('Anna', '…'),
      interceptors: [
        {
          aroundModel: async ({ run, request }, next) => {
            seen.push([run.sessionId, run.adapter, run.recorded(request.messages.slice(1))]);
            await next();
          },
        },
      ],
    });
    const call = { id: 'c', name: 'sign_in', arguments: { password: 'hunter22' } };
    const adapter = new ScriptedModel([{ toolCalls: [call] }, { text: 'Done.' }]);
    const session = new Session({ id: 's-1' });
    await app.evaluate(app.prompt(type), { adapter, session, messages: [{ role: 'user', content: 'I am Anna' }] });
    const asked = { role: 'user', content: 'I am …' };
    const called = {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'c', name: 'sign_in', arguments: { password: '[secret]' } }],
    };
    const answered = { role: 'tool', toolCallId: 'c', name: 'sign_in', content: 'In.', failed: false };
    expect(seen).toEqual([
      ['s-1', adapter.name, [asked]],
      ['s-1', adapter.name, [asked, called, answered]],
    ]);
  });

  test('a run without next() ends with a code', async () => {
    const { running } = await evaluateWith({ aroundRun: async () => undefined });
    expect(await rejection(running())).toMatchObject({ code: 'E708' });
  });
});
