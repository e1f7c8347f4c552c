import { extractJson } from '../../../src/schema/repair/extractJson';

const REVIEW = { title: 'Fine', stars: 5 };
const JSON_TEXT = JSON.stringify(REVIEW);
const fence = (inside: string, label = 'json'): string => `\`\`\`${label}\n${inside}\n\`\`\``;

const found: readonly (readonly [what: string, text: string, value: unknown])[] = [
  ['a text that is JSON', JSON_TEXT, REVIEW],
  ['white space around it', ` \r\n${JSON_TEXT}\n\n`, REVIEW],
  ['a byte order mark', `\ufeff${JSON_TEXT}`, REVIEW],
  ['a scalar as the whole text', ' 5 ', 5],
  ['null as the whole text', 'null', null],
  ['a fence', fence(JSON_TEXT), REVIEW],
  ['a fence amid prose', `Here is {"a": 1} of it:\n\n  ${fence(JSON_TEXT)}\nDone.`, REVIEW],
  ['a fence of Windows', `Here:\r\n\`\`\`JSON\r\n${JSON_TEXT}\r\n\`\`\`\r\n`, REVIEW],
  ['the first of several fences', `${fence(JSON_TEXT)}\n${fence('{"title":"Other"}')}`, REVIEW],
  ['the first fence marked json', `${fence('{"a":1}', 'ts')}\n${fence(JSON_TEXT)}`, REVIEW],
  ['a fence that is not closed', `Sure.\n\`\`\`json\n${JSON_TEXT}`, REVIEW],
  ['a fence on one line', `\`\`\`json ${JSON_TEXT} \`\`\``, REVIEW],
  ['prose within the fence', fence(`The answer: ${JSON_TEXT}`), REVIEW],
  ['a fence without a mark', `So: \n${fence(JSON_TEXT, '')}`, REVIEW],
  ['a fence within a string', JSON.stringify({ text: fence('{"a":1}') }), { text: fence('{"a":1}') }],
  ['a fence within a string of a fence', fence(JSON.stringify({ text: fence('1') })), { text: fence('1') }],
  ['prose around it', `Result: ${JSON_TEXT} done.`, REVIEW],
  ['prose with brackets and quotes', `As {a, b} [see "x] or {b} said: ${JSON_TEXT} [sic]`, REVIEW],
  ['the first of several values', `${JSON_TEXT} or {"title":"Other"}`, REVIEW],
  ['an array in prose', 'Take [{"a": "]"}, "\\"["] then.', [{ a: ']' }, '"[']],
  ['what stands after a malformed value', `{"title": Fine} becomes ${JSON_TEXT}`, REVIEW],
  ['half of a surrogate pair', '{"a":"\\ud800"}', { a: '\ufffd' }],
  ['a key that would be a prototype', '{"__proto__":{"a":1}}', JSON.parse('{"__proto__":{"a":1}}')],
];

test.each(found)('extractJson finds the JSON in %s', (_what, text, value) => {
  expect(extractJson(text)).toEqual({ ok: true, value });
});

const none: readonly (readonly [what: string, text: string, message: RegExp])[] = [
  ['no text', '', /^expected JSON, got an empty text$/],
  ['a byte order mark alone', '\ufeff', /^expected JSON, got an empty text$/],
  ['an empty fence', fence(''), /^expected JSON, got an empty text$/],
  ['prose', 'sorry', /^expected JSON; it is malformed: /],
  ['no JSON in the fence, whatever stands around it', `{"a":1}\n${fence('{bad}')}`, /malformed/],
  ['NaN', '{"child":{"title":"Fine"},"stars":NaN}', /malformed/],
  ['a value that was cut off, with a whole one in it', '{"child":{"title":"Fine"}', /malformed/],
  ['a string that was cut off', 'So: {"a":"{}', /malformed/],
  ['a trailing comma, with a whole value in it', '[{"title":"Fine"},]', /malformed/],
];

test.each(none)('extractJson finds no JSON in %s', (_what, text, message) => {
  expect(extractJson(text)).toEqual({
    ok: false,
    issues: [{ kind: 'type', path: '', message: expect.stringMatching(message) as string }],
  });
});

test('a text that is too large is not looked at', () => {
  const issue = { kind: 'constraint', path: '', message: 'expected at most 1048576 bytes of JSON, got more' };
  expect(extractJson(`"${'x'.repeat(1_048_576)}"`)).toEqual({ ok: false, issues: [issue] });
});

test('a long text with escapes is found amid prose', () => {
  const value = { a: '\n"'.repeat(200_000) };
  expect(extractJson(`So: ${JSON.stringify(value)} it is.`)).toEqual({ ok: true, value });
});

test.each(['[', '{"a":', '{"', '[1,', '{}}', '"[', '\\', '{ ', '`', '\n```json', '["\\'])(
  'a mebibyte of %j takes no longer than it has to',
  (unit) => {
    const text = unit.repeat(Math.floor(1_000_000 / unit.length));
    const start = performance.now();
    extractJson(`x${text}`);
    // Quadratic in the length, it would be hours.
    expect(performance.now() - start).toBeLessThan(20_000);
  },
);
