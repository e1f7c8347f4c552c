import { compilers, swc, tsc, vite, type Compiler } from './support/compilers.js';
import { verdictsOf, type Verdict } from './support/verdictsOf.js';
import { Workspace, type Sources } from './support/Workspace.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());

// Order.ts needs OrdersSection.ts for a thunk, OrdersSection.ts needs Order.ts for a type in a decorated signature.
const sections = `
  import './Order.js';
  import { OrdersSection } from './OrdersSection.js';
  export const sections = [() => OrdersSection];
`;
const circle: Sources = {
  'src/sections.ts': sections,
  'src/Order.ts': `
    import { Param } from 'toolwright';
    import { OrdersSection } from './OrdersSection.js';
    export class OrderParams { @Param('Order id') orderId!: string; }
    export const sectionsOf = () => [OrdersSection];
  `,
  'src/OrdersSection.ts': `
    import { Section, Tool } from 'toolwright';
    import { OrderParams } from './Order.js';
    @Section({ title: 'Orders' })
    export class OrdersSection { @Tool('Fetch one order.') getOrder(params: OrderParams): string { return params.orderId; } }
  `,
};
const start = (compiler: Compiler, format: 'esm' | 'cjs', changed: Sources = {}): Promise<readonly Verdict[]> =>
  verdictsOf(workspace, compiler, { format }, { ...circle, ...changed });

const started = [{ name: 'started', message: '', findings: [] }];

describe('a class of a circular file in a decorated signature', () => {
  test('tsc, CommonJS: E307 with the third-file remedy', async () => {
    const [verdict] = await start(tsc, 'cjs');
    expect(verdict?.findings).toMatchObject([{ code: 'E307', place: 'OrdersSection.getOrder' }]);
    expect(verdict?.message).toMatch(/first parameter was undefined .*circular import.*\n.*third file/);
  });

  test.each([
    ['tsc, ES modules', tsc, 'esm'],
    ['swc, ES modules', swc, 'esm'],
    ['swc, CommonJS', swc, 'cjs'],
  ] as const)('%s: Node throws before any of our code sees it', async (_name, compiler, format) => {
    const [verdict] = await start(compiler, format);
    expect(verdict).toMatchObject({ name: 'process', code: '1' });
    expect(verdict?.message).toContain("ReferenceError: Cannot access 'OrderParams' before initialization");
  });

  test('Vite, one bundle: a coded error that speaks of circular files', async () => {
    const [verdict] = await start(vite, 'esm');
    expect(verdict?.findings).toMatchObject([{ place: 'OrdersSection.getOrder' }]);
    expect(verdict?.code).toMatch(/E106|E307/);
    expect(verdict?.message).toMatch(/circular/);
    expect(verdict?.message).toMatch(/third file/);
  });
});

describe('its remedies, with every compiler', () => {
  test.each(compilers)('$name: a third file', async (compiler) => {
    const changed = {
      'src/Order.ts': `
        import { OrdersSection } from './OrdersSection.js';
        export { OrderParams } from './OrderParams.js';
        export const sectionsOf = () => [OrdersSection];
      `,
      'src/OrderParams.ts': `
        import { Param } from 'toolwright';
        export class OrderParams { @Param('Order id') orderId!: string; }
      `,
      'src/OrdersSection.ts': circle['src/OrdersSection.ts']!.replace('./Order.js', './OrderParams.js'),
    };
    for (const format of ['esm', 'cjs'] as const) expect(await start(compiler, format, changed)).toEqual(started);
  });

  test.each(compilers)('$name: Ref<T> in the signature, and the class by a thunk', async (compiler) => {
    const changed = {
      'src/OrdersSection.ts': `
        import { Section, Tool, type Ref } from 'toolwright';
        import { OrderParams } from './Order.js';
        @Section({ title: 'Orders' })
        export class OrdersSection {
          @Tool({ description: 'Fetch one order.', params: () => OrderParams })
          getOrder(params: Ref<OrderParams>): string { return params.orderId; }
        }
      `,
    };
    for (const format of ['esm', 'cjs'] as const) expect(await start(compiler, format, changed)).toEqual(started);
  });

  test.each(compilers)('$name: sections and properties that name each other by thunks', async (compiler) => {
    const changed = {
      'src/Order.ts': `
        import { Param, type Ref } from 'toolwright';
        import { Line } from './OrdersSection.js';
        export class OrderParams {
          @Param({ description: 'Order id', type: String }) orderId!: string;
          @Param({ description: 'Line', type: () => Line }) line!: Ref<Line>;
        }
      `,
      'src/OrdersSection.ts': `
        import { Param, Section, Tool, type Ref } from 'toolwright';
        import { OrderParams } from './Order.js';
        import { Refunds } from './Refunds.js';
        export class Line {
          @Param({ description: 'Item', type: String }) item!: string;
          @Param({ description: 'Order', type: () => OrderParams, optional: true }) order?: Ref<OrderParams>;
        }
        @Section({ title: 'Orders', children: [() => Refunds] })
        export class OrdersSection {
          @Tool({ description: 'Fetch one order.', params: () => OrderParams })
          getOrder(params: Ref<OrderParams>): string { return params.orderId; }
        }
      `,
      'src/Refunds.ts': `
        import { Section } from 'toolwright';
        import { OrdersSection } from './OrdersSection.js';
        @Section({ title: 'Refunds' })
        export class Refunds { static readonly belongsTo = () => OrdersSection; }
      `,
    };
    for (const format of ['esm', 'cjs'] as const) expect(await start(compiler, format, changed)).toEqual(started);
  });

  test('without the thunk, a section of a circular file is undefined: E307 in CommonJS', async () => {
    const changed = {
      'src/OrdersSection.ts': `
        import { Section } from 'toolwright';
        import { Refunds } from './Refunds.js';
        @Section({ title: 'Orders', children: [Refunds] })
        export class OrdersSection {}
      `,
      'src/Order.ts': `import './Refunds.js';`,
      'src/Refunds.ts': `
        import { Section } from 'toolwright';
        import { OrdersSection } from './OrdersSection.js';
        @Section({ title: 'Refunds' })
        export class Refunds { static readonly belongsTo = () => OrdersSection; }
      `,
    };
    const [verdict] = await start(tsc, 'cjs', changed);
    expect(verdict?.findings).toMatchObject([{ code: 'E307', place: 'OrdersSection' }]);
    expect(verdict?.message).toContain('() => X');
  });
});
