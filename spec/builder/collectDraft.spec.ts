import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Section,
  Tool,
  type Constructor,
} from 'toolwright';
import { invokeOn } from './invokeOn.js';
import { refusalOf } from './refusalOf.js';
import { toolsOf } from './toolsOf.js';

describe('collect: inherited tools', () => {
  test('a subclass inherits the tools of all its parents, the eldest first', async () => {
    abstract class Base {
      abstract readonly answer: string;
      @Tool('Answers.') ping(): string {
        return this.answer;
      }
    }
    abstract class Middle extends Base {
      @Tool('Counts.') count(): number {
        return this.answer.length;
      }
    }
    @Section({ title: 'Network' })
    class NetworkSection extends Middle {
      readonly answer = 'pong';
      @Tool('Says bye.') bye(): string {
        return 'bye';
      }
    }
    expect((await toolsOf(NetworkSection)).map(({ name }) => name)).toEqual(['ping', 'count', 'bye']);
    expect((await invokeOn(NetworkSection, 'ping')).text).toBe('pong');
    expect((await invokeOn(NetworkSection, 'count')).text).toBe('4');
  });

  test("an override without @Tool keeps its parent's declaration", async () => {
    class City {
      @Param('City') city!: string;
    }
    class Base {
      @Tool({ name: 'weather', description: 'Current weather.', hints: { readOnly: true } })
      getWeather(params: City): string {
        return `base ${params.city}`;
      }
    }
    @Section({ title: 'Weather' })
    class WeatherSection extends Base {
      override getWeather(params: City): string {
        return `mine ${params.city}`;
      }
    }
    const [tool] = await toolsOf(WeatherSection);
    expect(tool).toMatchObject({ name: 'weather', description: 'Current weather.', hints: { readOnly: true } });
    expect((await invokeOn(WeatherSection, 'weather', { city: 'Ulm' })).text).toBe('mine Ulm');
  });

  test("an override's own @Tool replaces its parent's, in its parent's place", async () => {
    class Town {
      @Param('Town') town!: string;
    }
    class Base {
      @Tool({ name: 'weather', description: 'Current weather.' }) getWeather(params: never): string {
        return 'base';
      }
      @Tool('Answers.') ping() {}
    }
    @Section({ title: 'Weather' })
    class WeatherSection extends Base {
      @Tool({ name: 'town_weather', description: 'Weather of a town.' })
      override getWeather(params: Town): string {
        return params.town;
      }
    }
    expect((await toolsOf(WeatherSection)).map(({ name }) => name)).toEqual(['town_weather', 'ping']);
    expect((await invokeOn(WeatherSection, 'town_weather', { town: 'Ulm' })).text).toBe('Ulm');
  });

  test("an override with @Param scalars of its own does not read its parent's", async () => {
    class Base {
      @Tool('Finds.') find(@Param('a', 'The first') a: string): string {
        return `base ${a}`;
      }
    }
    @Section({ title: 'Archive' })
    class ArchiveSection extends Base {
      @Tool('Finds better.') override find(@Param('b', 'The second') b: string): string {
        return `mine ${b}`;
      }
    }
    const [tool] = await toolsOf(ArchiveSection);
    expect(tool?.schema).toMatchObject({ properties: { b: { description: 'The second' } }, required: ['b'] });
    expect((await invokeOn(ArchiveSection, 'find', { b: 'x' })).text).toBe('mine x');
  });

  test("an override with a params class does not read its parent's @Param scalars", async () => {
    class Query {
      @Param('Text') text!: string;
    }
    class Base {
      @Tool('Finds.') find(@Param('a', 'The first') a: never): string {
        return a;
      }
    }
    @Section({ title: 'Archive' })
    class ArchiveSection extends Base {
      @Tool('Finds better.') override find(params: Query): string {
        return params.text;
      }
    }
    expect((await toolsOf(ArchiveSection))[0]?.paramsType).toBe(Query);
    expect((await invokeOn(ArchiveSection, 'find', { text: 'x' })).text).toBe('x');
  });

  test('two sections that share a parent do not share its tools or each other', async () => {
    class Base {
      @Tool({ name: 'base', description: 'Answers.' }) ping() {}
    }
    @Section({ title: 'Left' })
    class LeftSection extends Base {
      @Tool({ name: 'left', description: 'Answers.' }) override ping() {}
    }
    @Section({ title: 'Right' })
    class RightSection extends Base {}
    expect((await toolsOf(LeftSection, RightSection)).map(({ name }) => name)).toEqual(['left', 'base']);
  });

  test('DECL-23 abstract base, mixin, anonymous class: all of them declare tools', async () => {
    function searchable(base: new () => object) {
      class Mixed extends base {
        search(): string {
          return 'found';
        }
      }
      const descriptor = Object.getOwnPropertyDescriptor(Mixed.prototype, 'search');
      Tool('Searches.')(Mixed.prototype, 'search', descriptor as TypedPropertyDescriptor<() => string>);
      return Mixed;
    }
    const section = (() => class extends searchable(class {}) {})();
    Section({ key: 'archive', title: 'Archive' })(section);
    expect((await toolsOf(section)).map(({ metadata }) => metadata.place)).toEqual(['(anonymous class).search']);
    expect((await invokeOn(section, 'search')).text).toBe('found');
  });
});

describe('collect: class tools below class tools', () => {
  class City {
    @Param('City') city!: string;
  }
  @Tool({ name: 'weather', description: 'Current weather.', params: City, hints: { readOnly: true } })
  class WeatherTool {
    readonly source: string = 'base';
    handle({ city }: City): string {
      return `${this.source}: ${city}`;
    }
  }
  const sectionOf = (...tools: readonly Constructor[]) => defineSection({ key: 'weather', title: 'Weather', tools });

  test('a subclass of a class tool is one, with the declaration of its parent', async () => {
    class LocalWeatherTool extends WeatherTool {
      override readonly source = 'local';
    }
    const [tool] = await toolsOf(sectionOf(LocalWeatherTool));
    expect(tool).toMatchObject({ name: 'weather', description: 'Current weather.', hints: { readOnly: true } });
    expect(tool?.metadata).toMatchObject({ owner: LocalWeatherTool, place: 'LocalWeatherTool' });
    expect(tool?.paramsType).toBe(City);
    expect((await invokeOn(sectionOf(LocalWeatherTool), 'weather', { city: 'Ulm' })).text).toBe('local: Ulm');
  });

  test('an override of handle keeps the declaration; its own @Tool replaces it', async () => {
    class Override extends WeatherTool {
      override handle({ city }: City): string {
        return `override: ${city}`;
      }
    }
    @Tool({ name: 'town_weather', description: 'Weather of a town.', params: City })
    class Own extends WeatherTool {}
    class BelowOwn extends Own {}
    expect((await toolsOf(sectionOf(Override))).map(({ name }) => name)).toEqual(['weather']);
    expect((await invokeOn(sectionOf(Override), 'weather', { city: 'Ulm' })).text).toBe('override: Ulm');
    expect((await toolsOf(sectionOf(Own))).map(({ name }) => name)).toEqual(['town_weather']);
    expect((await toolsOf(sectionOf(BelowOwn))).map(({ name }) => name)).toEqual(['town_weather']);
    expect((await invokeOn(sectionOf(BelowOwn), 'town_weather', { city: 'Ulm' })).text).toBe('base: Ulm');
  });

  test('an abstract parent declares what its subclasses do; a derived name is that of the class that declares', async () => {
    @Tool({ description: 'Current weather.', params: City })
    abstract class AbstractWeather {
      abstract handle(params: City): string;
    }
    class Concrete extends AbstractWeather {
      override handle({ city }: City): string {
        return city;
      }
    }
    expect((await invokeOn(sectionOf(Concrete), 'abstract_weather', { city: 'Ulm' })).text).toBe('Ulm');
  });

  test('parent and subclass in one prompt have one name: E104 names both', async () => {
    class LocalWeatherTool extends WeatherTool {}
    const refusal = await refusalOf(sectionOf(WeatherTool, LocalWeatherTool));
    expect(refusal).toMatchObject({ code: 'E104', place: 'LocalWeatherTool' });
    expect(refusal.findings[0]?.problem).toContain('WeatherTool');
  });

  test('a class below a section with tools is no class tool', async () => {
    @Section({ title: 'Net' })
    class NetSection {
      @Tool('Answers.') ping() {}
    }
    class Below extends NetSection {}
    expect(await refusalOf(sectionOf(Below))).toMatchObject({ code: 'E301', place: 'Below' });
  });
});

describe('collect: lists of sections and tools', () => {
  test('sections, children and tools may be classes or thunks', async () => {
    const ping = defineTool({ name: 'ping', description: 'Answers.', handler: () => 'pong' });
    const child = defineSection({ key: 'child', title: 'Child', tools: [() => ping] });
    const parent = defineSection({ key: 'parent', title: 'Parent', children: [() => child] });
    const [tool] = await toolsOf(() => parent);
    expect(tool).toMatchObject({ name: 'ping', sectionPath: 'parent.child' });
  });

  test.each([
    ['undefined', undefined as never],
    ['a thunk of undefined', () => undefined as never],
  ])('E307: %s in a list of sections, children or tools is refused, with its position', async (_case, missing) => {
    @Section({ title: 'Orders', children: [missing], tools: [missing] })
    class OrdersSection {}
    const { findings } = await refusalOf(OrdersSection, missing);
    expect(findings.map(({ code, place }) => `${code} ${place}`)).toEqual([
      'E307 OrdersSection',
      'E307 OrdersSection',
      'E307 desk',
    ]);
    expect(findings.map(({ problem }) => problem)).toEqual([
      expect.stringMatching(/^tool 0 .*undefined/),
      expect.stringMatching(/^section 0 .*undefined/),
      expect.stringMatching(/^section 1 .*undefined/),
    ]);
    for (const { remedy } of findings) expect(remedy).toMatch(/\(\) => X.*third file/);
  });

  test('E307: section params that are undefined behind a thunk are refused', async () => {
    @Section({ title: 'Orders', params: () => undefined as never })
    class OrdersSection {}
    expect(await refusalOf(OrdersSection)).toMatchObject({
      code: 'E307',
      place: 'OrdersSection',
      sectionPath: 'orders',
    });
  });

  test('E307: a prompt that is undefined says so, and names the third file', async () => {
    const created = createApplication({ prompts: [undefined as never] });
    await expect(created).rejects.toMatchObject({
      code: 'E307',
      remedy: expect.stringContaining('third file') as unknown,
    });
  });

  test('E307: a thunk that meets a class in its dead zone, as ES modules in a circle do', async () => {
    const tooEarly = (): never => {
      throw new ReferenceError("Cannot access 'OrdersSection' before initialization");
    };
    @Section({ title: 'Orders', children: [tooEarly], tools: [tooEarly], params: tooEarly })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', params: tooEarly }) getOrder(params: unknown) {}
    }
    const { findings } = await refusalOf(OrdersSection);
    expect(findings.map(({ code }) => code)).toEqual(['E307', 'E307', 'E307', 'E307']);
  });

  test('E301: classes that carry no decorator are refused, each with its place', async () => {
    class Plain {}
    class Root {}
    @Section({ title: 'Refunds' })
    class RefundsSection {}
    @Section({ title: 'Orders', children: [Plain], tools: [RefundsSection] })
    class OrdersSection {}
    const { findings } = await refusalOf(OrdersSection, Root);
    expect(findings).toMatchObject([
      { code: 'E301', className: 'RefundsSection', sectionPath: 'orders' },
      { code: 'E301', className: 'Plain', sectionPath: 'orders' },
      { code: 'E301', className: 'Root', sectionPath: undefined },
    ]);
    await expect(createApplication({ prompts: [RefundsSection] })).rejects.toMatchObject({
      findings: [{ code: 'E301', place: 'RefundsSection', problem: expect.stringContaining('@Prompt') as unknown }],
    });
  });

  test('E308: a section inside itself is refused, at any distance, with the circle', async () => {
    const children: Constructor[] = [];
    @Section({ title: 'Orders', children })
    class OrdersSection {}
    @Section({ title: 'Refunds', children: [OrdersSection] })
    class RefundsSection {}
    children.push(RefundsSection);
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings.filter(({ code }) => code === 'E308')).toHaveLength(1);
    expect(refusal).toMatchObject({ code: 'E308', place: 'RefundsSection', sectionPath: 'orders.refunds' });
    expect(refusal.findings[0]?.problem).toContain('OrdersSection → RefundsSection → OrdersSection');
  });

  test('E308: a section that lists itself', async () => {
    @Section({ title: 'Orders', children: [() => OrdersSection] })
    class OrdersSection {}
    const refusal = await refusalOf(OrdersSection);
    expect(refusal).toMatchObject({ code: 'E308', place: 'OrdersSection', sectionPath: 'orders' });
    expect(refusal.findings[0]?.problem).toContain('OrdersSection → OrdersSection');
  });

  test('acceptsOverrides: false on a section covers its tools, and only them', async () => {
    const tool = (name: string, acceptsOverrides?: boolean) =>
      defineTool({ name, description: 'Answers.', acceptsOverrides, handler: null });
    const child = defineSection({ key: 'child', title: 'Child', tools: [tool('of_child')] });
    const closed = defineSection({
      key: 'closed',
      title: 'Closed',
      acceptsOverrides: false,
      tools: [tool('closed'), tool('still_closed', true)],
      children: [child],
    });
    const open = defineSection({ key: 'open', title: 'Open', tools: [tool('open'), tool('not', false)] });
    const desk = definePrompt({ ns: 'support', key: 'desk', sections: [closed, open] });
    const prompt = (await createApplication({ prompts: [desk] })).prompt(desk);
    expect(prompt.metadata.allSections.map(({ key, acceptsOverrides }) => [key, acceptsOverrides])).toEqual([
      ['closed', false],
      ['child', true],
      ['open', true],
    ]);
    const tools = await prompt.tools();
    expect(tools.map(({ name, acceptsOverrides }) => [name, acceptsOverrides])).toEqual([
      ['closed', false],
      ['still_closed', false],
      ['of_child', true],
      ['open', true],
      ['not', false],
    ]);
  });
});
