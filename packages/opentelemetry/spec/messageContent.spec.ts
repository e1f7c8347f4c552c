import { env } from 'node:process';
import { SpanStatusCode } from '@opentelemetry/api';
import { type ApplicationOptions, defineTool, Param, ToolRefusal } from 'toolwright';
import type { ScriptStep } from 'toolwright/testing';
import { named, tracedDesk, type TracedDesk } from './desk';

const GATE = 'OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT';
const before = env[GATE];
const setGate = (value: string | undefined): void => {
  if (value === undefined) Reflect.deleteProperty(env, GATE);
  else env[GATE] = value;
};
beforeEach(() => {
  setGate(undefined);
});
afterAll(() => {
  setGate(before);
});

class PayParams {
  @Param('Whose account') holder!: string;
  @Param({ description: 'The card', secret: true }) card!: string;
}

const pay = defineTool({
  name: 'pay',
  description: 'Pay.',
  params: PayParams,
  handler: ({ holder, card }: PayParams) => {
    if (holder === 'Nobody') throw new ToolRefusal(`marker-refusal ${card}`);
    return `marker-result ${holder} ${card}`;
  },
});

/** All content in it is marked, or is the card. */
const script: readonly ScriptStep[] = [
  {
    text: 'marker-thought',
    toolCalls: [
      { id: 'c1', name: 'pay', arguments: '{"holder":"marker-holder","card":"k4111-1111"}' },
      { id: 'c2', name: 'pay', arguments: { holder: 'Nobody', card: 'k4111-1111' } },
      { id: 'c3', name: 'marker_tool', arguments: '{"broken' },
      { id: 'c4', name: 'pay', arguments: { holder: 'marker-holder' } },
    ],
  },
  { text: 'marker-answer sk-12345678' },
];
const messages = [{ role: 'user', content: 'marker-question' }] as const;

async function run(captureContent: boolean | undefined, app: Partial<ApplicationOptions> = {}): Promise<TracedDesk> {
  const desk = await tracedDesk([pay], {
    tracing: { captureContent },
    app,
  });
  await desk.app.evaluate(desk.prompt, { adapter: named(script), messages });
  return desk;
}

describe('content', () => {
  test('no span has content unless it is requested: no text, argument, result or reason', async () => {
    const { trace } = await run(undefined);
    expect(trace.spans).toHaveLength(7);
    expect(trace.text()).not.toMatch(/marker|k4111|boom|sk-1234/);
  });

  test.each(['true', 'TRUE', 'SPAN_ONLY', 'span_and_event'])(
    'content is captured where the environment says %s',
    async (value) => {
      setGate(value);
      expect((await run(undefined)).trace.text()).toContain('marker-question');
    },
  );

  test.each(['false', '', 'EVENT_ONLY', 'NO_CONTENT', '1'])('content is not captured by "%s"', async (value) => {
    setGate(value);
    expect((await run(undefined)).trace.text()).not.toContain('marker');
  });

  test('content is not captured where the host says no, whatever the environment says', async () => {
    setGate('true');
    expect((await run(false)).trace.text()).not.toContain('marker');
  });

  test('content is captured in the form of the conventions, without secret params', async () => {
    const { trace } = await run(true);
    const [first, second] = trace.spans.filter(({ name }) => name === 'chat gpt-5-mini');
    const read = (span: typeof first, key: string): unknown => JSON.parse(String(span?.attributes[key])) as unknown;
    expect(read(first, 'gen_ai.system_instructions')).toEqual([
      { type: 'text', content: expect.stringContaining('Be brief.') as string },
    ]);
    expect(read(first, 'gen_ai.input.messages')).toEqual([
      { role: 'user', parts: [{ type: 'text', content: 'marker-question' }] },
    ]);
    expect(read(first, 'gen_ai.tool.definitions')).toEqual([
      {
        type: 'function',
        name: 'pay',
        description: 'Pay.',
        parameters: expect.objectContaining({ type: 'object' }) as object,
      },
    ]);
    const said = {
      role: 'assistant',
      parts: [
        { type: 'text', content: 'marker-thought' },
        { type: 'tool_call', id: 'c1', name: 'pay', arguments: { holder: 'marker-holder', card: '[secret]' } },
        { type: 'tool_call', id: 'c2', name: 'pay', arguments: { holder: 'Nobody', card: '[secret]' } },
        { type: 'tool_call', id: 'c3', name: 'marker_tool', arguments: '[secret]' },
        { type: 'tool_call', id: 'c4', name: 'pay', arguments: { holder: 'marker-holder' } },
      ],
    };
    expect(read(first, 'gen_ai.output.messages')).toEqual([{ ...said, finish_reason: 'tool_call' }]);
    expect(read(second, 'gen_ai.input.messages')).toMatchObject([
      { role: 'user' },
      said,
      {
        role: 'tool',
        parts: [{ type: 'tool_call_response', id: 'c1', response: expect.stringContaining('marker-result') as string }],
      },
      { role: 'tool', parts: [{ id: 'c2', response: 'marker-refusal [secret]' }] },
      { role: 'tool' },
      { role: 'tool' },
    ]);
    expect(trace.text()).not.toContain('k4111');
  });

  test('parts are written as the conventions write them, without their bytes', async () => {
    const desk = await tracedDesk([pay], { tracing: { captureContent: true } });
    const data = Buffer.from('marker-bytes').toString('base64');
    const parts = [
      { kind: 'image', mediaType: 'image/png', data },
      { kind: 'audio', mediaType: 'audio/wav', url: 'https://sounds.example/1' },
      { kind: 'text', text: 'Both.' },
    ] as const;
    const adapter = named([{ text: 'Seen.' }]);
    await desk.app.evaluate(desk.prompt, { adapter, messages: [{ role: 'user', content: 'Look.', parts }] });
    const span = desk.trace.spans.find(({ name }) => name === 'chat gpt-5-mini');
    expect(JSON.parse(String(span?.attributes['gen_ai.input.messages']))).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', content: 'Look.' },
          { type: 'blob', modality: 'image', mime_type: 'image/png', content: '', byte_size: 12 },
          { type: 'uri', modality: 'audio', mime_type: 'audio/wav', uri: 'https://sounds.example/1' },
          { type: 'text', content: 'Both.' },
        ],
      },
    ]);
    expect(desk.trace.text()).not.toContain(data);
  });

  test('the content of a call is its arguments, and what the model reads of it; the reason where it failed', async () => {
    const { trace } = await run(true);
    const told = trace.spans
      .filter(({ name }) => name.startsWith('execute_tool'))
      .map(({ attributes, status }) => [
        attributes['gen_ai.tool.call.arguments'],
        attributes['gen_ai.tool.call.result'],
        status.code,
      ]);
    expect(told).toEqual([
      ['{"holder":"marker-holder","card":"[secret]"}', 'marker-result marker-holder [secret]', SpanStatusCode.UNSET],
      ['{"holder":"Nobody","card":"[secret]"}', 'marker-refusal [secret]', SpanStatusCode.ERROR],
      ['[secret]', expect.stringContaining('marker_tool') as string, SpanStatusCode.ERROR],
      ['{"holder":"marker-holder"}', expect.stringContaining('card') as string, SpanStatusCode.ERROR],
    ]);
  });

  test('content goes through the hook of the host', async () => {
    const redact = (text: string): string => text.replace(/marker-|sk-\w+|Pay\./g, '[taken out]');
    const { trace } = await run(true, { redact });
    const content = trace.spans.flatMap(({ attributes }) =>
      Object.entries(attributes).filter(([key]) =>
        /messages|instructions|definitions|call\.(arguments|result)/.test(key),
      ),
    );
    expect(content.length).toBeGreaterThan(10);
    expect(JSON.stringify(content)).toContain('[taken out]');
    expect(JSON.stringify(content)).not.toMatch(/marker-|sk-1234|Pay\./);
  });
});
