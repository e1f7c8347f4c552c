import 'reflect-metadata';
import { Injectable, Module, Scope, type DynamicModule, type INestApplicationContext, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { createApplication, defineSection, defineTool, Param, Prompt, Section, sectionWith, Tool } from 'toolwright';
import { PlanningSection, PlanningStrategy } from 'toolwright/sections';
import { fromNest, InjectToolwright, Toolwright, ToolwrightModule, toolwrightToken } from '@toolwright/nestjs';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { silent } from '../../../spec/support/silent.js';

// Wide, for machines that run everything at once.
jest.setTimeout(60_000);

const open: INestApplicationContext[] = [];

afterEach(async () => {
  for (const nest of open.splice(0)) await nest.close();
});

/** Starts Nest without HTTP, from a module that represents the application's own. */
async function start(definition: {
  readonly imports?: (Type | DynamicModule)[];
  readonly providers?: Type[];
}): Promise<INestApplicationContext> {
  @Module(definition)
  class AppModule {}
  const nest = await Test.createTestingModule({ imports: [AppModule] }).compile();
  await nest.init();
  open.push(nest);
  return nest;
}

/** The answer of a tool of the only prompt. */
async function answerOf(toolwright: Toolwright, prompt: Type, name: string, args: object = {}): Promise<string> {
  const { app } = toolwright;
  return (await app.invoke(await app.prompt(prompt).render(), name, args as never)).text;
}

class OrderParams {
  @Param('Order id') orderId!: string;
}

test('sections that are providers are built by Nest, with what their modules import; the prompt is found', async () => {
  @Injectable()
  class OrderRepository {
    find(id: string): string {
      return `order ${id}`;
    }
  }
  @Injectable()
  @Section({ title: 'Orders' })
  class Orders {
    constructor(private readonly orders: OrderRepository) {}
    @Tool('Fetch an order.')
    getOrder({ orderId }: OrderParams): string {
      return this.orders.find(orderId);
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Orders] })
  class Desk {}
  @Module({ providers: [OrderRepository], exports: [OrderRepository] })
  class DataModule {}
  @Module({ imports: [DataModule], providers: [Orders, Desk] })
  class OrdersModule {}
  const nest = await start({ imports: [ToolwrightModule.forRoot({ logger: silent }), OrdersModule] });

  expect(await answerOf(nest.get(Toolwright), Desk, 'get_order', { orderId: '7' })).toBe('order 7');
});

test('forRootAsync takes its options from a factory; name and isGlobal are next to it', async () => {
  @Section({ title: 'Clock' })
  class ClockSection {
    @Tool('Say a word.')
    say(): string {
      return 'word';
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [ClockSection] })
  class Desk {}
  @Injectable()
  class Settings {
    readonly prompts = [Desk];
  }
  @Module({ providers: [Settings], exports: [Settings] })
  class SettingsModule {}
  const nest = await start({
    imports: [
      ToolwrightModule.forRootAsync({
        name: 'words',
        imports: [SettingsModule],
        inject: [Settings],
        useFactory: ({ prompts }: Settings) => ({ prompts, logger: silent }),
      }),
    ],
    providers: [ClockSection],
  });

  expect(await answerOf(nest.get(toolwrightToken('words')), Desk, 'say')).toBe('word');
  expect(() => nest.get(Toolwright)).toThrow();
});

test('applications have prompts of their own: forFeature adds them by name, and each is injected by its name', async () => {
  @Section({ title: 'Bills' })
  class Bills {
    @Tool('Count.')
    count(): number {
      return 1;
    }
  }
  @Prompt({ ns: 'shop', key: 'bills', sections: [Bills] })
  class BillsDesk {}
  @Section({ title: 'Orders' })
  class Orders {
    @Tool('Count.')
    count(): number {
      return 2;
    }
  }
  @Prompt({ ns: 'shop', key: 'orders', sections: [Orders] })
  class OrdersDesk {}
  @Injectable()
  class Office {
    constructor(
      readonly orders: Toolwright,
      @InjectToolwright('bills') readonly bills: Toolwright,
    ) {}
  }
  const nest = await start({
    imports: [
      ToolwrightModule.forRoot({ logger: silent }),
      ToolwrightModule.forRoot({ name: 'bills', logger: silent }),
      ToolwrightModule.forFeature([BillsDesk, Bills], { name: 'bills' }),
    ],
    providers: [Office, Orders, OrdersDesk],
  });
  const { orders, bills } = nest.get(Office);

  expect(await answerOf(bills, BillsDesk, 'count')).toBe('1');
  expect(await answerOf(orders, OrdersDesk, 'count')).toBe('2');
  expect(() => orders.app.prompt(BillsDesk)).toThrow(/E403/);
  expect(() => bills.app.prompt(OrdersDesk)).toThrow(/E403/);
});

test('tenants have applications with options of their own over the same sections', async () => {
  @Section({ title: 'Words' })
  class Words {
    @Tool('Say a word.')
    say(): string {
      return 'word';
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Words] })
  class Desk {}
  const [north, south] = [new InMemoryOverridesStore(), new InMemoryOverridesStore()];
  const nest = await start({
    imports: [
      ToolwrightModule.forRoot({ name: 'north', prompts: [Desk], overrides: north, logger: silent }),
      ToolwrightModule.forRoot({ name: 'south', prompts: [Desk], overrides: south, logger: silent }),
    ],
    providers: [Words],
  });
  const prompts = ['north', 'south'].map((name) => nest.get<Toolwright>(toolwrightToken(name)).app.prompt(Desk));
  await prompts[0]!.overrides.write({ tools: { say: { description: 'Say a northern word.' } } });
  const described = await Promise.all(prompts.map(async (prompt) => (await prompt.render()).tools[0]?.description));

  expect(described).toEqual(['Say a northern word.', 'Say a word.']);
});

test('a provider that a test overrides is the one that tools run on', async () => {
  @Injectable()
  class Rates {
    today(): number {
      return 1;
    }
  }
  @Section({ title: 'Rates' })
  class RatesSection {
    constructor(private readonly rates: Rates) {}
    @Tool('The rate.')
    rate(): number {
      return this.rates.today();
    }
    @Tool('The order.')
    order({ orderId }: OrderParams): string {
      return orderId;
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [RatesSection] })
  class Desk {}
  const build = () =>
    Test.createTestingModule({
      imports: [ToolwrightModule.forRoot({ logger: silent })],
      providers: [Rates, RatesSection, Desk],
    });
  const dependency = await build()
    .overrideProvider(Rates)
    .useValue({ today: () => 2 })
    .compile();
  const section = await build()
    .overrideProvider(RatesSection)
    .useValue({ rate: () => 3, order: ({ orderId }: OrderParams) => `mock ${orderId}` })
    .compile();
  open.push(dependency, section);
  await dependency.init();
  await section.init();

  expect(await answerOf(dependency.get(Toolwright), Desk, 'rate')).toBe('2');
  expect(await answerOf(section.get(Toolwright), Desk, 'rate')).toBe('3');
  expect(await answerOf(section.get(Toolwright), Desk, 'order', { orderId: '7' })).toBe('mock 7');
});

test('ready-made sections, derived ones and defined ones need no provider', async () => {
  @Injectable()
  class Rates {
    readonly rate = 4;
  }
  class RatesParams {
    @Param('Currency') currency = 'EUR';
  }
  @Section({ title: 'Rates', params: RatesParams, template: 'In ${currency}.' })
  class RatesSection {
    constructor(private readonly rates: Rates) {}
    @Tool('The rate.')
    rate(): number {
      return this.rates.rate;
    }
  }
  const say = defineTool({ name: 'say', description: 'Say a word.', handler: () => 'word' });
  @Prompt({
    ns: 'shop',
    key: 'desk',
    sections: [
      sectionWith(RatesSection, { currency: 'USD' }),
      PlanningSection.with({ strategy: PlanningStrategy.REACT }),
      defineSection({ key: 'words', title: 'Words', tools: [say] }),
    ],
  })
  class Desk {}
  @Module({ providers: [Rates, RatesSection] })
  class RatesModule {}
  const nest = await start({ imports: [ToolwrightModule.forRoot({ logger: silent }), RatesModule], providers: [Desk] });
  const toolwright = nest.get(Toolwright);

  expect(await answerOf(toolwright, Desk, 'rate')).toBe('4');
  expect(await answerOf(toolwright, Desk, 'say')).toBe('word');
  const { tools, text } = await toolwright.app.prompt(Desk).render();
  expect(tools.map(({ name }) => name)).toContain('planning_setup_plan');
  expect(text).toContain('In USD.');
});

test('fromNest serves applications that are made by hand', async () => {
  @Section({ title: 'Words' })
  class Words {
    @Tool('Say a word.')
    say(): string {
      return 'word';
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Words] })
  class Desk {}
  const nest = await start({ providers: [Words] });
  const app = await createApplication({ prompts: [Desk], container: fromNest(nest.get(ModuleRef)), logger: silent });

  expect((await app.invoke(await app.prompt(Desk).render(), 'say', {})).text).toBe('word');
});

describe('modules that do not start', () => {
  @Injectable()
  class Rates {}
  @Section({ title: 'Rates' })
  class RatesSection {
    constructor(readonly rates: Rates) {}
    @Tool('The rate.')
    rate(): number {
      return 1;
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [RatesSection] })
  class Desk {}

  test('NEST-01 E951 a section that no module provides is named, with what to do', async () => {
    const refused = start({
      imports: [ToolwrightModule.forRoot({ logger: silent, prompts: [Desk] })],
      providers: [Rates],
    });
    await expect(refused).rejects.toThrow(
      /E951 RatesSection: no module provides it, and its constructor has parameters\n {2}fix: List the class in the providers/,
    );
  });

  test('E951 a section of a request, or one derived from it, that no module provides is refused', async () => {
    @Injectable({ scope: Scope.REQUEST })
    @Section({ title: 'Notes', params: OrderParams, template: '${orderId}' })
    class Notes {
      readonly notes: string[] = [];
    }
    const derived = sectionWith(Notes, { orderId: '7' });
    for (const [section, providers] of [
      [Notes, []],
      [derived, [Notes]],
    ] as const) {
      @Prompt({ ns: 'shop', key: 'notes', sections: [section] })
      class NotesDesk {}
      const imports = [ToolwrightModule.forRoot({ logger: silent, prompts: [NotesDesk] })];
      await expect(start({ imports, providers: [...providers] })).rejects.toThrow(
        /E951 Notes: no module provides it, and it belongs to a request/,
      );
    }
  });

  test('NEST-01 a module that does not export what a section needs is reported by Nest, with section and service', async () => {
    @Module({ providers: [Rates] })
    class RatesModule {}
    const refused = start({
      imports: [ToolwrightModule.forRoot({ logger: silent }), RatesModule],
      providers: [RatesSection, Desk],
    });
    await expect(refused).rejects.toThrow(/can't resolve dependencies of the RatesSection[^]*Rates/);
  });

  test('E952 a section that two modules provide is refused, with both', async () => {
    @Module({ providers: [Rates, RatesSection] })
    class First {}
    @Module({ providers: [Rates, RatesSection] })
    class Second {}
    const refused = start({ imports: [ToolwrightModule.forRoot({ logger: silent, prompts: [Desk] }), First, Second] });
    await expect(refused).rejects.toThrow(/E952 RatesSection: it is a provider of First and of Second/);
  });

  test('two modules that declare one tool name are both named', async () => {
    @Section({ title: 'Prices' })
    class Prices {
      @Tool('The rate.')
      rate(): number {
        return 2;
      }
    }
    @Prompt({ ns: 'shop', key: 'both', sections: [RatesSection, Prices] })
    class Both {}
    @Module({ providers: [Rates, RatesSection] })
    class First {}
    @Module({ providers: [Prices] })
    class Second {}
    const refused = start({ imports: [ToolwrightModule.forRoot({ logger: silent, prompts: [Both] }), First, Second] });
    await expect(refused).rejects.toThrow(/E104 Prices\.rate: .*RatesSection\.rate/);
  });

  test('E956 an application without a prompt among the providers does not start', async () => {
    await expect(start({ imports: [ToolwrightModule.forRoot({ logger: silent })] })).rejects.toThrow(
      /E956 ToolwrightModule/,
    );
    await expect(start({ imports: [ToolwrightModule.forRoot({ name: 'bills', logger: silent })] })).rejects.toThrow(
      /E956 ToolwrightModule "bills"/,
    );
  });

  test('E954 Toolwright that is used before Nest has initialised its modules says when it may be', async () => {
    const nest = await Test.createTestingModule({
      imports: [ToolwrightModule.forRoot({ logger: silent })],
      providers: [Rates, RatesSection, Desk],
    }).compile();
    open.push(nest);
    const toolwright = nest.get(Toolwright);
    expect(() => toolwright.app).toThrow(/E954 Toolwright: .*\n {2}fix: .*init\(\)/);
    await expect(toolwright.withRequest({}, () => 1)).rejects.toThrow(/E954/);
    await nest.init();
    expect(await answerOf(toolwright, Desk, 'rate')).toBe('1');
  });
});
