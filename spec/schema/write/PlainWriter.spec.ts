import { Serialiser } from '../../../src/schema/write/createSerialiser';

const write = (value: unknown): { readonly plain: unknown; readonly isWhole: boolean } => {
  const { plain, isWhole } = new Serialiser().write(value, 3);
  return { plain, isWhole };
};

describe('a value of more than is written', () => {
  test('an object says how many of its keys are missing', () => {
    expect(write({ items: new Array<unknown>(4_194_303), a: 1, b: 2 })).toEqual({
      plain: { items: [null, null, null, '… 4194300 more items'], '…': '2 more keys' },
      isWhole: false,
    });
  });

  test('a long bigint is cut as a text is', () => {
    const { plain } = write({ text: 'x'.repeat(33_554_432), number: 10n ** 60n });
    expect((plain as { readonly number: unknown }).number).toBe(`1${'0'.repeat(39)}… (61 characters)`);
  });
});
