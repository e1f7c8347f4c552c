import { deepStrictEqual } from 'node:assert';
import {
  type ContentPart,
  createApplication,
  definePrompt,
  defineTool,
  type Limits,
  type Message,
  Param,
  Section,
  Session,
  Tool,
  ToolResult,
} from 'toolwright';
import { StaticFeedback } from 'toolwright/policies';
import { ReplayModel, ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { silent } from '../support/silent';
import { deskOf } from './desk';

const BYTES = Buffer.from('not really a picture');
const IMAGE = { kind: 'image', mediaType: 'image/png', data: BYTES.toString('base64') } as const;
const LINKED = { kind: 'image', mediaType: 'image/webp', url: 'https://plans.example/7.webp' } as const;
const FILE = { kind: 'file', mediaType: 'application/pdf', name: 'plan.pdf', data: 'QUJD' } as const;

class Drawn {
  constructor(readonly what: string) {}
}

async function desk(
  parts: unknown,
  { limits, redact, success }: { limits?: Limits; redact?: (text: string) => string; success?: boolean } = {},
) {
  @Section({ key: 'plans', title: 'Plans' })
  class Plans {
    @Tool({
      description: 'Show the plan.',
      feedback: [new StaticFeedback('Look twice.', { everyCalls: 1 })],
      resultLimit: 40,
    })
    showPlan(@Param('code', { description: 'The code', secret: true }) code: string): ToolResult {
      return new ToolResult({
        message: `The ${code === '' ? 'no ' : ''}plan.`,
        value: new Drawn('plan'),
        success,
        parts: parts as ContentPart[],
      });
    }
  }
  const Desk = definePrompt({ ns: 'test', key: 'desk', sections: [Plans] });
  const app = await createApplication({ prompts: [Desk], logger: silent, limits, redact });
  const session = new Session();
  const prompt = app.prompt(Desk);
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const call = async () => app.invoke(await prompt.render({ session }), 'show_plan', { code: 'xyzzy' }, { session });
  return { app, prompt, session, events, call };
}

describe('parts of a result', () => {
  test('follow the text to the model, in the message of the call; text and value stay what they are', async () => {
    const { app, prompt, session } = await desk([IMAGE, LINKED, FILE]);
    const adapter = new ScriptedModel([
      { toolCalls: [{ id: 'a', name: 'show_plan', arguments: { code: 'xyzzy' } }] },
      { text: 'Nice.' },
    ]);
    await app.evaluate(prompt, { adapter, session });
    const sent = adapter.requests[1]?.messages.at(-1);
    expect(sent).toEqual({
      role: 'tool',
      toolCallId: 'a',
      name: 'show_plan',
      content: 'The plan.\n\n{"what":"plan"}\n\n[Guidance: Look twice.]',
      parts: [IMAGE, LINKED, FILE],
      failed: false,
    });
    expect(Object.isFrozen((sent as { parts: object }).parts)).toBe(true);
  });

  test('parts of a result are in the outcome of a call; without any, neither outcome nor message has the field', async () => {
    const { call } = await desk([IMAGE]);
    expect(await call()).toMatchObject({ kind: 'succeeded', parts: [IMAGE], result: { parts: [IMAGE] } });
    for (const none of [undefined, []]) {
      const without = await desk(none);
      expect(Object.keys(await without.call())).not.toContain('parts');
    }
  });

  test('parts of a failed result are dropped', async () => {
    const { call } = await desk([IMAGE], { success: false });
    const outcome = await call();
    expect(outcome).toMatchObject({ kind: 'failed', text: expect.stringContaining('The plan.') as string });
    expect('parts' in outcome).toBe(false);
    expect(outcome.result.parts).toBeUndefined();
    expect(ToolResult.error('No.').parts).toBeUndefined();
  });

  test('parts of a result are copied when the result is made: later changes of the handler are not sent', () => {
    const parts: ContentPart[] = [{ ...IMAGE }];
    const result = ToolResult.ok(null, 'Look.', { parts });
    Object.assign(parts[0] as object, { mediaType: 'image/gif' });
    parts.push(LINKED);
    expect(result.parts).toEqual([IMAGE]);
  });

  test('text parts are cut like values, and say nothing of a secret param', async () => {
    const { call } = await desk([
      { kind: 'text', text: 'x'.repeat(99) },
      { kind: 'text', text: 'the code is xyzzy \ud800' },
      { ...FILE, name: 'xyzzy.pdf' },
    ]);
    const outcome = await call();
    const [cut, spoken, named] = outcome.kind === 'succeeded' ? (outcome.parts ?? []) : [];
    expect(cut).toEqual({
      kind: 'text',
      text: expect.stringMatching(/^x{40}\n\n\[Shortened: 99 characters/) as string,
    });
    expect(spoken).toEqual({ kind: 'text', text: 'the code is [secret] \ufffd' });
    expect(named).toEqual({ ...FILE, name: '[secret].pdf' });
  });

  test('parts of a tool without secrets go to the model as they are, also a file without a name', async () => {
    const { mediaType, data } = FILE;
    const parts: readonly ContentPart[] = [{ kind: 'text', text: 'Legend.' }, { kind: 'file', mediaType, data }, FILE];
    const show = defineTool({
      name: 'show',
      description: 'Shows.',
      handler: () => ToolResult.ok(null, 'Look.', { parts }),
    });
    const outcome = await (await deskOf([show])).call('show');
    expect(outcome).toMatchObject({ kind: 'succeeded', text: 'Look.' });
    expect(outcome.kind === 'succeeded' && outcome.parts).toStrictEqual(parts);
  });

  const wrong: readonly (readonly [string, unknown, RegExp])[] = [
    ['no list', 'IMAGE', /parts: expected a list of parts, got the string "IMAGE"/],
    ['one part without a list', IMAGE, /parts: expected a list of parts, got an object/],
    ['null in the list', [null], /parts\[0\]: expected a part such as .*, got null/],
    ['a list in the list', [[IMAGE]], /parts\[0\]: expected a part such as .*, got an array of 1/],
    ['bytes in the list', [IMAGE, BYTES], /parts\[1\]\.kind: expected one of text, image, audio, file, got undefined/],
    ['the kind of another API', [{ ...IMAGE, kind: 'image_url' }], /parts\[0\]\.kind: .* got the string "image_url"/],
    ['a kind of the prototype', [{ ...IMAGE, kind: 'toString' }], /parts\[0\]\.kind/],
    [
      'a name that MCP gives',
      [{ kind: 'image', mimeType: 'image/png', data: 'QUJD' }],
      /parts\[0\]\.mimeType: expected only/,
    ],
    ['no media type', [{ kind: 'image', data: 'QUJD' }], /parts\[0\]\.mediaType: .* e\.g\. image\/png, got undefined/],
    ['an extension', [{ ...IMAGE, mediaType: 'png' }], /parts\[0\]\.mediaType: .* got the string "png"/],
    ['parameters', [{ ...IMAGE, mediaType: 'image/png; q=1' }], /parts\[0\]\.mediaType/],
    ['a line break', [{ ...IMAGE, mediaType: 'image/png\n' }], /parts\[0\]\.mediaType/],
    ['a sound as image', [{ ...IMAGE, mediaType: 'audio/wav' }], /parts\[0\]\.mediaType: expected image\/…/],
    ['both sources', [{ ...IMAGE, url: 'https://x.example' }], /parts\[0\]\.url: expected data or url, got both/],
    ['no source', [{ kind: 'audio', mediaType: 'audio/wav' }], /parts\[0\]\.data: expected data or url, got neither/],
    ['bytes as bytes', [{ ...IMAGE, data: BYTES }], /parts\[0\]\.data: expected bytes as padded base64, got an object/],
    ['no base64', [{ ...IMAGE, data: 'not base64!!' }], /parts\[0\]\.data: .* got the string "not base64!!"/],
    ['base64 of URLs', [{ ...IMAGE, data: '-_-_' }], /parts\[0\]\.data/],
    ['base64 with a line break', [{ ...IMAGE, data: 'QUJD\nQUI' }], /parts\[0\]\.data/],
    ['base64 without its padding', [{ ...IMAGE, data: 'QUI' }], /parts\[0\]\.data/],
    ['no bytes', [{ ...IMAGE, data: '' }], /parts\[0\]\.data/],
    [
      'a data address',
      [{ ...LINKED, url: `data:image/png;base64,${IMAGE.data}` }],
      /parts\[0\]\.url: expected an address/,
    ],
    ['a file of the host', [{ ...LINKED, url: 'file:///etc/passwd' }], /parts\[0\]\.url/],
    ['a relative address', [{ ...LINKED, url: '/7.webp' }], /parts\[0\]\.url/],
    ['an endless address', [{ ...LINKED, url: `https://x.example/${'a'.repeat(9_000)}` }], /at most 8192 characters/],
    ['a name that is none', [{ ...FILE, name: 7 }], /parts\[0\]\.name: expected a text, got the number 7/],
    ['a name for an image', [{ ...IMAGE, name: 'a' }], /parts\[0\]\.name: expected only the fields/],
    ['a text that is none', [{ kind: 'text', text: null }], /parts\[0\]\.text: expected a text, got null/],
    ['more parts than anyone takes', Array(101).fill(LINKED), /parts: expected at most 100 parts, got 101/],
    ['an empty place', Object.assign([], { 1: IMAGE }), /parts\[0\]: expected a part .*, got undefined/],
  ];
  test.each(wrong)('%s: fails the call with code, place and remedy, and undoes it', async (_, parts, problem) => {
    const { call, events } = await desk(parts);
    const outcome = await call();
    expect(outcome).toMatchObject({
      kind: 'failed',
      text: expect.stringMatching(problem) as string,
      error: {
        name: 'ToolwrightError',
        code: 'E608',
        place: 'Plans.showPlan',
        message: expect.stringMatching(problem) as string,
        remedy: expect.stringContaining('url instead of data') as string,
      },
    });
    expect(outcome.text).toMatch(
      /^The tool show_plan gave content that cannot be shown: .*Its changes here were undone/s,
    );
    expect(outcome.text.length).toBeLessThan(600);
    expect('parts' in outcome).toBe(false);
    expect(events[0]?.parts).toBeUndefined();
  });

  test('parts of a result have a limit together, which the application sets', async () => {
    const half = { ...IMAGE, data: Buffer.alloc(600).toString('base64') };
    const fits = await desk([half], { limits: { partBytes: 1_000 } });
    expect((await fits.call()).kind).toBe('succeeded');
    const two = await desk([half, half], { limits: { partBytes: 1_000 } });
    expect((await two.call()).text).toContain('parts[1]: expected at most 1000 bytes in all parts together, got 1200');
    const text = await desk([{ kind: 'text', text: 'é'.repeat(501) }], { limits: { partBytes: 1_000 } });
    expect((await text.call()).kind).toBe('failed');
    const large = await desk([{ ...IMAGE, data: Buffer.alloc(21 * 1_048_576).toString('base64') }]);
    expect((await large.call()).text).toContain('expected at most 20971520 bytes');
  });
});

describe('records of parts', () => {
  test('an event shows kind, media type and size, not the bytes', async () => {
    const { call, events } = await desk([IMAGE, LINKED, FILE, { kind: 'text', text: 'Legend.' }]);
    await call();
    const [event] = events;
    expect(event?.parts).toEqual([
      { kind: 'image', mediaType: 'image/png', bytes: BYTES.length },
      { kind: 'image', mediaType: 'image/webp', url: LINKED.url },
      { kind: 'file', mediaType: 'application/pdf', name: 'plan.pdf', bytes: 3 },
      { kind: 'text', text: 'Legend.' },
    ]);
    expect(event?.result instanceof ToolResult).toBe(true);
    expect(event?.result).toMatchObject({ message: 'The plan.', value: new Drawn('plan'), success: true });
    expect(JSON.stringify(event)).not.toMatch(new RegExp(`${IMAGE.data}|${FILE.data}`));
  });

  test('a transcript has a line in place of the bytes, and replays', async () => {
    const { app, prompt, session } = await desk([IMAGE, LINKED]);
    const script = [{ toolCalls: [{ id: 'a', name: 'show_plan', arguments: { code: 'xyzzy' } }] }, { text: 'Nice.' }];
    const messages: readonly Message[] = [{ role: 'user', content: 'Read this.', parts: [FILE] }];
    const { transcript } = await app.evaluate(prompt, { adapter: new ScriptedModel(script), session, messages });
    expect(transcript.map((message) => 'parts' in message && message.parts)).toEqual([
      false,
      [{ kind: 'text', text: '[file application/pdf "plan.pdf", 3 bytes]' }],
      false,
      [{ kind: 'text', text: '[image image/png, 20 bytes]' }, LINKED],
      false,
    ]);
    const replay = new ReplayModel(transcript);
    const again = await app.evaluate(prompt, { adapter: replay, messages });
    replay.assertEnded();
    deepStrictEqual(again.transcript, transcript);
  });

  test('the hook of the application gets their words, never their bytes', async () => {
    const seen: string[] = [];
    const redact = (text: string): string => {
      seen.push(text);
      return text.replaceAll('plans.example', 'hidden');
    };
    const { app, prompt, session, events } = await desk([IMAGE, LINKED], { redact });
    const script = [{ toolCalls: [{ id: 'a', name: 'show_plan', arguments: { code: 'xyzzy' } }] }, { text: 'Nice.' }];
    const { transcript } = await app.evaluate(prompt, { adapter: new ScriptedModel(script), session });
    expect(events[0]?.parts?.[1]).toMatchObject({ url: 'https://hidden/7.webp' });
    expect(JSON.stringify(transcript)).toContain('https://hidden/7.webp');
    expect(seen.some((text) => text.includes(IMAGE.data))).toBe(false);
  });
});
