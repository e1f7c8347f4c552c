import fc from 'fast-check';
import { readDeclaredPattern } from '../../../src/schema/pattern/readDeclaredPattern';
import { compileLinearPattern } from '../../../src/schema/pattern/compileLinearPattern';
import { isPlain } from '../../../src/schema/pattern/findNestedRepetition';

function reading(pattern: RegExp): { readonly test: (text: string) => boolean; readonly longest: number } {
  const read = readDeclaredPattern(pattern);
  if (read.problem !== undefined) throw new TypeError(read.problem);
  return read;
}

/** The best of several times, in milliseconds. */
function fastest(work: () => unknown): number {
  const times = Array.from({ length: 8 }).map(() => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
}

describe('ARG-23 a declared pattern', () => {
  test.each([
    ...[
      /^(a|a)*$/,
      /^(a|aa)+$/,
      /^(\w+\s?)*$/,
      /^(([a-z])+.)+[A-Z]([a-z])+$/,
      /(a?b?)*c/,
      /(?:a{1,2})+b/,
      /^\d+\d+\d+$/,
    ],
    ...[/(?:b(?:a?)+)*c/, /(?:ab|cd|abcd)*e/, /(?:[^,]*,?)*x/, /^(?:\b[\w-]+\b,?)+$/, /^(?:\d+,?){1,100}$/, /\s+$/],
    ...[
      /^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}))$/,
      /^(a?){30}a{30}$/,
    ],
    ...[/^.*a.*b.*$/, /a*a*a*a*a*b/, /^(?:a|a){20}$/],
    ...[/^(?=(?:a|a)*$)\w/, /^(?!(?:a|aa)*b)a/],
  ])('%p that V8 would try for long answers at once', (pattern) => {
    const { test: matches, longest } = reading(pattern);
    for (const unit of ['a', 'ab', '0', ' ', 'a,', '<a ']) {
      const text = unit.repeat(longest / unit.length - 1) + '!';
      expect(fastest(() => matches(text))).toBeLessThan(50);
    }
  });

  test.each([
    ...[
      /^#W\d{7}$/,
      /^([a-z0-9]+-)*[a-z0-9]+$/,
      /^[^@\s]+@[^@\s]+$/,
      /^\d+(\.\d+)?$/,
      /(?:foo|bar)*/,
      /(?:ab?)*/,
      /(?:a{3})*/,
    ],
    ...[
      /^(?:\d{1,3},)*\d{1,3}$/,
      /^"(?:[^"\\]|\\.)*"$/,
      /^(?=.*[a-z])(?=.*\d).{8,64}$/,
      /^(?!.*--)[a-z-]+$/,
      /(?:)*/,
      /[]*(?:[]+)*/,
    ],
    ...[/^(?:[a-z]+(?:,|$))+$/, /^(?:\b\w+\b\W*)*$/, /(?:^\d+\n?)*/m, /^(?:[0-9a-f]{32})+$/, /^(?:[a-z]{20}|\d{30})*$/],
    /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i,
    /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
    /^https?:\/\/(?:www\.)?[-\w@:%.+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b(?:[-\w()@:%+.~#?&/=]*)$/,
    /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$))+$/,
    /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/,
    ...[
      /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    ],
    ...[
      /^(?:(?:[0-9A-F]{2}:){19}[0-9A-F]{2}\s)*$/,
      /^(?:\w+=[^;]*;)*$/,
      /^\p{Lu}\p{L}*(?:[ '’-]\p{L}+)*$/u,
      /^[^]{1,9999}$/,
    ],
    ...[
      /(?:\p{Script=Greek}|𠀀)*/u,
      /\p{General_Category=Lu}/u,
      /\p{Alphabetic}/u,
      /\u{1f600}/u,
      /(?:a|b)*/dgy,
      /^.{1,2000}$/,
    ],
    /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?(?:\+([\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*))?$/,
  ])('the declared pattern %p is accepted', (pattern) => {
    expect(readDeclaredPattern(pattern)).toMatchObject({ longest: expect.any(Number) as number });
  });

  test.each<[RegExp, string]>([
    [/^(a+)+$/, 'the part (a+)+ of'],
    [/(x+x+)+y/, 'the part (x+x+)+ of'],
    [/^(?:[a-z]*\d+){2,}$/, 'the part (?:[a-z]*\\d+){2,} of'],
    [/<\w+(\s*[^>]*)*>/, 'the part (\\s*[^>]*)* of'],
    [/a(?=b)/, 'the lookahead (?=…)'],
    [/^(?=a)b|c/, 'the lookahead (?=…)'],
    [/^(?=a)*b/, 'the lookahead (?='],
    [/(?:(?!ab)[a-z])*/, 'the lookahead (?!…)'],
    [/(?<=a)b/, 'the lookbehind (?<=…)'],
    [/(?<!a)b/, 'the lookbehind (?<!…)'],
    [/(a)\1/, 'the back reference \\1'],
    [/(?<word>\w)\k<word>/, 'the back reference \\k<word>'],
    [new RegExp('[\\p{L}--[a-z]]', 'v'), 'the flag v'],
    [/\p{Script_Extensions=Greek}/u, 'the property \\p{Script_Extensions=Greek}'],
    [/(?:ab){1001}/, 'the repetition {1001}, above 1,000 times'],
    [/(a{1000}){1000}/, '1,000,000 parts once its repetitions are written out, above 2,000'],
    [new RegExp(`(?:${'a|b'.repeat(400)})`), 'more than 1000 characters'],
    [new RegExp('\\p{L}'.repeat(41), 'u'), '41 classes by property such as \\p{L}, above 40'],
    [new RegExp('^\\01'), 'the octal escape \\01'],
  ])('%p is refused: it has %s', (pattern, has) => {
    expect(readDeclaredPattern(pattern).problem).toContain(has);
  });

  test('ARG-23 a declared pattern says what to write instead', () => {
    expect(readDeclaredPattern(/(?:(?!ab)[a-z])*/).problem).toBe(
      '/(?:(?!ab)[a-z])*/ has the lookahead (?!…), which may take too long to match. ' +
        'Remove it and match the text that it checks, or place it right after a ^ at the beginning.',
    );
  });

  test.each<[RegExp, readonly string[], readonly string[]]>([
    [/^(?=.*\d)(?=.*[a-z])(?!.*x).{3,}$/, ['ab1', '1ba'], ['abc', '123', 'a1', 'a1x']],
    [/^(?!a|b)(?=.c)/, ['cc', 'dc'], ['ac', 'bc', 'cd']],
    [/a|b/y, ['a', 'bx'], ['xa']],
    [/a+x|b/g, ['aax', 'b'], ['c']],
    [/^.$/, ['a', '😀'], ['ab']],
    [/^(?:a|é)$/i, ['A', 'É'], ['b']],
    [/\(x\)|\x41\u0042\cJ/, ['(x)', 'AB\n'], ['x']],
    [/{a}|]/, ['{a}', ']'], ['a']],
    [/[[:alpha:]]/, ['a]', ':]', '[]'], ['b', 'a']],
    [/\Qa\E|\A|\z\C/, ['QaE', 'A', 'zC'], ['a']],
  ])('%p matches as V8 does', (pattern, right, wrong) => {
    const linear = compileLinearPattern(pattern);
    if (linear.has !== undefined) throw new TypeError(linear.has);
    for (const text of right) expect([text, linear.find(text) !== undefined]).toEqual([text, true]);
    for (const text of wrong) expect([text, linear.find(text) !== undefined]).toEqual([text, false]);
  });
});

describe('a plain pattern, which V8 matches', () => {
  const atom = fc.constantFrom('a', '.', '\\w', '[ab]', '[^b]', '\\S', '-', '\\d', '\\.');
  const atoms = (most: number) => fc.array(atom, { maxLength: most }).map((all) => all.join(''));
  const times = fc.constantFrom('*', '+', '?', '{2,}', '{1,1000}', '{0,9999}', '{3}', '');
  const anchored = fc
    .tuple(
      atoms(4),
      fc.constantFrom('', '{30}', '{1000}'),
      atom,
      times,
      atoms(9),
      fc.constantFrom('', '$', 'b$', 'b+$'),
    )
    .map(([first, count, one, many, last, end]) => `^${first}${first === '' ? '' : count}${one}${many}${last}${end}`);
  const anywhere = atoms(12);

  test('a plain pattern answers in linear time', () => {
    const text = 'a'.repeat(1_000_000);
    let plain = 0;
    fc.assert(
      fc.property(fc.oneof(anchored, anywhere), (source) => {
        const pattern = new RegExp(source);
        fc.pre(isPlain(pattern));
        plain++;
        expect(fastest(() => pattern.test(text))).toBeLessThan(50);
      }),
      { numRuns: 300 },
    );
    expect(plain).toBeGreaterThan(200);
  });

  test.each([/^[A-Z]{3}-\d+$/, /^#W\d{7}$/, /^.{1,500}$/, /\S/, /^[\w.-]+\.json$/, /^\d{4}-\d{2}-\d{2}$/, /@/])(
    'the pattern %p is plain',
    (pattern) => {
      expect(isPlain(pattern)).toBe(true);
    },
  );

  test.each([/a+b/, /^a+b+$/, /^(a|b)$/, /^a*aaaaaaaaaaaa$/, /\d{4}/, /^a$/m, /^a$/g, /(a)/, /^a+a{9}$/])(
    'the pattern %p is not plain',
    (pattern) => {
      expect(isPlain(pattern)).toBe(false);
    },
  );
});
