import fc from 'fast-check';
import { expectEqual } from '../../support/expectEqual';
import { compileLinearPattern, type Span } from '../../../src/schema/pattern/compileLinearPattern';

/** The first match of V8, as the linear engine reports it. */
function byV8(pattern: RegExp, text: string): Span | undefined {
  const found = pattern.exec(text);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}

function found(pattern: RegExp, text: string): Span | undefined {
  const linear = compileLinearPattern(pattern);
  if (linear.has !== undefined) throw new TypeError(`${String(pattern)} has ${linear.has}`);
  return linear.find(text);
}

describe('a linear pattern finds what V8 finds', () => {
  const characters = [...Array.from('aAbBzZ019_- \t\n\u00a0\u0085\ufeff.é€ßσς\u0130'), '\u0000', '/', ']', '^'];
  const textOf = (more: readonly string[]): fc.Arbitrary<string> =>
    fc.array(fc.constantFrom(...characters, ...more), { maxLength: 12 }).map((all) => all.join(''));
  const atom = fc.constantFrom(
    ...['a', 'b', 'Z', '0', '-', ' ', '.', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\b', '^', '$', 'é', '😀'],
    ...[
      '[ab]',
      '[^ab]',
      '[a-z0-9]',
      '[^\\s]',
      '[\\w-]',
      '[\\S]',
      '[^]',
      '[]',
      '[\\]^]',
      '[-a]',
      '[\\b]',
      '[\\d-z]',
      '[^\\n]',
    ],
    ...[
      '\\.',
      '\\/',
      '\\t',
      '\\n',
      '\\x61',
      '\\u0061',
      '\\cJ',
      '(?:\\0)',
      '\\v',
      '\\-',
      '(?:)',
      '\\f',
      '\\u20ac',
      '[\\u0000-\\u00ff]',
    ],
  );
  const repeated = fc.constantFrom('*', '+', '?', '*?', '+?', '??', '{2}', '{1,3}', '{0,2}?', '{2,}');
  /** Patterns in which only single characters are repeated. */
  const flat: fc.Arbitrary<string> = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { weight: 3, arbitrary: atom },
      { weight: 2, arbitrary: fc.tuple(atom, repeated).map(([one, times]) => one + times) },
      { weight: 3, arbitrary: fc.tuple(tie('tree'), tie('tree')).map(([one, two]) => one + two) },
      { weight: 1, arbitrary: fc.tuple(tie('tree'), tie('tree')).map(([one, two]) => `(?:${one}|${two})`) },
    ),
  })).tree;
  const nested: fc.Arbitrary<string> = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { weight: 4, arbitrary: atom },
      { weight: 3, arbitrary: fc.tuple(tie('tree'), tie('tree')).map(([one, two]) => one + two) },
      { weight: 1, arbitrary: fc.tuple(tie('tree'), tie('tree')).map(([one, two]) => `(?:${one}|${two})`) },
      { weight: 2, arbitrary: fc.tuple(tie('tree'), repeated).map(([one, times]) => `(${one})${times}`) },
      { weight: 1, arbitrary: tie('tree').map((one) => `(?<n>${one})`) },
    ),
  })).tree;

  function readable(source: string, flags: string): RegExp | undefined {
    try {
      return new RegExp(source, flags);
    } catch {
      return undefined;
    }
  }

  interface Comparison {
    readonly patterns: fc.Arbitrary<string>;
    readonly flags: readonly string[];
    readonly texts: fc.Arbitrary<string>;
    readonly part?: (span: Span | undefined) => unknown;
  }

  function compare({ patterns, flags, texts, part = (span) => span }: Comparison): void {
    fc.assert(
      fc.property(patterns, fc.constantFrom(...flags), texts, (written, flag, read) => {
        const pattern = readable(written, flag);
        fc.pre(pattern !== undefined && (flag.includes('u') || !/\p{Surrogate}|😀/u.test(written)));
        const [ours, theirs] = [found(pattern, read), byV8(pattern, read)];
        expectEqual({ pattern, read, found: part(ours) }, { pattern, read, found: part(theirs) });
      }),
      { numRuns: 3_000 },
    );
  }

  test('a linear pattern finds whether and where a match begins as V8 does, for any pattern', () => {
    const texts = textOf(['\r', '\u2028', '\ud83d\ude00']);
    compare({ patterns: nested, flags: ['u', 'su'], texts, part: (span) => span?.start });
  });

  test('a linear pattern finds what V8 finds where it ends, unless what is repeated may be empty', () => {
    compare({ patterns: flat, flags: ['u', 'su'], texts: textOf(['\r', '\u2028', '\ud83d\ude00']) });
  });

  test('a linear pattern finds what V8 finds at the ends of words and between them', () => {
    compare({ patterns: flat.map((one) => `\\B${one}\\B`), flags: ['u', ''], texts: textOf([]) });
  });

  test('a linear pattern finds what V8 finds in upper and lower case with i', () => {
    compare({ patterns: flat, flags: ['iu'], texts: textOf(['\r', '\u2028', '\ud83d\ude00']) });
  });

  test('a linear pattern finds what V8 finds without the flag u, in texts without surrogate pairs', () => {
    compare({ patterns: flat, flags: ['', 's'], texts: textOf(['\r', '\u2028']) });
  });

  test('a linear pattern finds what V8 finds with the flag m, where only \\n ends a line', () => {
    compare({ patterns: flat, flags: ['m', 'mu'], texts: textOf([]) });
  });
});

describe('characters by their numbers', () => {
  test.each([
    [/^[\ud83d\ude00-\ud83d\ude05]$/u, '😃', '😆'],
    [/^[\u{1F600}-\u{1F605}]$/u, '😃', '😆'],
    [/^\ud83d\ude00$/u, '😀', '😁'],
    [/^\u{1F600}$/u, '😀', '😁'],
  ])('%p finds as V8 does', (pattern, inside, outside) => {
    for (const text of [inside, outside]) expect(found(pattern, text)).toEqual(byV8(pattern, text));
    expect(found(pattern, inside)).toBeDefined();
  });

  test('\\k is a letter in an old pattern without names', () => {
    expect(found(/^\k[\k]$/, 'kk')).toEqual(byV8(/^\k[\k]$/, 'kk'));
    // As text: the compiler takes it for a mistake.
    expect(found(new RegExp('^\\k<a>$'), 'k<a>')).toEqual({ start: 0, end: 4 });
  });
});
