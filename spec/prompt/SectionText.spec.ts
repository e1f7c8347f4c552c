import fc from 'fast-check';
import {
  createApplication,
  definePrompt,
  defineSection,
  md,
  Param,
  PromptRenderError,
  PromptValidationError,
} from 'toolwright';
import type { TemplateSource } from 'toolwright/types';

class Words {
  @Param({ type: String, nullable: true, optional: true }) a: unknown = null;
  @Param({ type: String, nullable: true, optional: true }) b: unknown = null;
}
/** The body of a template for bound params. */
async function bodyOf(template: TemplateSource<Words>, values: Partial<Words> = {}): Promise<string> {
  const section = defineSection({ key: 's', title: 'S', params: Words, template });
  const type = definePrompt({ ns: 'n', key: 'k', sections: [section], heading: 'plain' });
  const prompt = (await createApplication({ prompts: [type] })).prompt(type);
  const { text } = await prompt.bind(Object.assign(new Words(), values)).render();
  return text.replace(/^## S(\n\n)?/, '');
}

describe('a placeholder', () => {
  test.each<[string, string]>([
    ['${a}', 'x'],
    ['$a', 'x'],
    ['${a}${a}$a', 'xxx'],
    ['a${a}a', 'axa'],
    ['$a, then', 'x, then'],
    ['$$a', '$a'],
    ['$$${a}', '$x'],
    ['$$$$', '$$'],
    ['5 $$', '5 $'],
  ])('the placeholder %s becomes %s', async (template, expected) => {
    expect(await bodyOf(template, { a: 'x' })).toBe(expected);
  });

  test('a placeholder of the tag md is the same', async () => {
    expect(await bodyOf(md`Use ${'a'}, then ${'b'}.`, { a: 'x', b: 'y' })).toBe('Use x, then y.');
  });

  test.each<[string, unknown, string]>([
    ['null renders as nothing', null, '[]'],
    ['a number by String', 1.5, '[1.5]'],
    ['zero', 0, '[0]'],
    ['false', false, '[false]'],
    ['an array by String', [1, 'b'], '[1,b]'],
    ['a BigInt', 12n, '[12]'],
    ['a symbol', Symbol('s'), '[Symbol(s)]'],
    ['a value with toString', { toString: () => 'own' }, '[own]'],
  ])('a placeholder is filled: %s', async (_what, a, expected) => {
    expect(await bodyOf('[$a]', { a })).toBe(expected);
  });

  test('undefined is an error that names it: E503', async () => {
    const error: unknown = await bodyOf('[$a]', { a: undefined }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PromptRenderError);
    expect(error).toMatchObject({ code: 'E503', sectionPath: 's', placeholder: 'a', paramsType: 'Words' });
  });

  test('a value without text form is the same error', async () => {
    const value: unknown = Object.create(null);
    await expect(bodyOf('[$a]', { a: value })).rejects.toMatchObject({ code: 'E503', placeholder: 'a' });
  });

  test.each<[string, unknown]>([
    ['a plain object', { city: 'Ulm' }],
    ['an instance without a text', new (class Place {})()],
    ['an object in a list', [{ city: 'Ulm' }]],
    ['an object among others in a list', ['Ulm', { city: 'Ulm' }, 3]],
    ['a map', new Map([['city', 'Ulm']])],
    ['a promise', Promise.resolve('Ulm')],
    ['a function', () => 'Ulm'],
  ])('%s, whose text only names its type, is the same error', async (_what, value) => {
    await expect(bodyOf('[$a]', { a: value })).rejects.toMatchObject({ code: 'E503', placeholder: 'a' });
  });

  test('a text that reads like the name of a type is a text', async () => {
    expect(await bodyOf('[$a]', { a: '[object Object]' })).toBe('[[object Object]]');
  });

  test('a placeholder without a property is refused at creation: the alphabetically first', async () => {
    const error: unknown = await bodyOf('${zebra} ${ant}').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PromptValidationError);
    expect(error).toMatchObject({ code: 'E304', placeholder: 'ant', sectionPath: 's' });
  });
});

describe('inserted values', () => {
  test.each(['${b}', '$b', '$$', '$&', '$1', '$`'])('the inserted value %j is never expanded', async (value) => {
    expect(await bodyOf('[$a]', { a: value, b: 'no' })).toBe(`[${value}]`);
  });

  test('an inserted value keeps its own lines and indents', async () => {
    expect(await bodyOf('  List:\n  $a\n  end', { a: '- one\n    - two' })).toBe('List:\n- one\n    - two\nend');
  });

  test('inserted values become text, whatever they are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (a, b) => {
        expect(await bodyOf('<${a}|${b}>', { a, b })).toBe(`<${a}|${b}>`);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a text', () => {
  test('a text has the values of this rendering, whatever was rendered before', async () => {
    const template = '<${a}|${b}>';
    const section = defineSection({ key: 's', title: 'S', params: Words, template });
    const type = definePrompt({ ns: 'n', key: 'k', sections: [section], heading: 'plain' });
    const prompt = (await createApplication({ prompts: [type] })).prompt(type);
    const value = fc.constantFrom<string | number | boolean | null>('', 'x', '0', 0, -0, false, 1, null);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ a: value, b: value }), { minLength: 2 }), async (turns) => {
        for (const { a, b } of turns) {
          const { text } = await prompt.bind(Object.assign(new Words(), { a, b })).render();
          expect(text).toBe(`## S\n\n<${String(a ?? '')}|${String(b ?? '')}>`);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('an object renders to its current String value', async () => {
    const section = defineSection({ key: 's', title: 'S', params: Words, template: '${a}' });
    const type = definePrompt({ ns: 'n', key: 'k', sections: [section], heading: 'plain' });
    const prompt = (await createApplication({ prompts: [type] })).prompt(type);
    let said = 0;
    const bound = prompt.bind(Object.assign(new Words(), { a: { toString: () => String(++said) } }));
    expect([(await bound.render()).text, (await bound.render()).text]).toEqual(['## S\n\n1', '## S\n\n2']);
  });
});

describe('a template', () => {
  test.each<[string, string, string]>([
    ['loses the common indent', '\n    One.\n      Two.\n    Three.\n', 'One.\n  Two.\nThree.'],
    ['keeps lines that have none', 'One.\n  Two.', 'One.\n  Two.'],
    ['makes blank lines empty, which do not count', '    One.\n \n    Two.', 'One.\n\nTwo.'],
    ['takes tabs and blanks as they are', '\t\tOne.\n\tTwo.', 'One.\nTwo.'],
    ['is trimmed', '\n\n  One.  \n\n', 'One.'],
    ['may be blank', '  \n ', ''],
  ])('a template %s', async (_what, template, expected) => {
    expect(await bodyOf(template)).toBe(expected);
  });

  test('a template is trimmed again once it is filled', async () => {
    expect(await bodyOf('$a\nBody\n$b', { a: null, b: '\n' })).toBe('Body');
  });

  test.each(['5 $', '$ 5', '$5', '${}', '${a b}', '${a'])('%j has a stray dollar: E305', async (template) => {
    await expect(bodyOf(template)).rejects.toMatchObject({ code: 'E305' });
  });
});
