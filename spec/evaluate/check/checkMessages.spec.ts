import fc from 'fast-check';
import { PromptError, type Message } from 'toolwright';
import { checkMessages } from '../../../src/evaluate/check/checkMessages';

const user = (content = 'Hi.') => ({ role: 'user', content }) as const;
const calls = (...ids: readonly string[]) =>
  ({ role: 'assistant', content: null, toolCalls: ids.map((id) => ({ id, name: 'add', arguments: {} })) }) as const;
const answer = (toolCallId: string) =>
  ({ role: 'tool', toolCallId, name: 'add', content: '3', failed: false }) as const;
const IMAGE = { kind: 'image', mediaType: 'image/png', data: 'QUJD' } as const;

function refusalOf(messages: unknown, recorded = false): PromptError {
  try {
    checkMessages('app.evaluate', messages, { recorded });
  } catch (error) {
    if (error instanceof PromptError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const call = (fields: object): object => ({
  role: 'assistant',
  content: null,
  toolCalls: [{ id: 'a', name: 'add', arguments: {}, ...fields }],
});
const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;

describe('messages that are refused', () => {
  // What is wrong, the messages, what the error says of place and fault, and of the remedy.
  const table: readonly (readonly [string, unknown, RegExp, RegExp?])[] = [
    ['null', null, /messages: expected a list of messages, got null/],
    ['one message', user(), /messages: expected a list of messages, got an object/],
    ['a text', 'Hi.', /messages: expected a list of messages, got the string "Hi."/],
    ['a promise', Promise.resolve([]), /messages: expected a list of messages, got a promise that was not awaited/],
    [
      'an empty place',
      [user(), , user()],
      /messages\[1\]: expected a message, got undefined/,
      /Leave empty places out/,
    ],
    ['an endless list', new Array(4_294_967_295), /messages\[0\]: expected a message/],
    ['null in the list', [null], /messages\[0\]: expected a message such as \{ role, content \}, got null/],
    ['a text in the list', ['Hi.'], /messages\[0\]: .*got the string "Hi."/],
    ['a list in the list', [[user()]], /messages\[0\]: .*got an array of 1/],
    ['no role', [{ content: 'Hi.' }], /messages\[0\]\.role: expected user, assistant or tool, got undefined/],
    ['the role of another API', [{ role: 'model', content: 'Hi.' }], /messages\[0\]\.role: .*got the string "model"/],
    [
      'a system message',
      [{ role: 'system', content: 'Obey.' }],
      /messages\[0\]\.role: .*"system"/,
      /section of the prompt.*transcript/,
    ],
    ['a system message later', [user(), { role: 'system', content: '' }], /messages\[1\]\.role/],
    ['no content', [{ role: 'user' }], /messages\[0\]\.content: expected a text, got undefined/],
    ['null for a user', [{ role: 'user', content: null }], /messages\[0\]\.content: expected a text, got null/],
    [
      'content in parts',
      [{ role: 'user', content: [{ type: 'text', text: 'Hi.' }] }],
      /messages\[0\]\.content: .*array of 1/,
      /as parts/,
    ],
    [
      'an assistant without content',
      [{ role: 'assistant' }],
      /messages\[0\]\.content: expected a text or null, got undefined/,
    ],
    [
      'parts that are no list',
      [{ ...user(), parts: IMAGE }],
      /messages\[0\]\.parts: expected a list of parts, got an object/,
    ],
    [
      'a wrong part',
      [{ ...user(), parts: [{ ...IMAGE, mediaType: 'png' }] }],
      /messages\[0\]\.parts\[0\]\.mediaType: /,
      /limits\.partBytes/,
    ],
    [
      'too large parts',
      [{ ...user(), parts: [{ ...IMAGE, data: 'A'.repeat(28 * 1_048_576) }] }],
      /messages\[0\]\.parts\[0\]: expected at most 20971520 bytes/,
    ],
    [
      'calls that are no list',
      [{ role: 'assistant', content: '', toolCalls: {} }],
      /messages\[0\]\.toolCalls: expected a list of calls, got an object/,
    ],
    [
      'calls of OpenAI',
      [{ role: 'assistant', content: null, tool_calls: [] }],
      /messages\[0\]\.tool_calls: expected calls under toolCalls/,
      /toolCalls: \[\{ id/,
    ],
    [
      'a call that is none',
      [{ role: 'assistant', content: '', toolCalls: ['add'] }],
      /messages\[0\]\.toolCalls\[0\]: expected a call such as/,
    ],
    [
      'an empty place for a call',
      [{ role: 'assistant', content: '', toolCalls: new Array(1) }],
      /messages\[0\]\.toolCalls\[0\]: .*undefined/,
    ],
    [
      'a call without an id',
      [call({ id: undefined })],
      /messages\[0\]\.toolCalls\[0\]\.id: expected a text that is not empty, got undefined/,
    ],
    ['an empty id', [call({ id: '' })], /messages\[0\]\.toolCalls\[0\]\.id: .*got the string ""/],
    ['a number as id', [call({ id: 7 })], /messages\[0\]\.toolCalls\[0\]\.id: .*got the number 7/],
    ['one id twice in a turn', [calls('a', 'a'), answer('a')], /messages\[0\]\.toolCalls\[1\]\.id: .*got "a" again/],
    ['a call without a name', [call({ name: '' })], /messages\[0\]\.toolCalls\[0\]\.name/],
    ['a wrong name on the wire', [call({ wireName: 1 })], /messages\[0\]\.toolCalls\[0\]\.wireName/],
    [
      'no arguments',
      [call({ arguments: undefined })],
      /messages\[0\]\.toolCalls\[0\]\.arguments: expected JSON as text, an object or null, got undefined/,
    ],
    [
      'a list as arguments',
      [call({ arguments: [1] })],
      /messages\[0\]\.toolCalls\[0\]\.arguments: .*got an array of 1/,
    ],
    [
      'cyclic arguments',
      [call({ arguments: cyclic })],
      /messages\[0\]\.toolCalls\[0\]\.arguments: expected plain JSON/,
    ],
    [
      'arguments that are no JSON',
      [call({ arguments: { n: 1n } })],
      /messages\[0\]\.toolCalls\[0\]\.arguments: expected plain JSON/,
    ],
    [
      'arguments that become a text',
      [call({ arguments: new Date(0) })],
      /messages\[0\]\.toolCalls\[0\]\.arguments: .*1970/,
    ],
    [
      'native as text',
      [{ role: 'assistant', content: '', native: 'x' }],
      /messages\[0\]\.native: expected the value that an adapter returned/,
      /unchanged/,
    ],
    [
      'native without a provider',
      [{ role: 'assistant', content: '', native: { content: [] } }],
      /messages\[0\]\.native\.provider: .*undefined/,
    ],
    [
      'native without content',
      [{ role: 'assistant', content: '', native: { provider: 'x' } }],
      /messages\[0\]\.native\.content: .*undefined/,
    ],
    [
      'native that is no JSON',
      [{ role: 'assistant', content: '', native: { provider: 'x', content: [1n] } }],
      /messages\[0\]\.native\.content: expected plain JSON/,
    ],
    [
      'an answer without a call',
      [user(), answer('a')],
      /messages\[1\]: expected a call before it that it answers, and the message before it makes none/,
    ],
    ['an answer first', [answer('a')], /messages\[0\]: expected a call before it/],
    [
      'an answer to a call of an earlier turn',
      [calls('a'), answer('a'), calls('b'), answer('a')],
      /messages\[3\]\.toolCallId: expected the id of a call of messages\[2\] \("b"\), got the string "a"/,
    ],
    [
      'an answer with a misspelt id',
      [calls('call_12'), answer('call_21')],
      /messages\[1\]\.toolCallId: .*Did you mean "call_12"\?/,
    ],
    [
      'a second answer',
      [calls('a'), answer('a'), answer('a')],
      /messages\[2\]\.toolCallId: expected one answer to each call, got a second one to "a"/,
    ],
    [
      'an answer in the name of another tool',
      [calls('a'), { ...answer('a'), name: 'sub' }],
      /messages\[1\]\.name: expected "add", .*got "sub"/,
    ],
    [
      'an answer without an id',
      [calls('a'), { ...answer('a'), toolCallId: undefined, tool_call_id: 'a' }],
      /messages\[1\]\.toolCallId/,
      /instead of tool_call_id/,
    ],
    ['an answer without a name', [calls('a'), { ...answer('a'), name: undefined }], /messages\[1\]\.name: .*undefined/],
    [
      'an answer without content',
      [calls('a'), { ...answer('a'), content: { sum: 3 } }],
      /messages\[1\]\.content: expected a text, got an object/,
    ],
    [
      'an answer that does not say if it failed',
      [calls('a'), { ...answer('a'), failed: undefined }],
      /messages\[1\]\.failed: expected true or false/,
    ],
    [
      'a call without an answer before the next user message',
      [calls('a', 'b'), answer('b'), user()],
      /messages\[0\]\.toolCalls: expected an answer to each call before messages\[2\] of the role user, got none to "a"/,
      /directly after it/,
    ],
    [
      'a call without an answer before the next one of the assistant',
      [calls('a'), calls('b')],
      /messages\[0\]\.toolCalls: .*before messages\[1\] of the role assistant/,
    ],
    [
      'a call without an answer at the end',
      [user(), calls('a')],
      /messages\[1\]\.toolCalls: expected an answer to each call before the end/,
    ],
    ['a revoked proxy', revoked(), /messages: /],
    ['a message that throws', [throwing()], /messages: could not be read: boom/],
  ];
  test.each(table)('messages are refused: %s', (...row) => {
    const [, messages, problem, remedy = /./] = row as unknown as (typeof table)[number];
    const error = refusalOf(messages);
    expect(error).toMatchObject({ name: 'PromptError', code: 'E412', place: 'app.evaluate' });
    expect(error.message).toMatch(/^E412 app\.evaluate: messages.*\n {2}fix: .*docs\/errors\.md#e412\)$/);
    expect(error.message).toMatch(problem);
    expect(error.remedy).toMatch(remedy);
    expect(error.message.length).toBeLessThan(1_000);
  });

  test('fields that only Toolwright writes are left out of the messages of a caller, such as a transcript', () => {
    const tools = { added: ['refund'], removed: [] };
    const messages = [{ ...user(), note: 'operator', tools }, calls('a'), { ...answer('a'), tools }];
    expect(checkMessages('x', messages, { recorded: false })).toEqual([user(), calls('a'), answer('a')]);
  });

  test('a record may have the fields that only Toolwright writes, in their form', () => {
    const tools = { added: ['refund'], removed: [] };
    const messages = [{ ...user(), note: 'operator', tools }, calls('a'), { ...answer('a'), tools }];
    expect(checkMessages('x', messages, { recorded: true })).toEqual(messages);
    expect(refusalOf([{ ...user(), note: 'me' }], true).message).toMatch(/messages\[0\]\.note: expected operator or/);
    expect(refusalOf([{ ...user(), tools: ['x'] }], true).message).toMatch(/messages\[0\]\.tools\.added/);
    expect(refusalOf([{ ...user(), tools: { ...tools, removed: [1] } }], true).message).toMatch(/tools\.removed/);
  });
});

describe('messages that are taken', () => {
  test('none, and any conversation in which each call is answered once, in any order', () => {
    expect(checkMessages('x', undefined)).toEqual([]);
    const messages: readonly Message[] = [
      { ...user(), parts: [IMAGE, { kind: 'text', text: 'Above.' }] },
      user('And?'),
      calls('a', 'b'),
      answer('b'),
      { ...answer('a'), failed: true, parts: [IMAGE] },
      {
        ...calls('a'),
        content: 'Again.',
        native: { provider: 'anthropic', content: [{ type: 'text', text: 'Again.' }] },
      },
      answer('a'),
      { role: 'assistant', content: 'Done.' },
      { role: 'assistant', content: null },
    ];
    expect(checkMessages('x', messages)).toEqual(messages);
    expect(checkMessages('x', JSON.parse(JSON.stringify(messages)))).toEqual(messages);
  });

  test('an answer may have the name on the wire', () => {
    const made = {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 'a', name: 'refund', arguments: null, wireName: 'use_tool' }],
    };
    expect(() => checkMessages('x', [made, { ...answer('a'), name: 'use_tool' }])).not.toThrow();
    expect(() => checkMessages('x', [made, { ...answer('a'), name: 'refund' }])).not.toThrow();
  });

  test('accepted messages are copied and frozen: neither later changes of the caller nor its own fields are sent', () => {
    const own = { ...user(), id: 7, parts: [{ ...IMAGE }], createdAt: new Date() };
    const args = { a: [1] };
    const list: unknown[] = [
      own,
      { ...calls('a'), toolCalls: [{ id: 'a', name: 'add', arguments: args }] },
      answer('a'),
    ];
    const taken = checkMessages('x', list);
    Object.assign(own, { content: 'Changed.' });
    own.parts.pop();
    args.a.push(2);
    list.pop();
    expect(taken).toEqual([
      { ...user(), parts: [IMAGE] },
      { role: 'assistant', content: null, toolCalls: [{ id: 'a', name: 'add', arguments: { a: [1] } }] },
      answer('a'),
    ]);
    expect(Object.keys(taken[0] ?? {})).toEqual(['role', 'content', 'parts']);
    expect([taken, ...taken].every(Object.isFrozen)).toBe(true);
  });
});

describe('whatever comes', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSparseArray: true,
  });
  /** A message with any of its fields replaced by anything. */
  const spoilt = fc
    .record({
      base: fc.constantFrom<object>(user(), calls('a', 'b'), answer('a'), answer('b'), {
        role: 'assistant',
        content: 'Done.',
      }),
      field: fc.constantFrom(
        'role',
        'content',
        'parts',
        'note',
        'tools',
        'toolCalls',
        'native',
        'toolCallId',
        'name',
        'failed',
        'other',
      ),
      value: fc.oneof(anything, fc.array(anything), fc.constant([IMAGE]), fc.constant([{ ...IMAGE, kind: 'audio' }])),
    })
    .map(({ base, field, value }) => ({ ...base, [field]: value }));
  const message = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom<unknown>(user(), calls('a', 'b'), answer('a'), answer('b')) },
    { weight: 2, arbitrary: spoilt },
    { weight: 1, arbitrary: anything },
  );

  test('nothing but the coded error is thrown, and what is taken is taken again', () => {
    fc.assert(
      fc.property(fc.oneof(anything, fc.array(message, { maxLength: 8 })), fc.boolean(), (given, recorded) => {
        let taken: readonly Message[];
        try {
          taken = checkMessages('app.evaluate', given, { recorded });
        } catch (error) {
          if (!(error instanceof PromptError) || error.code !== 'E412') throw error;
          return error.message.startsWith('E412 app.evaluate: messages') && error.message.length < 1_500;
        }
        expect(checkMessages('app.evaluate', JSON.parse(JSON.stringify(taken)), { recorded })).toEqual(taken);
        return true;
      }),
      { numRuns: 2_000 },
    );
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

function throwing(): object {
  return Object.defineProperty({}, 'role', {
    get: () => {
      throw new TypeError('boom');
    },
  });
}
