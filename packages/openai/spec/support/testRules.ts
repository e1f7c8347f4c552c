import type { RequestProblem, RequestRule } from './RequestRule';

/** A request on which the rules of a fake are tested. */
export interface RuleTrial {
  readonly rules: readonly RequestRule[];
  readonly problemsOf: (body: unknown) => readonly RequestProblem[];
  /** Requests that the provider takes, by name. */
  readonly good: readonly (readonly [name: string, body: unknown])[];
  /** Requests that it refuses: the ids of the rules that they break, with blanks between them, a name, the body. */
  readonly bad: readonly (readonly [rules: string, name: string, body: unknown])[];
  /** Nothing like a request, beside what is nonsense for every provider. */
  readonly nonsense: unknown;
}

/**
 * Tests the rules of a double as they judge what comes over the wire: no request is let through, and none refused, by mistake.
 */
export function testRules({ rules, problemsOf, good, bad, nonsense }: RuleTrial): void {
  const judged = (body: unknown): readonly RequestProblem[] => problemsOf(JSON.parse(JSON.stringify(body)));

  test.each(good)('accept %s', (_name, body) => {
    expect(judged(body)).toEqual([]);
  });

  test.each(bad)('%s rejects %s', (broken, _name, body) => {
    expect(new Set(judged(body).map((problem) => problem.rule))).toEqual(new Set(broken.split(' ')));
  });

  test('every rule has an id of its own, says what it demands, and is broken by a request above', () => {
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(rules.every(({ what }) => what.endsWith('.'))).toBe(true);
    expect(ids.filter((id) => !bad.some(([broken]) => broken === id))).toEqual([]);
  });

  test('nonsense is refused, and never throws', () => {
    for (const value of [null, 7, 'x', {}, nonsense]) expect(problemsOf(value).length).toBeGreaterThan(0);
  });
}
