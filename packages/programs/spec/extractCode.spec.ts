import fc from 'fast-check';
import { extractCode } from '../src/extractCode.js';

const none = { code: null, reason: 'none' };
const unclosed = { code: null, reason: 'unclosed-fence' };
const found = (code: string) => ({ code, reason: null });

describe('extractCode', () => {
  test.each([
    ['no fence', 'const x = 1;', none],
    ['no text', '', none],
    ['a fence without a language', '```\na\n```', found('a')],
    ['the first of two', '```ts\na\n```\nthen\n```ts\nb\n```', found('a')],
    ['a marked block behind a bare one', '```\na\n```\n```js\nb\n```', found('b')],
    ['JSON is no program', '```json\n{}\n```', none],
    ['JSON before the program', '```json\n{}\n```\n```ts\na\n```', found('a')],
    ['a fence within JSON', '```json\n```ts\n```\n', none],
    ['a longer fence around a shorter one', '````ts\na\n```\nb\n````', found('a\n```\nb')],
    ['a longer closing fence', '```ts\na\n`````', found('a')],
    ['tildes are not closed by backquotes', '~~~ts\na\n```\n~~~', found('a\n```')],
    ['attributes', '```ts {1,3} title="x"\na\n```', found('a')],
    ['braces right behind the tag', '```js{1}\na\n```', found('a')],
    ['white space before the tag', '``` JavaScript\na\n```', found('a')],
    ['a tag that only begins like one', '```tsql\na\n```', none],
    ['code within a sentence', 'Say ```x``` or\n```y```', none],
    ['indented in a list', '- do\n\n    ```ts\n    if (a) {\n      b();\n    }\n    ```', found('if (a) {\n  b();\n}')],
    ['less indented inside than the fence', '  ```ts\n a\nb\n  ```', found('a\nb')],
    ['CRLF', '```ts\r\na\r\n\r\nb\r\n```\r\nDone.', found('a\n\nb')],
    ['an empty block', '```ts\n```', found('')],
    ['an empty line', '```ts\n\n```', found('')],
    ['the fence right behind the code', '```ts\na```', found('a')],
    ['the same with line breaks behind it', '```ts\na```\n\n', found('a')],
    ['a longer run right behind the code', '```ts\na````', found('a')],
    ['a shorter run right behind the code', '````ts\na```', unclosed],
    ['a fence behind the code, and words behind that', '```ts\na```\nDone.', unclosed],
    ['cut off', 'Here:\n```ts\nawait get(', unclosed],
    ['cut off behind a whole bare block', '```\na\n```\n```ts\nb', unclosed],
    ['cut off behind a whole block', '```ts\na\n```\n```ts\nb', found('a')],
    ['a fence with words behind it closes nothing', '```ts\na\n``` b\n```', found('a\n``` b')],
  ])('extractCode reads a text with %s', (_, text, expected) => {
    expect(extractCode(text)).toEqual(expected);
  });

  test.each([
    ['marked ones', '```ts\na\n```\n```\nx\n```\n~~~js\nb\n~~~', found('a\nb')],
    ['bare ones where none is marked', '```\na\n```\n```json\n{}\n```\n```\nb\n```', found('a\nb')],
    ['one', '```ts\na\n```', found('a')],
    ['the last one cut off', '```ts\na\n```\n```ts\nb', unclosed],
    ['none', 'a', none],
  ])('extractCode joins all blocks: %s', (_, text, expected) => {
    expect(extractCode(text, { all: true })).toEqual(expected);
  });

  test('extractCode finds what was fenced, whatever it is', () => {
    const line = fc.string({ unit: fc.constantFrom('`', '~', ' ', '\t', 'a', '"', '\\') });
    fc.assert(
      fc.property(
        fc.array(line),
        fc.constantFrom('`', '~'),
        fc.constantFrom('', ' ', '\t', '    '),
        (lines, mark, indent) => {
          const longest = Math.max(
            2,
            ...lines.flatMap((each) => (each.match(/`+|~+/g) ?? []).map(({ length }) => length)),
          );
          const fence = indent + mark.repeat(longest + 1);
          const text = [`${fence}ts`, ...lines.map((each) => indent + each), fence, 'Done.'].join('\n');
          expect(extractCode(text)).toEqual(found(lines.join('\n')));
        },
      ),
    );
  });

  test.each([
    ['fences', '```ts\n'],
    ['backquotes', '`'],
    ['white space', ' \t'],
    ['white space in lines', '      \n'],
    ['tildes and backquotes', '~~~`'],
    ['carriage returns', '\r'],
    ['tags', '``` t'],
  ])('extractCode takes its time in proportion to the length: %s', (_, piece) => {
    const time = (size: number): number => {
      const text = `\`\`\`ts\n${piece.repeat(size / piece.length)}`;
      const start = process.cpuUsage().user;
      for (let round = 0; round < 4; round++) extractCode(text);
      return process.cpuUsage().user - start;
    };
    time(100_000);
    // Eight times the text; a quadratic search would take sixty-four times as long. The least of ten: other threads count too.
    const least = Math.min(...Array.from({ length: 10 }, () => time(1_600_000)));
    expect(least).toBeLessThan(32 * Math.max(time(200_000), 2_000));
  });
});
