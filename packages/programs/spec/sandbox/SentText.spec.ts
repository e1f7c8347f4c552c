import { buffersOf, packText, readText } from '../../src/sandbox/SentText.js';

describe('texts between the threads of a sandbox', () => {
  test.each([
    ['short', 'é"\ud800', false],
    ['long, of ASCII', 'x'.repeat(100_000), true],
    ['long, with other characters', 'é😀\u0100'.repeat(50_000), true],
    ['long, with half a pair', `${'x'.repeat(50_000)}\ud800`, true],
  ])('a text that is %s arrives as it was sent, and a long one without a copy', (_what, text, isBytes) => {
    const sent = packText(text, Buffer.byteLength(text));
    const buffers = buffersOf([sent, undefined]);
    expect(buffers).toHaveLength(isBytes ? 1 : 0);
    expect(readText(structuredClone(sent, { transfer: [...buffers] }))).toBe(text);
    // What was handed over is gone here.
    expect(buffers.every(({ byteLength }) => byteLength === 0)).toBe(true);
  });
});
