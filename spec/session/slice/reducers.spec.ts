import fc from 'fast-check';
import { Session } from 'toolwright';
import { appendAll, type ReducerFunction, replaceLatest, replaceLatestBy, upsertBy } from 'toolwright/conversations';

class Price {
  constructor(
    readonly item: string,
    readonly cents: number,
  ) {}
}
const kept = (reducer: ReducerFunction<Price, Price>, prices: readonly Price[]): readonly Price[] => {
  const session = new Session();
  session.slice(Price).register(Price, reducer);
  for (const price of prices) session.dispatch(price);
  return session.slice(Price).all();
};
const price = fc.record({ item: fc.constantFrom('a', 'b', 'c', 'd'), cents: fc.nat(9) });
const prices = fc.array(price.map(({ item, cents }) => new Price(item, cents)));

describe('wrong reducers and wrong slices', () => {
  test.each([undefined, null, 5, {}, { kind: 'other' }, new Price('a', 1)])(
    'E802 a reducer that returns %p is reported, and the slice stays',
    (given) => {
      const errors: string[] = [];
      const session = new Session({ logger: { debug() {}, info() {}, warn() {}, error: (text) => errors.push(text) } });
      const slice = session.slice(Price);
      slice.seed(new Price('a', 1));
      slice.register(Price, () => given as never);
      session.dispatch(new Price('b', 2));
      expect(slice.all()).toEqual([new Price('a', 1)]);
      expect(errors).toEqual([expect.stringMatching(/E802 Price: a reducer returned .* SliceOps\.replace/s)]);
    },
  );

  test.each([undefined, null, 'Price'])('E307 a slice of %p is refused', (key) => {
    expect(() => new Session().slice(key as never)).toThrow(expect.objectContaining({ code: 'E307' }) as Error);
  });
});

describe('built-in reducers', () => {
  test('the reducer appendAll keeps everything', () => {
    fc.assert(
      fc.property(prices, (all) => {
        expect(kept(appendAll as ReducerFunction<Price, Price>, all)).toEqual(all);
      }),
    );
  });

  test('replaceLatest keeps the last one', () => {
    fc.assert(
      fc.property(prices, (all) => {
        expect(kept(replaceLatest as ReducerFunction<Price, Price>, all)).toEqual(all.slice(-1));
      }),
    );
  });

  test.each([
    ['upsertBy', upsertBy],
    ['replaceLatestBy', replaceLatestBy],
  ])('%s keeps the last of each key, in the order in which they were added', (_name, by) => {
    fc.assert(
      fc.property(prices, (all) => {
        const expected = all.filter(({ item }, index) => !all.slice(index + 1).some((later) => later.item === item));
        expect(
          kept(
            by<Price>(({ item }) => item),
            all,
          ),
        ).toEqual(expected);
      }),
    );
  });

  test('an older value moves to the end when it is replaced', () => {
    const all = [new Price('a', 1), new Price('b', 2), new Price('a', 3)];
    expect(
      kept(
        upsertBy(({ item }) => item),
        all,
      ),
    ).toEqual([new Price('b', 2), new Price('a', 3)]);
  });
});
