import { compilers } from './support/compilers.js';
import { swc } from './support/swc.js';
import { tsc, typescriptProgram } from './support/tsc.js';
import { vite } from './support/vite.js';
import { Cases, started } from './support/verdictsOf.js';
import { Workspace, type Sources } from './support/Workspace.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());
const cases = new Cases(workspace);

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
const below: Sources = {
  'src/sections.ts': `
    import { Param, Section, Tool } from 'toolwright';
    @Section({ title: 'Orders' })
    class Orders { @Tool('Fetch one order.') getOrder(params: OrderParams): void {} }
    class OrderParams { @Param('Order id') orderId!: string; }
    export const sections = [() => Orders];
  `,
};
const esm = { format: 'esm' } as const;
const cjs = { format: 'cjs' } as const;

describe('a class that is not there yet when a decorated signature names it', () => {
  const inCommonJs = cases.add({ compiler: tsc, settings: cjs, files: circle });
  const inOneBundle = cases.add({ compiler: vite, settings: esm, files: circle });

  test('a circular file in CommonJS, compiled by tsc, is refused with E307 and the third-file remedy', async () => {
    const [verdict] = await inCommonJs();
    expect(verdict?.findings).toMatchObject([{ code: 'E307', place: 'OrdersSection.getOrder' }]);
    expect(verdict?.message).toMatch(/first parameter was undefined .*circular import.*\n.*third file/);
  });

  test('Vite, circular files in one bundle: an error that speaks of them, with the third-file remedy', async () => {
    const [verdict] = await inOneBundle();
    expect(verdict?.findings).toMatchObject([{ place: 'OrdersSection.getOrder' }]);
    expect(verdict?.code).toMatch(/^(E106|E307)$/);
    expect(verdict?.message).toMatch(/circular.*third file/s);
  });

  test.each([
    ['tsc, ES modules, a circular file', cases.add({ compiler: tsc, settings: esm, files: circle })],
    ['swc, ES modules, a circular file', cases.add({ compiler: swc, settings: esm, files: circle })],
    ['swc, CommonJS, a circular file', cases.add({ compiler: swc, settings: cjs, files: circle })],
    ['a class that stands below its use in one file', cases.add({ compiler: tsc, settings: esm, files: below })],
  ])('%s: Node throws before any of our code sees it', async (_name, verdicts) => {
    expect(await verdicts()).toEqual([
      { name: 'ReferenceError', message: "Cannot access 'OrderParams' before initialization", findings: [] },
    ]);
  });

  test('tsc finds nothing wrong with either', () => {
    for (const files of [circle, below]) {
      const folder = workspace.project('esm', files);
      expect(typescriptProgram({ folder, settings: esm }, {}).complaints()).toEqual([]);
    }
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
    // 1. The class is in a third file, which needs neither of the two.
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
  const remedied = compilers.flatMap((compiler) => [
    cases.add({ compiler, settings: esm, files }),
    cases.add({ compiler, settings: cjs, files }),
  ]);
  const withoutThunk = cases.add({
    compiler: tsc,
    settings: cjs,
    files: { ...files, 'src/Orders.ts': files['src/Orders.ts']!.replace('() => Refunds', 'Refunds') },
  });

  test('a third file, Ref<T> with a thunk, and thunks for sections work in every compiler and both formats', async () => {
    const verdicts = await Promise.all(remedied.map((verdictsOf) => verdictsOf()));
    expect(verdicts).toEqual(remedied.map(() => [started, started, started]));
  });

  test('a section without its thunk is undefined in CommonJS: E307 asks for it', async () => {
    const verdict = (await withoutThunk())[2];
    expect(verdict?.findings).toMatchObject([{ code: 'E307', place: 'Orders' }]);
    expect(verdict?.message).toContain('() => X');
  });
});
