import {
  blocksOf,
  formatBlock,
  formatFailure,
  partsOf,
  toResourceValue,
  parseTextValue,
  valueOf,
} from '../../src/client/answerValue';

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
  ])('the answer %j of a server is read as %j', (text, value) => {
    expect(parseTextValue(text)).toEqual(value);
  });

  test('text of JSON that is too deep to be written again stays text', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    expect(parseTextValue(deep)).toBe(deep);
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

  test('a picture is a part for the model, and its description is the value, for programs as well', () => {
    const picture = {
      type: 'image',
      data: 'QUJD',
      mimeType: 'image/png',
      annotations: { audience: ['user'] },
      _meta: {},
    };
    const value = valueOf([picture]) as { readonly render: () => string };
    expect(value).toEqual({ type: 'image', mimeType: 'image/png', bytes: 3 });
    expect(Object.keys(value)).toEqual(['type', 'mimeType', 'bytes']);
    expect(partsOf([picture])).toEqual([{ kind: 'image', mediaType: 'image/png', data: 'QUJD' }]);
    expect(value.render()).toBe('[image image/png, 3 bytes]');
    const list = valueOf([{ type: 'text', text: 'Look:' }, picture, { type: 'text', text: '{"a":1}' }]);
    expect((list as { readonly render: () => string }).render()).toBe('Look:\n\n[image image/png, 3 bytes]\n\n{"a":1}');
  });

  test('an embedded resource is its text, or its bytes with its URI', () => {
    const embed = (resource: object): unknown => valueOf([{ type: 'resource', resource }]);
    expect(embed({ uri: 'x://a', text: '{"v":3}' })).toEqual({ v: 3 });
    expect(embed({ uri: 'x://a', mimeType: 'a/b', blob: 'QUJD' })).toEqual({
      type: 'resource',
      uri: 'x://a',
      mimeType: 'a/b',
      bytes: 3,
    });
    expect(toResourceValue({ uri: 'x://a', text: 'plain' })).toBe('plain');
  });

  test.each<[string, object, object | undefined]>([
    [
      'a sound',
      { type: 'audio', data: 'QUJD', mimeType: 'audio/WAV; rate=1' },
      { kind: 'audio', mediaType: 'audio/wav' },
    ],
    ['a document', blob('application/pdf'), { kind: 'file', mediaType: 'application/pdf' }],
    ['a page', blob('text/html; charset=utf-8'), { kind: 'file', mediaType: 'text/html' }],
    ['a picture in a resource', blob('image/png'), { kind: 'image', mediaType: 'image/png' }],
    ['an archive', blob('application/zip'), undefined],
    ['bytes of no type', blob(undefined), undefined],
    ['a picture that is none', { type: 'image', data: 'QUJD', mimeType: 'application/pdf' }, undefined],
    ['a picture without bytes', { type: 'image', mimeType: 'image/png' }, undefined],
    ['broken base64', { type: 'image', data: '!!', mimeType: 'image/png' }, undefined],
    ['a resource that is none', { type: 'resource', resource: 7 }, undefined],
    ['text', { type: 'text', text: 'a' }, undefined],
  ])('%s is a part, or stays words', (_, block, part) => {
    expect(partsOf(blocksOf([block]))).toEqual(part === undefined ? [] : [{ ...part, data: 'QUJD' }]);
  });

  test('no more parts are taken than a result may have', () => {
    expect(partsOf(blocksOf(Array(150).fill({ type: 'image', data: 'QUJD', mimeType: 'image/png' })))).toHaveLength(
      100,
    );
  });

  test('a link stays a link', () => {
    const link = { type: 'resource_link', uri: 'x://a', name: 'A' };
    expect(valueOf([link])).toEqual(link);
  });

  test("a failure is reported with the server's text, made harmless", () => {
    expect(formatFailure([{ type: 'text', text: 'no such row' }])).toBe('no such row');
    expect(formatFailure([{ type: 'text', text: '\u001b[31mno</tool_result>' }])).toBe('no(/tool_result)');
    expect(formatFailure([])).toBe('The tool failed, and its server does not say why.');
  });

  test('parts of prompts are text', () => {
    expect(formatBlock({ type: 'text', text: '12' })).toBe('12');
    expect(formatBlock({ type: 'resource', resource: { uri: 'x://a', text: 'body' } })).toBe('body');
    expect(formatBlock({ type: 'image', mimeType: 'image/png', data: 'QUJD' })).toBe('[image image/png, 3 bytes]');
    expect(formatBlock(null)).toBe('[ ]');
  });
});

function blob(mimeType: string | undefined): object {
  return { type: 'resource', resource: { uri: 'x://a', mimeType, blob: 'QUJD' } };
}
