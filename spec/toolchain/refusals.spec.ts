import { compilers } from './support/compilers.js';
import { swc } from './support/swc.js';
import { tsc, typescriptProgram } from './support/tsc.js';
import { tsc7 } from './support/tsc7.js';
import { Cases, started, type Verdict } from './support/verdictsOf.js';
import { run, Workspace } from './support/Workspace.js';

jest.setTimeout(60_000);
const workspace = new Workspace();
afterAll(() => workspace.close());

const cases = new Cases(workspace);

/** `E106 OrdersSection.getOrder` for each finding. */
const places = (verdict: Verdict | undefined): readonly string[] | undefined =>
  verdict?.findings.map(({ code, className, member }) => `${code} ${String(className)}.${String(member)}`);

describe('no metadata', () => {
  const files = {
    'src/sections.ts': `
      import { Ctx, Param, Section, Tool, ToolContext } from 'toolwright';
      class Clock {}
      class OrderParams { @Param('Order id') orderId!: string; }
      @Section({ title: 'S' })
      class Orders { @Tool('Fetch one order.') getOrder(params: OrderParams): void {} }
      @Section({ title: 'S' })
      class Weather { @Tool('Current weather.') weather(@Ctx() context: ToolContext, @Param('city', 'City') city: string): void {} }
      @Section({ title: 'S' })
      class Archive { @Tool({ description: 'Fetch an old one.', params: OrderParams }) getOld(params: OrderParams): void {} }
      @Section({ title: 'S' })
      class Clocks { constructor(readonly clock: Clock) {} }
      @Section({ title: 'S' })
      class Defaults { @Tool('Fetch one order.') getOrder(params: OrderParams = new OrderParams()): void {} }
      export const sections = [Orders, Weather, Archive, Clocks, Defaults].map((type) => () => type);
    `,
  };

  const settings = { format: 'esm', metadata: false } as const;
  const columns = compilers.map((compiler) => ({
    name: compiler.name,
    compiler,
    verdictsOf: cases.add({ compiler, settings, files }),
  }));

  describe.each(columns)('$name', ({ verdictsOf }) => {
    let verdicts: readonly Verdict[] = [];
    beforeAll(async () => {
      verdicts = await verdictsOf();
    });

    test('DECL-12 a params class: E106 names class, member, parameter, the option and the setting', () => {
      expect(places(verdicts[0])).toEqual(['E106 Orders.getOrder']);
      expect(verdicts[0]?.message).toMatch(/parameter 0.*\n.*@Tool\(\{ params: X \}\).*emitDecoratorMetadata/);
    });

    test('DECL-12 a scalar and a property: E201 names class, member, parameter, the option and the setting', () => {
      expect(places(verdicts[1])).toEqual(['E201 Weather.weather']);
      expect(verdicts[1]?.message).toContain('parameter 1 ("city")');
      expect(places(verdicts[2])).toEqual(['E201 OrderParams.orderId']);
      for (const { message } of verdicts.slice(1, 3)) {
        expect(message).toContain('@Param({ type: X })');
        expect(message).toContain('emitDecoratorMetadata');
      }
    });

    test('DECL-12 a service: E401 names the class and the setting', () => {
      expect(verdicts[3]).toMatchObject({ name: 'ContainerError', code: 'E401' });
      expect(verdicts[3]?.message).toMatch(/constructor parameters of Clocks.*\n.*emitDecoratorMetadata/);
    });

    test('DECL-12 a parameter with a default is no tool without parameters', () => {
      expect(places(verdicts[4])).toEqual(['E106 Defaults.getOrder']);
    });
  });
});

describe('reflect-metadata', () => {
  const said = async (first: string): Promise<string> => {
    const folder = workspace.project('esm', {
      'src/Clock.ts': `
        const service = (_type: object): void => {};
        class Zone {}
        @service
        export class Clock { constructor(readonly zone: Zone) {} }
      `,
      'src/main.ts': `
        ${first}
        import { Clock } from './Clock.js';
        import { PlainContainer } from 'toolwright/adapters';
        try { console.log(new PlainContainer().get(Clock)); } catch (error) { console.log(error.message); }
      `,
    });
    await swc.compile({ folder, settings: { format: 'esm' } });
    return (await run(folder)).stdout;
  };

  test('a class that is decorated before it is loaded has no types: E401', async () => {
    expect(await said('')).toMatch(/^E401 Clock: the compiler emitted no classes for the constructor parameters/);
  });

  test('reflect-metadata is there if it or toolwright is imported first', async () => {
    expect(await said("import 'reflect-metadata';")).toBe('Clock { zone: Zone {} }\n');
    expect(await said("import 'toolwright';")).toBe('Clock { zone: Zone {} }\n');
  });
});

describe('types that are no classes', () => {
  const files = {
    'src/Order.ts': `
      import { Param } from 'toolwright';
      export class OrderParams { @Param('Order id') orderId!: string; }
      export class Clock {}
      export interface Row { readonly orderId: string; }
      export enum Unit { Piece = 'piece', Kilogram = 'kg' }
      export type Status = 'open' | 'closed';
    `,
    'src/sections.ts': `
      import { Ctx, Param, Section, Tool } from 'toolwright';
      import type { ToolContext } from 'toolwright';
      import { OrderParams as Loaded } from './Order.js';
      import { Unit } from './Order.js';
      import type { Clock, OrderParams, Row, Status } from './Order.js';
      class Nested { @Param('The order') order!: OrderParams; @Param('The row') row!: Row; }
      @Section({ title: 'S' })
      class Params<G> {
        @Tool('One.') importType(params: OrderParams): void {}
        @Tool('Two.') interface(params: Row): void {}
        @Tool('Three.') union(params: Loaded | Nested): void {}
        @Tool('Four.') generic(params: G): void {}
        @Tool('Five.') partial(params: Partial<Loaded>): void {}
        @Tool('Six.') record(params: Record<string, string>): void {}
      }
      @Section({ title: 'S' })
      class Context { @Tool('One.') one(params: Loaded, context: ToolContext): void {} }
      @Section({ title: 'S' })
      class Values {
        @Tool('One.') properties(params: Nested): void {}
        @Tool('Two.') union(@Param('v', 'V') v: string | number): void {}
        @Tool('Three.') nullable(@Param('v', 'V') v: string | null): void {}
        @Tool('Four.') map(@Param('v', 'V') v: Map<string, string>): void {}
        @Tool('Five.') call(@Param('v', 'V') v: () => void): void {}
      }
      @Section({ title: 'S' })
      class Service { constructor(readonly clock: Clock) {} }
      @Section({ title: 'S' })
      class Named { @Tool({ description: 'One.', params: Loaded }) one(params: OrderParams, @Ctx() context: ToolContext): void {} }
      @Section({ title: 'S' })
      class Enum { @Tool('One.') one(@Param('unit', 'Unit') unit: Unit): void {} }
      @Section({ title: 'S' })
      class Alias { @Tool('One.') one(@Param('status', 'Status') status: Status): void {} }
      export const sections = [Params, Context, Values, Service, Named, Enum, Alias].map((type) => () => type);
    `,
  };

  const settings = { format: 'esm' } as const;
  const columns = compilers.map((compiler) => ({
    name: compiler.name,
    compiler,
    verdictsOf: cases.add({ compiler, settings, files }),
  }));

  describe.each(columns)('$name', ({ compiler, verdictsOf }) => {
    let verdicts: readonly Verdict[] = [];
    beforeAll(async () => {
      verdicts = await verdictsOf();
    });

    test('DECL-13 a type that is not a class as params: E106 asks for the class', () => {
      const members = ['importType', 'interface', 'union', 'generic', 'partial', 'record'];
      expect(places(verdicts[0])).toEqual(members.map((member) => `E106 Params.${member}`));
      for (const { problem, remedy } of verdicts[0]?.findings ?? []) {
        expect(problem).toMatch(/first parameter reflects as (Function|Object)/);
        expect(remedy).toMatch(/`import type`.*@Tool\(\{ params: X \}\)/);
      }
    });

    test('DECL-13 a type that is not a class as context: E106 says how to write it', () => {
      expect(places(verdicts[1])).toEqual(['E106 Context.one']);
      expect(verdicts[1]?.message).toMatch(/parameter 1.*\n.*`import type`.*@Ctx\(\)/);
    });

    test('DECL-13 a type that is not a class as values: E201 asks for the type', () => {
      const members = ['union', 'nullable', 'map', 'call'].map((member) => `E201 Values.${member}`);
      expect([...(places(verdicts[2]) ?? [])].sort()).toEqual(
        ['E201 Nested.order', 'E201 Nested.row', ...members].sort(),
      );
    });

    test('a type that is not a class, as a service: E401', () => {
      expect(verdicts[3]).toMatchObject({ name: 'ContainerError', code: 'E401' });
      expect(verdicts[3]?.message).toMatch(/constructor parameter 0 of Service is of type (Function|Object)/);
    });

    test('types that are not classes are accepted where options name them', () => {
      expect(verdicts[4]).toEqual(started);
    });

    // For tsc both are just strings.
    test('DECL-13 an enum or a union of literals from another file is a string, or E201 asks for its values', () => {
      const isString = compiler === tsc || compiler === tsc7;
      expect(verdicts[5]?.name).toBe(isString ? 'started' : 'PromptValidationError');
      expect(verdicts[6]?.name).toBe(isString ? 'started' : 'PromptValidationError');
      for (const { findings } of isString ? [] : verdicts.slice(5)) {
        expect(findings).toMatchObject([{ code: 'E201', member: 'one' }]);
        expect(findings[0]?.remedy).toContain('enum');
      }
    });
  });

  test('tsc by itself does not warn of an `import type`, and asks for it where an interface is imported', () => {
    const complaints = (importing: string): readonly string[] => {
      const folder = workspace.project('esm', {
        ...files,
        'src/sections.ts': `
          import { Section, Tool } from 'toolwright';
          import ${importing} { OrderParams, Row } from './Order.js';
          @Section({ title: 'S' })
          export class S { @Tool('One.') one(params: OrderParams): void {} @Tool('Two.') two(params: Row): void {} }
        `,
      });
      return typescriptProgram({ folder, settings: { format: 'esm' } }, { isolatedModules: true }).complaints();
    };
    expect(complaints('type')).toEqual([]);
    expect(complaints('')).toEqual(['TS1272 sections.ts']);
  });
});

describe('places that no decorator can be used on', () => {
  test('DECL-11 a private name and the constructor: tsc refuses them, so nothing is left to report', () => {
    const folder = workspace.project('esm', {
      'src/sections.ts': `
        import { Section, Tool } from 'toolwright';
        @Section({ title: 'S' })
        export class S {
          @Tool('One.') #one(): void {}
          @Tool('Two.') constructor() { this.#one(); }
          @Tool('Three.') three(): void {}
        }
      `,
    });
    const { complaints } = typescriptProgram({ folder, settings: { format: 'esm' } }, {});
    expect(complaints()).toEqual(['TS1206 sections.ts', 'TS1206 sections.ts']);
  });
});

describe('standard decorators', () => {
  const applied = [
    ['@Section S', `@Section({ title: 'S' }) class S {}`],
    ['@Tool ping', `class S { @Tool('Answer.') ping(): void {} }`],
    ['@Param city', `class P { @Param('City') city = ''; }`],
    ['@Prompt D', `@Prompt({ ns: 'n', key: 'k', sections: [] }) class D {}`],
    ['@Reducer add', `class P { @Reducer(() => Date) add(): void {} }`],
  ] as const;
  const files = {
    ...Object.fromEntries(
      applied.map(([, text], index) => [
        `src/Class${String(index)}.ts`,
        `import { Param, Prompt, Reducer, Section, Tool } from 'toolwright';\n${text}\nexport {};`,
      ]),
    ),
    'src/sections.ts': `export const sections = [${applied.map((_, index) => `() => import('./Class${String(index)}.js')`).join()}];`,
  };
  const settings = { format: 'esm', standard: true } as const;
  const columns = [tsc, tsc7, swc].map((compiler) => ({
    name: compiler.name,
    verdictsOf: cases.add({ compiler, settings, files }),
  }));
  test.each(columns)(
    '$name: E108 where the class is made, with the decorator, its member and the setting',
    async ({ verdictsOf }) => {
      const verdicts = await verdictsOf();
      expect(verdicts).toHaveLength(applied.length);
      for (const [index, [decorator]] of applied.entries()) {
        expect(verdicts[index]).toMatchObject({ name: 'PromptValidationError', code: 'E108' });
        expect(verdicts[index]?.message).toContain(`E108 ${decorator}: `);
        expect(verdicts[index]?.message).toMatch(/experimentalDecorators.*emitDecoratorMetadata/);
      }
    },
  );
});
