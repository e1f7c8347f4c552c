import { Section, type Constructor } from 'toolwright';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

describe('sectionHooks', () => {
  test('E314: a getter under the name of a hook is refused, and not run', async () => {
    let runs = 0;
    @Section({ title: 'Orders' })
    class OrdersSection {
      get enabled(): boolean {
        return ++runs > 0;
      }
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({
      code: 'E314',
      place: 'OrdersSection',
      sectionPath: 'orders',
      placeholder: 'enabled',
    });
    expect(refusal.findings[0]).toMatchObject({
      className: 'OrdersSection',
      member: 'enabled',
      problem: 'enabled is a getter; a hook is a function',
    });
    expect(refusal.remedy).toContain('as a method');
    expect(runs).toBe(0);
  });

  test('E314: hooks of a parent class, and values that JavaScript put on the prototype, are checked, too', async () => {
    class Base {
      readonly #answer = 'Hello.';
      get renderBody(): string {
        return this.#answer;
      }
    }
    class OrdersSection extends Base {}
    (Section({ title: 'Orders' }) as (type: Constructor) => void)(OrdersSection);
    Object.assign(OrdersSection.prototype, { enabled: 'yes' });
    const { findings } = await refusalOf(OrdersSection);
    expect(findings.map(({ problem }) => problem)).toEqual([
      'enabled is the string "yes"; a hook is a function',
      'renderBody is a getter; a hook is a function',
    ]);
  });

  test('an option takes the place of such a member', async () => {
    class OrdersSection {
      readonly #answer: string = 'Hello.';
      get enabled(): boolean {
        return this.#answer === '';
      }
      get renderBody(): string {
        return this.#answer;
      }
    }
    const decorate: (type: Constructor) => void = Section({
      title: 'Orders',
      enabled: true,
      renderBody: () => 'Body.',
    });
    decorate(OrdersSection);
    expect(await toolsOf(OrdersSection)).toEqual([]);
  });
});
