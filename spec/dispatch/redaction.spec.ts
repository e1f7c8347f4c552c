import {
  createApplication,
  definePrompt,
  type Logger,
  Param,
  Section,
  Session,
  Tool,
  ToolContext,
  ToolResult,
} from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { RejectedToolParams, ToolInvoked, ToolProgressed } from 'toolwright/events';
import { Redaction } from '../../src/dispatch/redact/Redaction';
import { SecretHider } from '../../src/schema/write/secrets';

const KEY = 'sk-live-"k4711"-and-quite-a-long-one-that-messages-would-cut';

class Credentials {
  @Param('User') user!: string;
  @Param({ description: 'Password', secret: true, minLength: 4 }) password!: string;
}

class SignInParams {
  @Param('Host') host!: string;
  @Param({ description: 'API key', secret: true, pattern: /^sk-/ }) apiKey!: string;
  @Param({ description: 'Accounts', type: () => [Credentials], optional: true }) accounts?: Credentials[];

  shout(): string {
    return this.apiKey.toUpperCase();
  }
}

@Section({ key: 'access', title: 'Access' })
class AccessSection {
  readonly seen: SignInParams[] = [];

  @Tool('Sign in.')
  signIn(params: SignInParams, context: ToolContext): ToolResult {
    this.seen.push(params);
    if (params.host === 'talkative') {
      context.logger.info('signing in', { how: `signing in with ${params.apiKey}` });
      context.reportProgress({ message: `trying ${params.apiKey}` });
    }
    if (params.host === 'echo') throw new Error(`no access with ${params.apiKey}`);
    if (params.host === 'refuse')
      return ToolResult.error(`refused ${params.apiKey}`, { value: { key: params.apiKey } });
    return ToolResult.ok({ host: params.host });
  }

  @Tool('Say something.')
  say(@Param('text', 'Text') text: string): string {
    return `you said ${text}`;
  }
}

async function desk(redact?: (text: string) => string) {
  const Desk = definePrompt({ ns: 'test', key: 'desk', sections: [AccessSection] });
  const logged: unknown[] = [];
  const note = (message: string, fields?: unknown): void => void logged.push(message, fields);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const app = await createApplication({ prompts: [Desk], logger, redact });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const prompt = app.prompt(Desk);
  const [root] = prompt.roots;
  const rendered = await prompt.render();
  return {
    app,
    prompt,
    logged,
    events,
    section: root?.instance as AccessSection,
    call: (name: string, args: string | Record<string, unknown>) =>
      app.callTool(rendered, { id: 'c1', name, arguments: args }, { session: new Session() }),
  };
}

/** Everything that can be reached from the values, messages of errors included. */
function textOf(...values: readonly unknown[]): string {
  const seen = new Set<unknown>();
  const parts: string[] = [];
  const walk = (value: unknown): void => {
    if (typeof value === 'string') parts.push(value);
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    for (const key of Reflect.ownKeys(value)) walk(Reflect.getOwnPropertyDescriptor(value, key)?.value);
  };
  values.forEach(walk);
  return parts.join('\n');
}

describe('EVT-06 a secret param reaches the handler and nothing else', () => {
  test('an accepted call: the handler has the secret; the event shows an instance without it', async () => {
    const { call, events, section } = await desk();
    const accounts = [{ user: 'ada', password: 'enchantress' }];
    await call('sign_in', { host: 'example.org', apiKey: KEY, accounts });
    expect(section.seen[0]?.apiKey).toBe(KEY);
    expect(section.seen[0]?.accounts?.[0]?.password).toBe('enchantress');
    const params = events[0]?.params as SignInParams;
    expect(params).toBeInstanceOf(SignInParams);
    expect(params).toEqual({
      host: 'example.org',
      apiKey: '[secret]',
      accounts: [{ user: 'ada', password: '[secret]' }],
    });
    expect(params.accounts?.[0]).toBeInstanceOf(Credentials);
    expect(params.shout()).toBe('[SECRET]');
  });

  test.each([
    ['a wrong type', { host: 'a', apiKey: [KEY] }],
    ['a broken rule', { host: 'a', apiKey: KEY.replace('sk-', 'pk-') }],
    ['a misspelt key', { host: 'a', apiKeey: KEY }],
    ['an item that is wrong', { host: 'a', apiKey: KEY, accounts: [{ user: 'ada', password: 17 }] }],
    ['something else in its place', { host: 'a', apiKey: KEY, accounts: KEY }],
    ['text that does not parse', `{"host":"a","apiKey":${JSON.stringify(KEY)}`],
    ['arguments that were encoded twice', JSON.stringify(JSON.stringify({ host: 'a', apiKey: KEY }))],
    ['a handler that repeats it', { host: 'echo', apiKey: KEY }],
    ['a handler that returns it', { host: 'refuse', apiKey: KEY }],
  ])('%s: neither the event, nor the log, nor what the model reads repeats it', async (_what, args) => {
    const { call, events, logged } = await desk();
    const { text, kind } = await call('sign_in', args);
    expect(kind).not.toBe('succeeded');
    expect(events).toHaveLength(1);
    expect(textOf(events, logged, text)).not.toContain('k4711');
  });

  test.each<[string, () => string | Record<string, unknown>]>([
    [
      'nested without end',
      () => `{"host":"a","apiKey":${'['.repeat(200_000)}"${KEY.slice(0, 8)}k4711"${']'.repeat(200_000)}}`,
    ],
    [
      'in a circle',
      () => {
        const circle: Record<string, unknown> = { host: 'a' };
        circle['apiKey'] = [circle, 'k4711-in-a-circle'];
        return circle;
      },
    ],
  ])('ARG-17 a secret %s is refused like any other value, and not shown', async (_what, args) => {
    const { call, events } = await desk();
    const { kind, text } = await call('sign_in', args());
    expect(kind).toBe('rejected');
    expect(textOf(events, text)).not.toContain('k4711');
  });

  test('a refused call: the event shows only params that are not secret', async () => {
    const { call, events } = await desk();
    await call('sign_in', { host: 'a', apiKey: 'wrong' });
    await call('sing_in', { host: 'a', apiKey: KEY });
    expect(events.map(({ params }) => params)).toEqual([
      new RejectedToolParams({ host: 'a', apiKey: '[secret]' }),
      new RejectedToolParams({ host: '[secret]', apiKey: '[secret]' }),
    ]);
    for (const { params } of events) expect(params).toBeInstanceOf(RejectedToolParams);
  });

  test('a secret that is too short to be searched for is hidden in its own place', async () => {
    const { call, events } = await desk();
    await call('sign_in', { host: 'sk-', apiKey: 'sk-' });
    expect(events[0]?.params).toEqual({ host: 'sk-', apiKey: '[secret]' });
  });

  test('a refusal of a secret param still says what is expected', async () => {
    const { call } = await desk();
    const { text } = await call('sign_in', { host: 'a', apiKey: 'wrong' });
    expect(text).toContain('apiKey');
    expect(text).toContain('^sk-');
    expect(text).not.toContain('wrong');
  });

  test('a transcript hides it in an address, also where another secret is the name of a field', async () => {
    const { prompt } = await desk();
    const { toolsByName } = await prompt.render();
    const accounts = [{ user: 'ada', password: 'parts' }];
    const call = { id: 'c1', name: 'sign_in', arguments: { host: 'a', apiKey: KEY, accounts } };
    const image = { kind: 'image', mediaType: 'image/png', url: `https://example.org/?key=${KEY}` } as const;
    const answer = {
      role: 'tool',
      toolCallId: 'c1',
      name: 'sign_in',
      content: '',
      failed: false,
      parts: [image],
    } as const;
    const kept = new Redaction().redactTranscript(
      [{ role: 'assistant', content: '', toolCalls: [call] }, answer],
      toolsByName,
    );
    expect(textOf(kept)).not.toContain('k4711');
  });

  test('the transcript holds the call without it, in the form in which it came', async () => {
    const { app, prompt } = await desk();
    const model = new ScriptedModel([
      { toolCalls: [{ id: 'c1', name: 'sign_in', arguments: JSON.stringify({ host: 'a', apiKey: KEY }) }] },
      { text: 'Done.' },
    ]);
    const { transcript } = await app.evaluate(prompt, { adapter: model });
    expect(textOf(transcript)).not.toContain('k4711');
    const calls = transcript.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
    expect(calls[0]?.arguments).toBe('{"host":"a","apiKey":"[secret]"}');
    // The model's own texts are sent back to it unchanged.
    expect(textOf(model.requests[1]?.messages)).toContain('k4711');
  });

  test('a handler’s own log lines and progress are without it', async () => {
    const { app, prompt, logged, section } = await desk();
    const told: unknown[] = [];
    app.eventBus.subscribe(ToolProgressed, (event) => void told.push(event));
    const rendered = await prompt.render();
    await app.invoke(rendered, 'sign_in', { host: 'talkative', apiKey: KEY });
    expect(section.seen[0]?.apiKey).toBe(KEY);
    expect(textOf(logged)).toContain('signing in with [secret]');
    expect(textOf(told)).toContain('trying [secret]');
    expect(textOf(logged, told)).not.toContain('k4711');
  });

  test('a tool without secrets shows its params as they are', async () => {
    const { call, events } = await desk();
    await call('say', { text: KEY });
    expect(events[0]?.params).toEqual({ text: KEY });
  });
});

test('arguments that are refused as too large are hidden as a whole, and not searched for secrets', async () => {
  const { call, events, logged } = await desk();
  const search = jest.spyOn(SecretHider.prototype, 'object');
  const { kind, text } = await call('sign_in', JSON.stringify({ host: 'echo', apiKey: `${KEY} `.repeat(40_000) }));
  expect(kind).toBe('rejected');
  expect(search).not.toHaveBeenCalled();
  search.mockRestore();
  expect(events[0]?.params).toEqual(new RejectedToolParams('[secret]'));
  expect(`${text} ${textOf(events, logged)}`).not.toContain('k4711');
});

describe('EVT-06 the hook `redact`', () => {
  const redact = (text: string): string => text.replace(/sk-\S+/g, '(key)');

  test('events and logs hold the result of `redact`; the handler and the model do not', async () => {
    const { call, events } = await desk(redact);
    const { text } = await call('say', { text: 'sk-1234' });
    expect(text).toBe('you said sk-1234');
    expect(textOf(events)).not.toContain('sk-1234');
    expect(events[0]).toMatchObject({
      params: { text: '(key)' },
      toolMessage: 'you said (key)',
      result: { value: 'you said (key)' },
    });
    expect(events[0]?.result).toBeInstanceOf(ToolResult);
  });

  test('the error of an event keeps its class', async () => {
    const { call, events, logged } = await desk(redact);
    await call('sign_in', { host: 'echo', apiKey: 'sk-1234' });
    expect(events[0]?.error).toBeInstanceOf(Error);
    expect(textOf(events, logged)).not.toContain('sk-1234');
  });

  test('a transcript holds the result of `redact`', async () => {
    const { app, prompt } = await desk(redact);
    const model = new ScriptedModel([
      { toolCalls: [{ id: 'c1', name: 'say', arguments: { text: 'sk-1234' } }] },
      { text: 'It is sk-1234.' },
    ]);
    const { transcript, text } = await app.evaluate(prompt, { adapter: model });
    expect(text).toBe('It is sk-1234.');
    expect(textOf(transcript)).not.toContain('sk-1234');
    expect(transcript.at(-1)).toMatchObject({ content: 'It is (key)' });
  });
});
