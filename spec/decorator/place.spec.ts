import { Ctx, Field, Param, Prompt, PromptValidationError, Reducer, Section, Tool } from 'toolwright';
import { getOwner, requireLegacyDecorators, describeToolPlace } from '../../src/decorator/place.js';

type StandardDecorator = (value: unknown, context: object) => unknown;

describe('E108: standard decorators are refused at once', () => {
  test.each<[string, unknown, string, string | undefined]>([
    ['Tool', Tool('Fetch one order.'), 'method', 'getOrder'],
    ['Tool', Tool('Hand over.'), 'class', 'TransferTool'],
    ['Section', Section({ title: 'Orders' }), 'class', 'OrdersSection'],
    ['Prompt', Prompt({ ns: 'a', key: 'b', sections: [] }), 'class', 'SupportDesk'],
    ['Prompt', Prompt({ ns: 'a', key: 'b', sections: [] }), 'class', undefined],
    ['Param', Param('Order id'), 'field', 'orderId'],
    ['Param', Param('orderId', 'Order id'), 'accessor', 'orderId'],
    ['Param', Field('Order id'), 'field', 'orderId'],
    ['Ctx', Ctx(), 'method', 'getOrder'],
    ['Reducer', Reducer(() => class {}), 'method', 'addStep'],
  ])('E108: the standard decorator @%s on a %s is refused', (name, decorator, kind, member) => {
    const value = kind === 'field' ? undefined : class {};
    const apply = () => (decorator as StandardDecorator)(value, { kind, name: member, metadata: {} });
    expect(apply).toThrow(PromptValidationError);
    expect(apply).toThrow(
      expect.objectContaining({
        code: 'E108',
        place: expect.stringMatching(`^@${name}`) as unknown,
        remedy: expect.stringContaining(
          'Compile with experimentalDecorators and emitDecoratorMetadata (tsc or swc).',
        ) as unknown,
      }) as Error,
    );
    if (member !== undefined) expect(apply).toThrow(`@${name} ${member}: `);
  });

  test.each([undefined, 'getOrder', Symbol('getOrder'), null, {}])(
    '%p as second argument is no standard decorator',
    (second) => {
      expect(() => {
        requireLegacyDecorators('Tool', second);
      }).not.toThrow();
    },
  );
});

describe('ownerOf', () => {
  test('an instance member belongs to the class of its prototype, a static one to the class', () => {
    class OrdersSection {}
    expect(getOwner(OrdersSection.prototype)).toEqual({ type: OrdersSection, isStatic: false });
    expect(getOwner(OrdersSection)).toEqual({ type: OrdersSection, isStatic: true });
  });
});

describe('toolPlace', () => {
  test('toolPlace distinguishes methods from all other places of a decorator', () => {
    class OrdersSection {
      method() {}
      get accessor(): object {
        return this;
      }
    }
    const descriptorOf = (member: string) => Object.getOwnPropertyDescriptor(OrdersSection.prototype, member);
    const placeOf = (third: PropertyDescriptor | number | undefined, name = 'member', isStatic = false) =>
      describeToolPlace(name, isStatic, third);
    expect(placeOf(descriptorOf('method'))).toBe('method');
    expect(placeOf(descriptorOf('accessor'))).toBe('accessor');
    expect(placeOf(undefined)).toBe('field');
    expect(placeOf(descriptorOf('method'), 'method', true)).toBe('static member');
    expect(placeOf(descriptorOf('constructor'), 'constructor')).toBe('constructor');
    expect(placeOf(0)).toBe('parameter');
  });
});
