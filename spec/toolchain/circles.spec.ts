import type { Compiler } from './support/Compiler.js';
import { compilers } from './support/compilers.js';
import { swc } from './support/swc.js';
import { tsc } from './support/tsc.js';
import { vite } from './support/vite.js';
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
const start = (compiler: Compiler, format: 'esm' | 'cjs'): Promise<readonly Verdict[]> =>
  verdictsOf(workspace, compiler, { format }, circle);

describe('a class of a circular file in a decorated signature', () => {
  test('tsc, CommonJS: E307 with the third-file remedy', async () => {
    const [verdict] = await start(tsc, 'cjs');
    expect(verdict?.findings).toMatchObject([{ code: 'E307', place: 'OrdersSection.getOrder' }]);
    expect(verdict?.message).toMatch(/first parameter was undefined .*circular import.*\n.*third file/);
  });

  test.each([
    ['tsc, ES modules', tsc, 'esm'],
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

describe('its remedies', () => {
  const files: Sources = {
    'src/sections.ts': `
      import './Order.js';
      import './Line.js';
      import './Refunds.js';
      import { ThirdFile } from './ThirdFile.js';
      import { WithRef } from './WithRef.js';
      import { Orders } from './Orders.js';
      export const sections = [() => ThirdFile, () => WithRef, () => Orders];
    `,
    // 1. The class stands in a third file, which needs neither of the two.
    'src/OrderParams.ts': `
      import { Param } from 'toolwright';
      export class OrderParams { @Param('Order id') orderId!: string; }
    `,
    'src/Order.ts': `
      import { ThirdFile } from './ThirdFile.js';
      export { OrderParams } from './OrderParams.js';
      export const sectionsOf = () => [ThirdFile];
    `,
    'src/ThirdFile.ts': `
      import { Section, Tool } from 'toolwright';
      import { OrderParams } from './OrderParams.js';
      import { sectionsOf } from './Order.js';
      @Section({ title: 'S' })
      export class ThirdFile {
        @Tool('Fetch one order.') getOrder(params: OrderParams): string { return params.orderId + String(sectionsOf); }
      }
    `,
    // 2. The signature says Ref<Line>, and a thunk names the class; so do properties of classes that hold each other.
    'src/Line.ts': `
      import { Param, type Ref } from 'toolwright';
      import { Parcel } from './WithRef.js';
      export class Line {
        @Param({ description: 'Item', type: String }) item!: string;
        @Param({ description: 'Parcel', type: () => Parcel, optional: true }) parcel?: Ref<Parcel>;
      }
    `,
    'src/WithRef.ts': `
      import { Param, Section, Tool, type Ref } from 'toolwright';
      import { Line } from './Line.js';
      export class Parcel {
        @Param({ description: 'Number', type: Number }) number!: number;
        @Param({ description: 'Line', type: () => Line, optional: true }) line?: Ref<Line>;
      }
      @Section({ title: 'S' })
      export class WithRef {
        @Tool({ description: 'Pack a line.', params: () => Line }) pack(params: Ref<Line>): string { return params.item; }
      }
    `,
    // 3. Sections in each other's files are named by thunks.
    'src/Orders.ts': `
      import { Section } from 'toolwright';
      import { Refunds } from './Refunds.js';
      @Section({ title: 'Orders', children: [() => Refunds] })
      export class Orders {}
    `,
    'src/Refunds.ts': `
      import { Section } from 'toolwright';
      import { Orders } from './Orders.js';
      @Section({ title: 'Refunds' })
      export class Refunds { static readonly belongsTo = () => Orders; }
    `,
  };
  const started: Verdict = { name: 'started', message: '', findings: [] };

  test.each(compilers)('$name: a third file, Ref<T> with a thunk, thunks for sections', async (compiler) => {
    // A bundle is the same in both formats.
    const formats = compiler === vite ? (['esm'] as const) : (['esm', 'cjs'] as const);
    for (const format of formats) {
      expect(await verdictsOf(workspace, compiler, { format }, files)).toEqual([started, started, started]);
    }
  });

  test('without the thunk, CommonJS gives undefined: E307 asks for it', async () => {
    const withoutThunk = { ...files, 'src/Orders.ts': files['src/Orders.ts']!.replace('() => Refunds', 'Refunds') };
    const verdicts = await verdictsOf(workspace, tsc, { format: 'cjs' }, withoutThunk);
    expect(verdicts[2]?.findings).toMatchObject([{ code: 'E307', place: 'Orders' }]);
    expect(verdicts[2]?.message).toContain('() => X');
  });
});
