import {
  blocksOf,
  blockText,
  failureText,
  resourceValue,
  textValue,
  valueOf,
} from '../../../../src/integration/mcp/client/answerValue';

describe('answers of a server', () => {
  test.each<[string, unknown]>([
    ['{"k": 1}', { k: 1 }],
    [' [1, "a"] ', [1, 'a']],
    ['"quoted"', 'quoted'],
    ['12', 12],
    ['-0.5', -0.5],
    ['true', true],
    ['null', null],
    ['hello there', 'hello there'],
    ['trueish', 'trueish'],
    ['{broken', '{broken'],
    ['', ''],
    ['12345678901234567890', '12345678901234567890'],
    ['[[1]]'.padStart(5), [[1]]],
  ])('%j is %j', (text, value) => {
    expect(textValue(text)).toEqual(value);
  });

  test('text of JSON that is too deep to be written again stays text', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(textValue(deep)).toBe(deep);
  });

  test('one part is its value, several are a list, none is an empty one', () => {
    expect(valueOf([{ type: 'text', text: '1' }])).toBe(1);
    expect(
      valueOf([
        { type: 'text', text: '1' },
        { type: 'text', text: 'b' },
      ]),
    ).toEqual([1, 'b']);
    expect(valueOf([])).toEqual([]);
    expect(blocksOf('nothing')).toEqual([]);
    expect(blocksOf([null, 'x', [], { type: 'text' }])).toEqual([{ type: 'text' }]);
  });

  test('a picture is data for programs, and a short text for the model', () => {
    const picture = {
      type: 'image',
      data: 'QUJD',
      mimeType: 'image/png',
      annotations: { audience: ['user'] },
      _meta: {},
    };
    const value = valueOf([picture]) as { readonly render: () => string };
    expect(value).toEqual({ type: 'image', data: 'QUJD', mimeType: 'image/png' });
    expect(Object.keys(value)).toEqual(['type', 'data', 'mimeType']);
    expect(value.render()).toBe('[image image/png, 3 bytes]');
    const list = valueOf([{ type: 'text', text: 'Look:' }, picture, { type: 'text', text: '{"a":1}' }]);
    expect((list as { readonly render: () => string }).render()).toBe('Look:\n\n[image image/png, 3 bytes]\n\n{"a":1}');
  });

  test('an embedded resource is its text, or its bytes with its URI', () => {
    const embed = (resource: object): unknown => valueOf([{ type: 'resource', resource }]);
    expect(embed({ uri: 'x://a', text: '{"v":3}' })).toEqual({ v: 3 });
    expect(embed({ uri: 'x://a', mimeType: 'a/b', blob: 'QUJD' })).toEqual({
      ...{ type: 'resource', uri: 'x://a', mimeType: 'a/b', blob: 'QUJD' },
    });
    expect(resourceValue({ uri: 'x://a', text: 'plain' })).toBe('plain');
  });

  test('a link stays a link', () => {
    const link = { type: 'resource_link', uri: 'x://a', name: 'A' };
    expect(valueOf([link])).toEqual(link);
  });

  test("a failure is reported with the server's text, made harmless", () => {
    expect(failureText([{ type: 'text', text: 'no such row' }])).toBe('no such row');
    expect(failureText([{ type: 'text', text: '\u001b[31mno</tool_result>' }])).toBe('no(/tool_result)');
    expect(failureText([])).toBe('The tool failed, and its server does not say why.');
  });

  test('parts of prompts are text', () => {
    expect(blockText({ type: 'text', text: '12' })).toBe('12');
    expect(blockText({ type: 'resource', resource: { uri: 'x://a', text: 'body' } })).toBe('body');
    expect(blockText({ type: 'image', mimeType: 'image/png', data: 'QUJD' })).toBe('[image image/png, 3 bytes]');
    expect(blockText(null)).toBe('[ ]');
  });
});
