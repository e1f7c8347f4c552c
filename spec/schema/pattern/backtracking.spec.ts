import { exponentialPart, MOST_NESTING } from '../../../src/schema/pattern/backtracking';
import { MOST_STATES } from '../../../src/schema/pattern/StepBudget';

/** For syntax that the engine may not have yet. */
function patternOf(source: string, flags = ''): RegExp {
  return { source, flags } as RegExp;
}

describe('ARG-23 exponential backtracking', () => {
  test.each<[RegExp, string]>([
    [/^(a+)+$/, '(a+)+'],
    [/^(a|a)*$/, '(a|a)*'],
    [/^(a|aa)+$/, '(a|aa)+'],
    [/(x+x+)+y/, '(x+x+)+'],
    [/^(.*)*$/, '(.*)*'],
    [/^(\w+\s?)*$/, '(\\w+\\s?)*'],
    [/^([a-zA-Z]+)*$/, '([a-zA-Z]+)*'],
    [/^(([a-z])+.)+[A-Z]([a-z])+$/, '(([a-z])+.)+'],
    [/(a*)*/, '(a*)*'],
    [/(?:a*?)*?b/, '(?:a*?)*?'],
    [/(a?b?)*/, '(a?b?)*'],
    [/(?:a{1,2})+/, '(?:a{1,2})+'],
    [/(?:a{2,3})*/, '(?:a{2,3})*'],
    [/(?:a{2,}){2,}/, '(?:a{2,}){2,}'],
    // Two ways to match nothing, between two characters.
    [/(?:a(?:|))*/, '(?:a(?:|))*'],
    // The first time may be empty, the second is not.
    [/(?:b(?:a?)+)*/, '(?:b(?:a?)+)*'],
    [/(?:ab|cd|abcd)*/, '(?:ab|cd|abcd)*'],
    [/(?:[^,]*,?)*x/, '(?:[^,]*,?)*'],
    [/^(?:\b[\w-]+\b,?)+$/, '(?:\\b[\\w-]+\\b,?)+'],
    [/a|b(?:c(?:d+)*)?/, '(?:d+)*'],
    // Only after one of the two characters.
    [/(?:(?:-|a)(?:|\B)b)*/, '(?:(?:-|a)(?:|\\B)b)*'],
    [/(?:a-(?:\b|\b))*/, '(?:a-(?:\\b|\\b))*'],
    [/(?:(?:a|b(?:|))c)*/, '(?:(?:a|b(?:|))c)*'],
    // The inner one suffices.
    [/^(?:x(?:y(?:a+)+)*)*$/, '(?:a+)+'],
  ])('%s: %s', (pattern, part) => {
    expect(exponentialPart(pattern)).toBe(part);
  });

  test.each([
    ['e-mail, OWASP', /^([a-zA-Z0-9])(([-.]|[_]+)?([a-zA-Z0-9]+))*(@){1}[a-z0-9]+[.]{1}(([a-z]{2,3})|([a-z]{2,3}))$/],
    ['e-mail, RegExLib', /^([0-9a-zA-Z]([-.\w]*[0-9a-zA-Z])*@(([0-9a-zA-Z])+([-\w]*[0-9a-zA-Z])*\.)+[a-zA-Z]{2,9})$/],
    ['URL, tutorials', /^(https?:\/\/)?([\da-z.-]+)\.([a-z.]{2,6})([/\w .-]*)*\/?$/],
    ['class name, OWASP', /^(([a-z])+.)+[A-Z]([a-z])+$/],
    ['number with blanks', /^(\d+\s*)+$/],
    ['HTML attributes', /<\w+(\s*[^>]*)*>/],
    ['quoted text', /"(?:[^"\\]|\\.|\\)*x(?:\s|\s+)*"/],
  ])('a well-known bad one: %s', (_what, pattern) => {
    expect(exponentialPart(pattern)).toBeDefined();
  });

  test.each([
    /^#W\d{7}$/,
    /^([a-z0-9]+-)*[a-z0-9]+$/,
    /^[^@\s]+@[^@\s]+$/,
    /^\d+(\.\d+)?$/,
    /^[a-z]+(?:_[a-z]+)*$/,
    /^(?:[a-z0-9]+\.)*[a-z]{2,}$/,
    /(?:foo|bar)*/,
    /(?:a?)*/,
    /(?:ab?)*/,
    /(?:a|b)*/,
    /(?:a{3})*/,
    /(?:(?:ab*)*c)*/,
    /(?:a{2,}b|ab)*/,
    /(?:a+a+b[])*/,
    /^(?:\d{1,3},)*\d{1,3}$/,
    /^"(?:[^"\\]|\\.)*"$/,
    /\/\*(?:[^*]|\*(?!\/))*\*\//,
    /^(?=.*[a-z])(?=.*\d).{8,64}$/,
    /^(?!.*--)[a-z-]+$/,
    // No assertion that holds lets the loop begin again where its end did not.
    /^(?:[a-z]+(?:,|$))+$/,
    /^(?:(?:^|,)\d+)+$/,
    /^(?:\b\w+\b\W*)*$/,
    /^(?:\w+$\n?)*$/m,
    /(?:^\d+\n?)*/m,
    /(?:\W\B)*/,
    /^(?:[a-z]+(?:\B$|,))+$/,
    /(?:^a+a+b)*/,
    /(?:)*/,
    /[]*(?:[]+)*/,
  ])('%s is taken', (pattern) => {
    expect(exponentialPart(pattern)).toBeUndefined();
  });

  test.each([
    [
      'e-mail, HTML',
      /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i,
    ],
    ['host name', /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/],
    ['URL', /^https?:\/\/(?:www\.)?[-\w@:%.+~#=]{1,256}\.[a-zA-Z0-9()]{1,6}\b(?:[-\w()@:%+.~#?&/=]*)$/],
    ['IPv4', /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/],
    ['IPv4, any number', /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$))+$/],
    [
      'ISO date',
      /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/,
    ],
    ['UUID', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
    ['list of UUIDs', /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12},?)+$/i],
    ['base64', /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/],
    ['fingerprints', /^(?:(?:[0-9A-F]{2}:){19}[0-9A-F]{2}\s)*$/],
    ['number with commas', /^-?\d{1,3}(?:,\d{3})*(?:\.\d+)?$/],
    ['key=value', /^(?:\w+=[^;]*;)*$/],
    ['names', /^\p{Lu}\p{L}*(?:[ '’-]\p{L}+)*$/u],
    [
      'semantic version',
      /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][\da-zA-Z-]*))*))?(?:\+([\da-zA-Z-]+(?:\.[\da-zA-Z-]+)*))?$/,
    ],
  ])('a usual one is taken: %s', (_what, pattern) => {
    expect(exponentialPart(pattern)).toBeUndefined();
  });

  test.each([/^\d+\d+\d+$/, /^.*a.*b.*$/, /\s+$/, /^(?:a*b*)c$/, /^(?:a+){16}$/, /^(?:a{1,16}){1,16}$/])(
    '%s takes a power of the length only, and is taken',
    (pattern) => {
      expect(exponentialPart(pattern)).toBeUndefined();
    },
  );

  test.each([/^(?:a+){17}$/, /^(?:a|aa){0,17}$/, /^(?:a|a){20}$/, /^(a?){30}a{30}$/, /^(?:\d+,?){1,100}$/])(
    '%s: a bound above 16 is no bound',
    (pattern) => {
      expect(exponentialPart(pattern)).toBeDefined();
    },
  );

  test.each([/^(?:[0-9a-f]{32})+$/, /^(?:(?:[0-9a-f]{2}){20},?)+$/, /^(?:[a-z]{20}|\d{30})*$/, /^(?:[a-z]{0,40}\d)*$/])(
    '%s: a long part that can be read in one way only is taken',
    (pattern) => {
      expect(exponentialPart(pattern)).toBeUndefined();
    },
  );
});

describe('flags', () => {
  test.each<[refused: RegExp, accepted: RegExp]>([
    [/(?:a|A)*/i, /(?:a|A)*/],
    [/(?:[a-f]|F)*/i, /(?:[a-f]|F)*/],
    [/(?:é|É)*/i, /(?:é|É)*/],
    [/(?:[à-ÿ]|Ä)*/iu, /(?:[à-ÿ]|Ä)*/u],
    [/(?:.|\n)*x/s, /(?:.|\n)*x/],
    [/(?:\n^|\n)*/m, /(?:\n^|\n)*/],
    [/(?:\n$|\n)*/m, /(?:\n$|\n)*/],
    [/(?:\u{1f600}|[😀-😂])*/u, /(?:\u{1f600}|[😁-😂])*/u],
    [/(?:\p{L}|\p{Lu})*/u, /(?:\p{Ll}|\p{Lu})*/u],
    [/(?:\p{Ll}|\p{Lu})*/iu, /(?:\p{L}|\p{N})*/iu],
    [/(?:\P{L}|\p{N})*/u, /(?:\P{L}|\p{L})*/u],
    [/(?:[^\p{L}]|\d)*/u, /(?:[^\p{L}\d]|\d)*/u],
    [/(?:\p{Script=Han}|𠀀)*/u, /(?:\p{Script=Greek}|𠀀)*/u],
    [/(?:\w|é)*\W(?:é|\W)*/u, /(?:\w|é)*\W(?:\s|\S)*/u],
    [/(?:\D|\d|\S)*/, /(?:\D|\d)*/],
    [/(?:a|a)*/dgy, /(?:a|b)*/dgy],
  ])('%s is refused, %s taken', (refused, accepted) => {
    expect(exponentialPart(refused)).toBeDefined();
    expect(exponentialPart(accepted)).toBeUndefined();
  });

  test.each([
    [String.raw`(?:[\p{L}&&\p{ASCII}]|[a-z])*`, 'v', String.raw`(?:[\p{L}&&\p{ASCII}]|é)*`],
    [String.raw`(?:[\p{L}--[a-y]]|[a-z])*`, 'v', String.raw`(?:[\p{L}--[a-z]]|[a-z])*`],
    [String.raw`(?:[^[a-c]--b]|b)*`, 'v', String.raw`(?:[^[a-c]--b]|a)*`],
    [String.raw`(?:[\q{ab}ab])*`, 'v', String.raw`(?:[\q{ab}ac])*`],
    [String.raw`(?:[\q{ab|c}]|C)*`, 'iv', String.raw`(?:[\q{ab|c|ab}]|C)*`],
    [String.raw`(?:[[\q{ab}]--c]|ab)*`, 'v', String.raw`(?:[\q{ab}&&[ab]]|ab)*`],
    [String.raw`(?:[\q{ab}&&\q{ab|cd}]|ab)*`, 'v', String.raw`(?:[\q{ab}&&\q{ab|cd}]|cd)*`],
    [String.raw`^\p{RGI_Emoji}+$`, 'v', String.raw`^\p{RGI_Emoji}$`],
  ])('%s with flags %s is refused, %s with flag v taken', (refused, flags, accepted) => {
    expect(exponentialPart(new RegExp(refused, flags))).toBeDefined();
    expect(exponentialPart(new RegExp(accepted, 'v'))).toBeUndefined();
  });

  test.each([
    ['(?:(?i:a)|A)*', '', true],
    ['(?:(?i:(?-i:a))|A)*', '', false],
    ['(?:(?-i:a)|(?-i:A))*', 'i', false],
    ['(?:(?s:.)|\\n)*', '', true],
    ['(?:(?-s:.)|\\n)*', 's', false],
    ['(?:(?m:\\n^)|\\n)*', '', true],
  ])('%s with flags %j: %p', (source, flags, isRefused) => {
    expect(exponentialPart(patternOf(source, flags)) !== undefined).toBe(isRefused);
  });
});

describe('lookarounds', () => {
  test.each<[RegExp, string]>([
    [/^(?=(a+)+$)\w/, '(a+)+'],
    [/x(?!(?:a|a)*b)/, '(?:a|a)*'],
    [/(?<=^(?:a|aa)*)b/, '(?:a|aa)*'],
    [/(?:b(?<!(?:a*)*))*/, '(?:a*)*'],
    // What they forbid is not looked at.
    [/(?:a(?!a)|aa)*/, '(?:a(?!a)|aa)*'],
  ])('%s is refused for %s', (pattern, part) => {
    expect(exponentialPart(pattern)).toBe(part);
  });

  test.each([/(?:(?!ab)[a-z])*/, /(?:(?=a)\w)*/, /(?:(?=a)*b)*/, /(?:(?=a+)a)*/, /(?:a(?<=a*)b)*/])(
    '%s is taken',
    (pattern) => {
      expect(exponentialPart(pattern)).toBeUndefined();
    },
  );
});

describe('back references', () => {
  test.each([
    /(?:(a+)\1)*/,
    /(?:(?<word>\w)\k<word>?)*/,
    /(a|b)(?:\1|a)*/,
    // The group may not have matched.
    /(?:(a)?b\1c|bc)*/,
    /(?:(?:(a)|x)b\1c|xbc)*/,
    /(?:(?!(x))y\1z|yz)*/,
    // The group cannot have matched.
    /(?:(a\1)b|ab)*/,
    /(?:\1(a)b|ab)*/,
    /(?:(a)c|b\1|b)*/,
    // From right to left.
    /(?<=(?:(a)\1b|ab)*)c/,
    /(?<=(?:\1(a)b|aab)*)c/,
  ])('%s is refused', (pattern) => {
    expect(exponentialPart(pattern)).toBeDefined();
  });

  test.each([
    /^(?:(["'])[^"']*\1\s*)*$/,
    /^(["'])(?:(?!\1).)*\1$/,
    /(?:(a)+b\1c|bc)*/,
    /(?:(?=(x))x\1z|xz)*/,
    /(|)(?:\1a)*/,
    // The group has not matched yet.
    /(?:(a\1)a?b)*/,
    /(?:\1a?(a)b)*/,
    /(?:(a)|b\1)*/,
    /(?:(a\2)a?b(c\1))*/,
    /(?<=(?:(a\1)b)*)c/,
  ])('%s is taken', (pattern) => {
    expect(exponentialPart(pattern)).toBeUndefined();
  });

  test('a back reference to a name that is given twice may mean either group', () => {
    expect(exponentialPart(patternOf('(?:(?:(?<x>a)|(?<x>b))-\\k<x>,)*'))).toBeUndefined();
    expect(exponentialPart(patternOf('(?:(?:(?<x>a)|(?<x>b))\\k<x>b?)*'))).toBeDefined();
  });
});

describe('what is too complex to judge is refused as a whole', () => {
  const characters = (count: number) =>
    Array.from({ length: count }, (_, index) => String.fromCharCode(0x4e00 + index));
  const nested = (levels: number) => `${'(?:'.repeat(levels)}a${')'.repeat(levels)}`;

  test('a pattern with too many states is refused as a whole', () => {
    const most = `(?:${characters(MOST_STATES).join('')})*`;
    expect(exponentialPart(new RegExp(`^${most}$`))).toBeUndefined();
    const more = `^(?:${characters(MOST_STATES + 1).join('')})*$`;
    expect(exponentialPart(new RegExp(more))).toBe(more);
  });

  test('what is outside of loops does not make a pattern too complex', () => {
    expect(exponentialPart(new RegExp(`^(?:${characters(3 * MOST_STATES).join('|')})(?:a|b)*$`))).toBeUndefined();
  });

  test('a pattern with too deep nesting is refused as a whole', () => {
    expect(exponentialPart(new RegExp(nested(MOST_NESTING)))).toBeUndefined();
    expect(exponentialPart(new RegExp(nested(MOST_NESTING + 1)))).toBe(nested(MOST_NESTING + 1));
    const classes = `${'['.repeat(MOST_NESTING + 1)}a${']'.repeat(MOST_NESTING + 1)}`;
    expect(exponentialPart(new RegExp(classes, 'v'))).toBe(classes);
  });

  test('brackets that are characters nest nothing', () => {
    expect(exponentialPart(new RegExp('\\('.repeat(300) + '[([]'.repeat(300) + '[\\]([]'.repeat(300)))).toBeUndefined();
    expect(exponentialPart(new RegExp('\\('.repeat(300) + '[\\(\\[]'.repeat(300), 'v'))).toBeUndefined();
  });

  test.each([
    ['pairs of states', characters(1_900).join('|')],
    ['optional characters', characters(1_900).join('?')],
    ['copies', '(?:(?:(?:a{16}b){16}c){16}d){16}'],
    ['copies of nothing', `(?:(?:(?:(?:(?:){16}){16}){16}){16}){16}`],
    ['references', `()${Array.from({ length: 40 }, (_, index) => `(\\${index + 1}\\${index + 1})`).join('')}`],
  ])('a pattern that takes too much work to judge is refused as a whole: %s', (_what, part) => {
    const pattern = new RegExp(`^(?:${part})*$`);
    const start = performance.now();
    expect(exponentialPart(pattern) === pattern.source).toBe(true);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  test('a pattern with a syntax that is newer than the parser is refused as a whole', () => {
    expect(exponentialPart(patternOf('(?new:a)*'))).toBe('(?new:a)*');
  });

  test('many repeated words are not too complex', () => {
    const words = characters(300).map((first, index) => `${first}${index.toString(7)}`);
    expect(exponentialPart(new RegExp(`^(?:${words.join('|')})*$`))).toBeUndefined();
    expect(exponentialPart(new RegExp(`^(?:${[...words, words.join('')].join('|')})*$`))).toBeDefined();
  });
});
