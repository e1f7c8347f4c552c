import fc from 'fast-check';
import { Field, OutputParseError, Param, PromptValidationError } from 'toolwright';
import { dump, parse, parseOutput } from 'toolwright/schema';
import { thrownBy } from '../../../packages/openai/spec/support/thrownBy';

class Finding {
  @Field('Line') line!: number;
  @Field('Text') text!: string;
}
class Review {
  @Field({ description: '1 to 5', integer: true, min: 1, max: 5 }) stars!: number;
  @Field({ description: 'Findings', type: () => [Finding] }) findings: readonly Finding[] = [];
}

/** The error with which parsing fails. */
const unread = (read: () => unknown): OutputParseError => {
  const error = thrownBy(read);
  if (!(error instanceof OutputParseError)) throw error;
  return error;
};

describe('parseOutput', () => {
  test('parseOutput makes instances of the class, nested ones too', () => {
    const review = parseOutput(Review, 'So: {"stars":4,"findings":[{"line":1,"text":"x"}]}');
    expect(review).toBeInstanceOf(Review);
    expect(review.findings[0]).toBeInstanceOf(Finding);
    expect(review).toEqual({ stars: 4, findings: [{ line: 1, text: 'x' }] });
  });

  test.each([['[{"stars":4},{"stars":5}]'], ['{"items":[{"stars":4},{"stars":5}]}']])(
    'parseOutput makes a list of instances of %s',
    (text) => {
      const reviews = parseOutput({ array: () => Review }, text);
      expect(reviews.map(({ stars }) => stars)).toEqual([4, 5]);
      expect(reviews.every((review) => review instanceof Review)).toBe(true);
    },
  );

  test('an empty list is a list', () => {
    expect(parseOutput({ array: Review }, '[]')).toEqual([]);
  });

  const wrong: readonly (readonly [text: string, path: string, kind: string])[] = [
    ['{}', 'stars', 'missing'],
    ['{"stars":"4"}', 'stars', 'type'],
    ['{"stars":6}', 'stars', 'constraint'],
    ['{"stars":4,"starz":4}', 'starz', 'extra'],
    ['{"stars":4,"findings":[{"line":1,"text":2}]}', 'findings[0].text', 'type'],
    ['{"stars":4,"__proto__":{}}', '__proto__', 'extra'],
    ['{"stars":null}', 'stars', 'type'],
    ['[{"stars":4}]', '', 'type'],
    ['null', '', 'type'],
    ['"{\\"stars\\":4}"', '', 'type'],
    ['sorry', '', 'type'],
    [`{"findings":${'['.repeat(70)}${']'.repeat(70)}}`, '', 'constraint'],
  ];
  test.each(wrong)('parseOutput refuses %j at %j', (text, path, kind) => {
    const error = unread(() => parseOutput(Review, text));
    expect(error).toMatchObject({ code: 'E530', place: 'Review', rawText: text });
    expect(error.issues[0]).toMatchObject({ path, kind });
  });

  const wrongLists: readonly (readonly [text: string, path: string, kind: string])[] = [
    ['{"stars":4}', '', 'type'],
    ['{"items":{"stars":4}}', '', 'type'],
    ['4', '', 'type'],
    ['[{"stars":4},5]', '[1]', 'type'],
    ['[{"stars":4},{"stars":9}]', '[1].stars', 'constraint'],
    ['{"items":[{"stars":9}]}', 'items[0].stars', 'constraint'],
    ['{"items":[],"count":0}', 'count', 'extra'],
    ['['.repeat(100_000) + ']'.repeat(100_000), '[0]', 'constraint'],
  ];
  test.each(wrongLists)('parseOutput refuses the list %.40j at %j', (text, path, kind) => {
    const error = unread(() => parseOutput({ array: Review }, text));
    expect(error).toMatchObject({ code: 'E530', place: 'an array of Review', rawText: text });
    expect(error.issues[0]).toMatchObject({ path, kind });
  });

  test('every issue is reported, and the message shows the first ten', () => {
    const text = JSON.stringify(Array.from({ length: 12 }, () => ({ stars: 0 })));
    const error = unread(() => parseOutput({ array: Review }, text));
    expect(error.issues).toHaveLength(12);
    expect(error.message).toMatch(/^E530 an array of Review: the answer is not an array of Review: \[0\]\.stars /);
    expect(error.message).toContain('; and 2 more\n  fix: ');
  });

  test('extra keys may be ignored, at every level and beside items', () => {
    const options = { extra: 'ignore' } as const;
    expect(parseOutput(Review, '{"stars":4,"z":1}', options)).toEqual({ stars: 4, findings: [] });
    expect(parseOutput({ array: Review }, '{"items":[{"stars":4,"z":1}],"z":1}', options)).toHaveLength(1);
  });

  test('lossless values may be converted', () => {
    expect(parseOutput(Review, '{"stars":"4"}', { coerce: true }).stars).toBe(4);
  });

  test('a secret is not repeated', () => {
    class Login {
      @Param({ description: 'Key', secret: true, maxLength: 3 }) key!: string;
    }
    const error = unread(() => parseOutput(Login, '{"key":"hunter2"}'));
    expect(error.message).not.toContain('hunter2');
    expect(JSON.stringify(error.issues)).not.toContain('hunter2');
  });

  test.each([
    ['nothing', undefined, 'E307'],
    ['a thunk of nothing', () => undefined, 'E307'],
    ['a list of nothing', { array: undefined }, 'E307'],
    ['a text', 'Review', 'E312'],
    ['null', null, 'E312'],
    ['a list of a list', { array: { array: Review } }, 'E312'],
    ['a list of types', [Review], 'E312'],
  ])('parseOutput refuses %s as a type of output', (_what, output, code) => {
    const error = thrownBy(() => parseOutput(output as never, '{}'));
    expect(error instanceof PromptValidationError).toBe(true);
    expect(error).toMatchObject({ code, place: 'parseOutput' });
  });
});

describe('whatever an honest model writes', () => {
  class Part {
    @Field('Name') name!: string;
    @Field('Weight') weight!: number;
    @Field('Broken') broken = false;
  }
  class Thing {
    @Field('Title') title!: string;
    @Field({ description: 'Count', integer: true }) count!: number;
    @Field({ description: 'Kind', enum: ['a', 'b'] }) kind!: 'a' | 'b';
    @Field({ description: 'Note', nullable: true, type: String }) note!: string | null;
    @Field({ description: 'Parts', type: [Part] }) parts!: readonly Part[];
    @Field({ description: 'Texts', record: String }) texts!: Readonly<Record<string, string>>;
  }
  // Texts that look like fences, quotes, brackets and prose.
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc
      .array(fc.constantFrom('```json\n', '```', '{', '}', '[', ']', '"', '\\', '\n', 'a', ','))
      .map((of) => of.join('')),
  );
  const part = fc.record({
    name: text,
    weight: fc.double({ noNaN: true, noDefaultInfinity: true }),
    broken: fc.boolean(),
  });
  const thing = fc.record({
    title: text,
    count: fc.maxSafeInteger(),
    kind: fc.constantFrom('a', 'b'),
    note: fc.option(text),
    parts: fc.array(part, { maxLength: 3 }),
    texts: fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), text, { maxKeys: 3 }),
  });
  const prose = fc.stringMatching(/^[A-Za-z0-9 .,:;!?'\n(){}-]{0,40}$/).map((said) => said.replace(/[{}]/g, '(x)'));
  const written = (value: unknown, space: number): string => JSON.stringify(value, null, space);
  const forms: readonly ((json: string, before: string, after: string) => string)[] = [
    (json) => json,
    (json, before, after) => `${before}\n\`\`\`json\n${json}\n\`\`\`\n${after}`,
    (json, before, after) => `${before} ${json} ${after}`,
  ];
  const form = fc.constantFrom(...forms);
  const space = fc.constantFrom(0, 2);

  test('an object comes back equal', () => {
    fc.assert(
      fc.property(thing, form, space, prose, prose, (value, write, indent, before, after) => {
        const json = written(value, indent);
        const read = parseOutput(Thing, write(json, before, after));
        expect(read).toEqual(parse(Thing, JSON.parse(json)));
        expect(dump(read)).toEqual(JSON.parse(json));
      }),
    );
  });

  test('a list comes back equal, bare or as items', () => {
    const list = fc.array(thing, { maxLength: 3 });
    fc.assert(
      fc.property(list, fc.boolean(), form, space, prose, prose, (values, bare, write, indent, before, after) => {
        const json = written(bare ? values : { items: values }, indent);
        const read = parseOutput({ array: Thing }, write(json, before, after));
        expect(read.map((item) => dump(item))).toEqual(JSON.parse(written(values, 0)));
        expect(read.every((item) => item instanceof Thing)).toBe(true);
      }),
    );
  });
});
