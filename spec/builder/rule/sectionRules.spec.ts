import { createApplication, definePrompt, defineSection, Section, type Constructor } from 'toolwright';
import { refusalOf } from '../refusalOf.js';

const section = (key: string, children: readonly Constructor[] = []) =>
  defineSection({ key, title: 'A section', children });

async function pathsOf(...sections: readonly Constructor[]): Promise<readonly string[]> {
  const desk = definePrompt({ ns: 'support', key: 'desk', sections });
  const app = await createApplication({ prompts: [desk] });
  return app.prompt(desk).sections.map(({ path }) => path);
}

describe('sectionKey', () => {
  test.each([
    ['a', 'a'],
    ['0', '0'],
    ['9-to_5', '9-to_5'],
    ['  Orders\n', 'orders'],
    ['REFUNDS', 'refunds'],
    ['a'.repeat(64), 'a'.repeat(64)],
    [` ${'A'.repeat(64)} `, 'a'.repeat(64)],
  ])('the section key %j is accepted as %j', async (given, key) => {
    expect(await pathsOf(section(given))).toEqual([key]);
  });

  test.each(['a b', '', '   ', 'a.b', '-a', '_a', 'ä', 'a/b', 'a'.repeat(65), 'a\nb'])(
    'DECL-26 the illegal section key %j is refused',
    async (key) => {
      const refusal = await refusalOf(section(key));
      expect(refusal.findings).toHaveLength(1);
      expect(refusal).toMatchObject({ code: 'E302', sectionPath: key.trim(), placeholder: key.trim() });
      expect(refusal.findings[0]?.problem).toContain(JSON.stringify(key.trim()));
    },
  );

  test('DECL-26 section key illegal: the path leads to a nested one', async () => {
    @Section({ key: 'A b', title: 'Refunds' })
    class RefundsSection {}
    @Section({ title: 'Orders', children: [RefundsSection] })
    class OrdersSection {}
    expect(await refusalOf(OrdersSection)).toMatchObject({
      code: 'E302',
      place: 'RefundsSection',
      sectionPath: 'orders.a b',
      placeholder: 'a b',
    });
  });

  test('DECL-26 section key duplicate among siblings: the later one is at fault, both are named', async () => {
    @Section({ key: 'x', title: 'Orders' })
    class OrdersSection {}
    @Section({ key: 'X ', title: 'Refunds' })
    class RefundsSection {}
    const parent = section('parent', [OrdersSection, section('y'), RefundsSection]);
    const refusal = await refusalOf(parent);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({ code: 'E303', place: 'RefundsSection', sectionPath: 'parent.x' });
    expect(refusal.findings[0]?.problem).toBe(
      'the path "parent.x" (section 1.3) already belongs to OrdersSection (section 1.1)',
    );
  });

  test('DECL-26 two illegal keys and a duplicate are reported at once, with their paths', async () => {
    const parent = section('parent', [section('A b'), section(''), section('x'), section('x')]);
    const { findings } = await refusalOf(parent);
    expect(findings).toMatchObject([
      { code: 'E302', sectionPath: 'parent.a b' },
      { code: 'E302', sectionPath: 'parent.' },
      { code: 'E303', sectionPath: 'parent.x' },
    ]);
  });

  test('the same key is free in another branch, and below itself', async () => {
    const paths = await pathsOf(
      section('a', [section('x', [section('x')])]),
      section('b', [section('x'), section('a')]),
    );
    expect(paths).toEqual(['a', 'a.x', 'a.x.x', 'b', 'b.x', 'b.a']);
  });

  test('a third sibling with the same key is a second finding', async () => {
    const { findings } = await refusalOf(section('x'), section('x'), section('x'));
    expect(findings.map(({ code, problem }) => [code, problem])).toEqual([
      ['E303', 'the path "x" (section 2) already belongs to x (section 1)'],
      ['E303', 'the path "x" (section 3) already belongs to x (section 1)'],
    ]);
  });

  test('the key comes from the class name when it is left out', async () => {
    @Section({ title: 'A' })
    class RefundPolicySection {}
    @Section({ title: 'B' })
    class HTTPLog {}
    expect(await pathsOf(RefundPolicySection, HTTPLog)).toEqual(['refund-policy', 'http-log']);
  });

  test('DECL-23 an anonymous class needs a key, and has a label without one', async () => {
    const anonymous = (() => class {})();
    Section({ title: 'Orders' })(anonymous);
    expect(await refusalOf(anonymous)).toMatchObject({ code: 'E302', place: '(anonymous class)' });

    const withKey = (() => class {})();
    Section({ key: 'orders', title: 'Orders' })(withKey);
    expect(await pathsOf(withKey)).toEqual(['orders']);
  });
});
