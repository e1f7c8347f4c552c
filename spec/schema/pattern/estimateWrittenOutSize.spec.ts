import { RE2JS } from 're2js';
import { compileLinearPattern } from '../../../src/schema/pattern/compileLinearPattern';
import { translatePattern } from '../../../src/schema/pattern/translatePattern';
import { estimateWrittenOutSize } from '../../../src/schema/pattern/estimateWrittenOutSize';

/** The estimate for a pattern, and the instructions of its program, without the two that every program has. */
function sizesOf(pattern: RegExp): { readonly estimated: number; readonly compiled: number } {
  const translated = translatePattern(pattern);
  if ('has' in translated) throw new TypeError(translated.has);
  return {
    estimated: estimateWrittenOutSize(translated.source),
    compiled: RE2JS.compile(translated.source).programSize() - 2,
  };
}

describe('the estimated size of a pattern', () => {
  test.each([
    /a/,
    /^(?:ab){100}$/,
    /a{0,100}/,
    /a{3}b{2,}c{0,}d{1,4}?/,
    /(?:a{0,30}){0,30}/,
    /(?:(?:a{1,3}){0,4}){0,40}/,
    /(?:[^\]a-z\\]{2}|\d\.){50}/,
    /(?:a|b|[cd]){100}/,
    /(?:abc|d|e|fgh){20}/,
    /(?:\bx|^y){40}/m,
    /(?:\u{1F600}+\p{L}*?){20}/u,
    /(?:a?){200}a{200}/,
  ])('the estimated size of %p is within a fifth of the size of its program', (pattern) => {
    const { estimated, compiled } = sizesOf(pattern);
    expect(estimated).toBeGreaterThanOrEqual(compiled);
    expect(estimated).toBeLessThanOrEqual(compiled * 1.2 + 2);
  });

  test.each([
    ['a long group a thousand times', `(?:${'ab'.repeat(490)}){1000}`, '980,000 parts'],
    ['a hundred optional repetitions', 'a{0,1000}'.repeat(100), '200,000 parts'],
    ['repetitions in repetitions', `${'('.repeat(90)}a${'{1000})'.repeat(90)}`, 'more than 1,000,000 parts'],
    ['a condition at the beginning', '^(?=(?:abc){700})(?=(?:abc){700})a', '4,204 parts'],
    ['alternatives of assertions', `(?:${'\\b|'.repeat(300)}a){100}`, '60,100 parts'],
  ])('the estimated size of a pattern refuses %s before RE2 writes it out', (_what, source, size) => {
    const compile = jest.spyOn(RE2JS, 'compile');
    const read = compileLinearPattern(new RegExp(source, 'u'));
    expect(compile).not.toHaveBeenCalled();
    compile.mockRestore();
    expect(read.has).toBe(`${size} once its repetitions are written out, above 2,000`);
  });

  test('the estimated size of a pattern counts the beginning that alternatives share once for each', () => {
    expect(sizesOf(/(?:ab|ac|de){10}/)).toEqual({ estimated: 80, compiled: 50 });
  });

  test('the estimated size of a pattern leaves what RE2 refuses to RE2', () => {
    expect(compileLinearPattern(/(?:(?:a{1000}){1000}){0}/).has).toContain('repetitions within repetitions');
  });
});
