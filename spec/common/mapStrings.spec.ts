import { inspect } from 'node:util';
import { mapStrings } from '../../src/common/mapStrings';

const hide = (text: string): string => text.replaceAll('secret', '***');

describe('mapStrings', () => {
  test('mapStrings changes strings however deep, and keeps classes', () => {
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

  test('mapStrings returns the value itself where nothing changes', () => {
    const value = { at: new Date(0), list: [1, 'plain', null], none: undefined };
    expect(mapStrings(value, hide)).toBe(value);
  });

  test('mapStrings copies frozen values and errors, with what cannot be enumerated', () => {
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

  test('a value that is nested too deeply for any reader is cut', () => {
    let deep: unknown = 'secret';
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(JSON.stringify(mapStrings(deep, hide))).not.toContain('secret');
  });

  test('the items of a list keep their positions, whatever the secret is', () => {
    const list = ['a', '1', 'b'];
    const change = (text: string): string => (text === '1' || text === '3' ? '***' : text);
    const number = (value: number | bigint): number | bigint | string => (value === 3 ? '***' : value);
    expect(mapStrings({ list }, change, { number })).toEqual({ list: ['a', '***', 'b'] });
    const sparse = Object.assign(Array<unknown>(5), { 1: 'secret' });
    expect(mapStrings(sparse, hide)).toHaveLength(5);
  });

  test('the last of several keys that become the same one stays, also in a frozen value', () => {
    const value = Object.freeze({ 'a secret': 1, 'b secret': 2, 'c secret': 3 });
    expect(mapStrings(value, () => '***')).toEqual({ '***': 3 });
  });

  test.each([
    ['as it is', (): unknown[] => Array(5_000).fill('plain')],
    ['with a property', (): unknown[] => Object.assign(Array(5_000).fill('plain'), { input: 'secret' })],
    [
      'with a property and a hole',
      (): unknown[] => withHole(Object.assign(Array(5_000).fill('plain'), { input: 'secret' })),
    ],
    ['with a symbol', (): unknown[] => Object.assign(Array(5_000).fill('plain'), { [Symbol.for('spec')]: 'secret' })],
    [
      'with an accessor',
      (): unknown[] => Object.defineProperty(Array(5_000).fill('plain'), 7, { get: () => 'secret' }),
    ],
    ['with a secret', (): unknown[] => [...Array<string>(4_999).fill('plain'), 'secret']],
  ])('mapStrings maps a long list %s', (what, make) => {
    const list = make();
    const mapped = mapStrings(list, hide);
    if (what === 'as it is') expect(mapped).toBe(list);
    else {
      expect(mapped).toHaveLength(5_000);
      expect(inspect(mapped, { maxArrayLength: null, getters: true })).not.toContain('secret');
      expect(inspect(mapped, { maxArrayLength: null, getters: true })).toContain('***');
    }
  });

  test('a long list that holds itself leads back to the copy', () => {
    const list: unknown[] = Array(5_000).fill('secret');
    list[0] = list;
    const mapped = mapStrings(list, hide);
    expect(mapped[0]).toBe(mapped);
    expect(mapped).toHaveLength(5_000);
  });
});

function withHole(list: unknown[]): unknown[] {
  Reflect.deleteProperty(list, 3);
  return list;
}
