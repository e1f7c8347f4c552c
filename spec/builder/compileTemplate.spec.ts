import fc from 'fast-check';
import { md } from 'toolwright';
import { compileTemplate } from '../../src/builder/compileTemplate.js';
import type { TemplateSource } from 'toolwright/types';

/** Compiles a template whatever params it needs. */
function compile(source: TemplateSource<never>): ReturnType<typeof compileTemplate> {
  return compileTemplate(source);
}

/** The template with its placeholders in angle brackets. */
function shown(source: TemplateSource<never>): string {
  return compile(source)
    .parts.map((part) => ('text' in part ? part.text : `<${part.placeholder}>`))
    .join('');
}

describe('compileTemplate: dedent', () => {
  test.each([
    ['one indented line', '    text', 'text'],
    ['a common margin', '\n    one\n      two\n    three\n', 'one\n  two\nthree'],
    ['a first line without margin', 'one\n    two', 'one\n    two'],
    ['blank lines without margin', '\n    one\n\n    two\n', 'one\n\ntwo'],
    ['blank lines with less white space', '\n    one\n  \n    two\n', 'one\n\ntwo'],
    ['blank lines with more white space', '\n  one\n          \n  two\n', 'one\n\ntwo'],
    ['tabs', '\n\t\tone\n\t\t\ttwo\n', 'one\n\ttwo'],
    ['tabs against spaces: nothing in common', 'x\n\tone\n    two', 'x\n\tone\n    two'],
    ['a tab, then spaces: the tab is common', '\n\t  one\n\t    two\n', 'one\n  two'],
    ['only white space', ' \n\t\n ', ''],
    ['nothing', '', ''],
    ['white space at the end of a line', '\n  one  \n  two\n', 'one  \ntwo'],
  ])('compileTemplate dedents %s', (_case, source, expected) => {
    expect(shown(source)).toBe(expected);
  });

  test('a line that is only a placeholder counts for the margin', () => {
    expect(shown('\n  ${name}\n    one\n')).toBe('<name>\n  one');
    expect(shown('\n    ${name}\n  one\n   two')).toBe('<name>\none\n two');
  });

  test('compileTemplate takes exactly the longest common white space, for any lines', () => {
    const margin = fc.stringMatching(/^[ \t]{0,4}$/);
    const line = fc.stringMatching(/^[a-z]{1,4}$/);
    fc.assert(
      fc.property(fc.array(fc.tuple(margin, line), { minLength: 1, maxLength: 6 }), margin, (lines, common) => {
        const all = ['x', ...lines.map(([own, text]) => `${own}${text}`)].map((text) => `${common}${text}`);
        expect(shown(all.join('\n'))).toBe(all.map((text) => text.slice(common.length)).join('\n'));
      }),
    );
  });
});

describe('compileTemplate: placeholders', () => {
  test.each([
    ['${name}', '<name>'],
    ['$name', '<name>'],
    ['$name.', '<name>.'],
    ['$name-$other', '<name>-<other>'],
    ['${name}s', '<name>s'],
    ['$names', '<names>'],
    ['$_a1 ${_a1}', '<_a1> <_a1>'],
    ['$$', '$'],
    ['$$name', '$name'],
    ['$${name}', '${name}'],
    ['$$$name', '$<name>'],
    ['$$$$', '$$'],
    ['5 $$ for $name', '5 $ for <name>'],
    ['{name}', '{name}'],
  ])('compileTemplate reads %j as %j', (source, expected) => {
    expect(shown(source)).toBe(expected);
    expect(compile(source).strayDollarAt).toBeUndefined();
  });

  test('each placeholder is listed once, in the order of the text', () => {
    expect(compile('$b ${a} $b $c ${a}').placeholders).toEqual(['b', 'a', 'c']);
    expect(compile('nothing').placeholders).toEqual([]);
  });

  test.each([
    ['$', '$'],
    ['a $ b', '$ b'],
    ['$5', '$5'],
    ['${}', '${}'],
    ['${5a}', '${5a}'],
    ['${a.b}', '${a.b}'],
    ['${ a }', '${ a }'],
    ['${a', '${a'],
    ['${größe}', '${größe}'],
    ['$$ then $ and $', '$ and $'],
    ['one $ in a long line of text', '$ in a long '],
  ])('a stray dollar sign in %j is shown at its place', (source, at) => {
    expect(compile(source).strayDollarAt).toBe(at);
  });

  test('no text is lost or invented, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('$', '{', '}', 'a', '1', ' ', '\n') }), (source) => {
        const { parts, placeholders } = compile(source);
        const names = parts.flatMap((part) => ('placeholder' in part ? [part.placeholder] : []));
        expect([...new Set(names)]).toEqual(placeholders);
        expect(names.every((name) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name))).toBe(true);
        const letters = (text: string) => text.replace(/[^a1]/g, '');
        expect(letters(shown(source))).toBe(letters(source));
      }),
    );
  });
});

describe('compileTemplate: the tag md', () => {
  test('the tag md builds the same template as a string', () => {
    const tagged = md`
      Look an order up. Prefer ${'primaryTool'},
        then ${'secondTool'}; $$ is a dollar, $primaryTool works, too.
    `;
    const plain = `
      Look an order up. Prefer \${primaryTool},
        then \${secondTool}; $$ is a dollar, $primaryTool works, too.
    `;
    expect(compile(tagged)).toEqual(compile(plain));
    expect(compile(tagged).placeholders).toEqual(['primaryTool', 'secondTool']);
  });

  test('placeholders may touch, and be first and last', () => {
    expect(shown(md`${'a'}${'b'}-${'c'}`)).toBe('<a><b>-<c>');
    expect(
      shown(md`
none
      `),
    ).toBe('none');
  });

  test('an invalid escape stays as it was written', () => {
    expect(shown(md`C:\unknown ${'name'}`)).toBe('C:\\unknown <name>');
  });

  test('the internal characters for placeholders cannot be forged', () => {
    expect(shown('a\u00000\u0000b')).not.toContain('<');
    expect(shown(md`a\u00000\u0000b ${'name'}`)).toMatch(/<name>$/);
    expect(compile(md`\u00001\u0000 ${'name'}`).placeholders).toEqual(['name']);
  });

  test('a dollar sign right before a placeholder does not swallow it', () => {
    const { placeholders, strayDollarAt } = compile(md`Costs $${'price'} now.`);
    // Either the value is inserted behind the dollar sign, or the dollar sign is reported as stray.
    expect(placeholders.includes('price') || strayDollarAt !== undefined).toBe(true);
  });
});
