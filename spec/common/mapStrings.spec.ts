import { mapStrings } from '../../src/common/mapStrings';

const hide = (text: string): string => text.replaceAll('secret', '***');

describe('mapStrings', () => {
  test('changes strings however deep, and keeps classes', () => {
    class Note {
      constructor(readonly text: string) {}
    }
    const value = {
      notes: [new Note('a secret'), new Note('plain')],
      by: new Map([['secret key', new Set(['secret'])]]),
    };
    const mapped = mapStrings(value, hide);
    expect(mapped).toEqual({
      notes: [new Note('a ***'), new Note('plain')],
      by: new Map([['*** key', new Set(['***'])]]),
    });
    expect(mapped.notes[0]).toBeInstanceOf(Note);
    expect(mapped.notes[1]).toBe(value.notes[1]);
    expect(value.notes[0]?.text).toBe('a secret');
  });

  test('returns the value itself where nothing changes', () => {
    const value = { at: new Date(0), list: [1, 'plain', null], none: undefined };
    expect(mapStrings(value, hide)).toBe(value);
  });

  test('copies frozen values and errors, with what cannot be enumerated', () => {
    const error = Object.freeze(new TypeError('the secret', { cause: new Error('another secret') }));
    const mapped = mapStrings(error, hide);
    expect(mapped).toBeInstanceOf(TypeError);
    expect(mapped.message).toBe('the ***');
    expect(mapped.stack).not.toContain('secret');
    expect((mapped.cause as Error).message).toBe('another ***');
  });

  test('a circle leads back to the copy, never to the original', () => {
    const node: { text: string; self?: unknown; inner?: unknown } = { text: 'secret' };
    node.self = node;
    node.inner = [{ back: node }];
    const mapped = mapStrings(node, hide);
    expect(mapped.text).toBe('***');
    expect(mapped.self).toBe(mapped);
    expect((mapped.inner as readonly { back: unknown }[])[0]?.back).toBe(mapped);
  });

  test('what no reader could walk either is cut', () => {
    let deep: unknown = 'secret';
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(JSON.stringify(mapStrings(deep, hide))).not.toContain('secret');
  });
});
