import { escapeBlock, escapeJson, escapeLine } from '../../src/common/escapeControls';

const everywhere = [escapeLine, escapeBlock, escapeJson];

test('characters that show nothing are written as JSON escapes', () => {
  const invisible: string[] = [];
  for (let code = 0x80; code < 0x110000; code++) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    if (code === 0x2800 || /\p{Default_Ignorable_Code_Point}/u.test(character)) invisible.push(character);
  }
  for (const code of [
    0x34f, 0x115f, 0x17b4, 0x180f, 0x200c, 0x200d, 0x2065, 0x2800, 0x3164, 0xfe0f, 0xffa0, 0xfff0, 0xe0fff,
  ])
    expect(invisible).toContain(String.fromCodePoint(code));
  const text = `a${invisible.join('b')}c`;
  for (const escape of everywhere) {
    expect(escape(text)).toMatch(/^[ -~]+$/);
    expect(JSON.parse(`"${escape(text)}"`)).toBe(text);
  }
});

test.each(['👩‍👩‍👧', '❤️', '🏳️‍🌈', '👩🏽‍🔧', '1️⃣', '👁️‍🗨️', '🇩🇪', 'ä 你好 ©'])('emoji and letters stay as they are: %s', (text) => {
  for (const escape of everywhere) expect(escape(`<${text}>`)).toBe(`<${text}>`);
});

test.each([
  ['a\u200db', 'a\\u200db'],
  ['👩\u200d', '👩\\u200d'],
  ['👩\u200d\u200d👩', '👩\\u200d\\u200d👩'],
  ['❤\ufe0f\ufe0f', '❤\ufe0f\\ufe0f'],
  ['1\ufe0f', '1\\ufe0f'],
  ['p\ufe0fay', 'p\\ufe0fay'],
])('a joiner or a selector elsewhere is escaped: %j', (text, shown) => {
  for (const escape of everywhere) expect(escape(text)).toBe(shown);
});
