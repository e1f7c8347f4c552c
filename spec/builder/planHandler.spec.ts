import { Ctx, Param, Section, Tool, ToolContext } from 'toolwright';
import { decorateTool } from './decorateTool.js';
import { invokeOn } from './invokeOn.js';
import { refusalOf } from './refusalOf.js';
import { toolsOf } from './toolsOf.js';

/** The arguments of a handler, as texts that a test can compare. */
function words(...args: readonly unknown[]): string {
  return args
    .map((value) =>
      value instanceof ToolContext ? 'context' : value instanceof Object ? JSON.stringify(value) : value,
    )
    .join(' ');
}

describe('planHandler', () => {
  test('every legal signature gets its arguments in place', async () => {
    class City {
      @Param('City') city!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('Nothing.') nothing(): string {
        return 'nothing';
      }
      @Tool('Params.') params(params: City): string {
        return words(params instanceof City, params);
      }
      @Tool('Both.') both(params: City, context: ToolContext): string {
        return words(params instanceof City, params, context);
      }
      @Tool('Context.') context(context: ToolContext): string {
        return words(context);
      }
      @Tool('Marked.') marked(@Ctx() context: unknown): string {
        return words(context);
      }
    }
    const text = async (name: string, args: object = {}) => (await invokeOn(WeatherSection, name, { ...args })).text;
    expect(await text('nothing')).toBe('nothing');
    expect(await text('params', { city: 'Ulm' })).toBe('true {"city":"Ulm"}');
    expect(await text('both', { city: 'Ulm' })).toBe('true {"city":"Ulm"} context');
    expect(await text('context')).toBe('context');
    expect(await text('marked')).toBe('context');
  });

  test('a tool without params takes nothing but {}', async () => {
    @Section({ title: 'Network' })
    class NetworkSection {
      @Tool('Answers.') ping(): string {
        return 'pong';
      }
      @Tool('Answers, too.') pong(context: ToolContext): string {
        return context.call.name;
      }
    }
    const tools = await toolsOf(NetworkSection);
    expect(tools.map(({ paramsType }) => paramsType)).toEqual([null, null]);
    expect(tools[0]?.schema).toEqual({ type: 'object', properties: {}, additionalProperties: false });
    expect((await invokeOn(NetworkSection, 'ping', {})).text).toBe('pong');
    expect((await invokeOn(NetworkSection, 'pong', null)).text).toBe('pong');
    expect((await invokeOn(NetworkSection, 'ping', { city: 'Ulm' })).kind).toBe('rejected');
  });

  test('@Param scalars may be in any order, with the context anywhere', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('First.')
      first(context: ToolContext, @Param('city', 'City') city: string, @Param('days', 'Days') days: number): string {
        return words(context, city, days);
      }
      @Tool('Middle.')
      middle(
        @Param('city', 'City') city: string,
        @Ctx() context: unknown,
        @Param('days', 'Days') days: number,
      ): string {
        return words(city, context, days);
      }
      @Tool('Last.')
      last(@Param('city', 'City') city: string, @Param('days', 'Days') days: number, context: ToolContext): string {
        return words(city, days, context);
      }
      @Tool('None.') none(@Param('days', 'Days') days: number): string {
        return words(days);
      }
    }
    const args = { days: 3, city: 'Ulm' };
    expect((await invokeOn(WeatherSection, 'first', args)).text).toBe('context Ulm 3');
    expect((await invokeOn(WeatherSection, 'middle', args)).text).toBe('Ulm context 3');
    expect((await invokeOn(WeatherSection, 'last', args)).text).toBe('Ulm 3 context');
    expect((await invokeOn(WeatherSection, 'none', { days: 3 })).text).toBe('3');
  });

  test('@Param scalars become a params class in the order of the signature', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('Current weather for a city.')
      weather(
        @Param('city', 'City and state') city: string,
        @Param('unit', { description: 'Unit', enum: ['C', 'F'], default: 'C' }) unit: 'C' | 'F',
        @Param('days', { integer: true, min: 1, optional: true }) days?: number,
      ): string {
        return words(city, unit, days);
      }
    }
    const [tool] = await toolsOf(WeatherSection);
    expect(tool?.schema).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', description: 'City and state' },
        unit: { enum: ['C', 'F'], type: 'string', description: 'Unit', default: 'C' },
        days: { type: 'integer', minimum: 1 },
      },
      required: ['city'],
      additionalProperties: false,
    });
    expect(Object.keys(tool?.schema['properties'] as object)).toEqual(['city', 'unit', 'days']);
    expect(tool?.paramsType?.name).toBe('WeatherSection.weather');
    expect((await invokeOn(WeatherSection, 'weather', { city: 'Ulm' })).text).toBe('Ulm C ');
    expect((await invokeOn(WeatherSection, 'weather', { city: 'Ulm', days: 0 })).kind).toBe('rejected');
  });

  test('default values do not hide the parameters before or behind them', async () => {
    class City {
      @Param('City') city!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('Params.') params(params: City = new City(), context?: ToolContext): string {
        return words(params, context);
      }
      @Tool('Context.') context(context: ToolContext = undefined as never): string {
        return words(context);
      }
      @Tool('Scalars.')
      scalars(
        @Param('city', { description: 'City', type: String, optional: true }) city = 'Ulm',
        @Ctx() context?: ToolContext,
      ): string {
        return words(city, context);
      }
    }
    expect((await invokeOn(WeatherSection, 'params', { city: 'Bonn' })).text).toBe('{"city":"Bonn"} context');
    expect((await invokeOn(WeatherSection, 'context')).text).toBe('context');
    expect((await invokeOn(WeatherSection, 'scalars', { city: 'Bonn' })).text).toBe('Bonn context');
  });

  test('the arity comes from design:paramtypes, not fn.length (default value in the middle)', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('Scalars.')
      scalars(
        @Param('city', 'City') city: string,
        @Param('days', { description: 'Days', type: Number, optional: true }) days = 3,
        context?: ToolContext,
      ): string {
        return words(city, days, context);
      }
    }
    expect(WeatherSection.prototype.scalars).toHaveLength(1);
    expect((await invokeOn(WeatherSection, 'scalars', { city: 'Bonn' })).text).toBe('Bonn 3 context');
    expect((await invokeOn(WeatherSection, 'scalars', { city: 'Bonn', days: 5 })).text).toBe('Bonn 5 context');

    @Section({ title: 'Archive' })
    class ArchiveSection {
      @Tool('Undecorated.') find(@Param('text', 'Text') text: string, depth = 1, more?: string) {}
    }
    expect(ArchiveSection.prototype.find).toHaveLength(1);
    const refusal = await refusalOf(ArchiveSection);
    expect(refusal).toMatchObject({ code: 'E105', place: 'ArchiveSection.find' });
    expect(refusal.findings[0]?.problem).toContain('parameter 1');
  });

  test('a third parameter of the handler itself is refused, default or not', async () => {
    class City {
      @Param('City') city!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('Deep.') deep(params: City, context: ToolContext, depth?: number) {}
      @Tool('Deeper.') deeper(params: City, context: ToolContext, depth = 1) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings).toMatchObject([
      { code: 'E105', place: 'WeatherSection.deep' },
      { code: 'E105', place: 'WeatherSection.deeper' },
    ]);
    for (const { problem } of findings) {
      expect(problem).toContain('parameter 2');
      expect(problem).not.toContain('ToolContext');
    }
  });

  test('the class in @Tool({ params }) counts before the emitted one', async () => {
    class City {
      @Param('City') city!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool({ description: 'Given.', params: City }) given(params: { readonly city: string }): string {
        return words(params instanceof City);
      }
      @Tool({ description: 'Thunk.', params: () => City }) thunk(params: unknown, context: ToolContext): string {
        return words(params instanceof City, context);
      }
    }
    expect((await invokeOn(WeatherSection, 'given', { city: 'Ulm' })).text).toBe('true');
    expect((await invokeOn(WeatherSection, 'thunk', { city: 'Ulm' })).text).toBe('true context');
  });

  test('without emitted types, (params, context) are taken in this order', async () => {
    class City {
      @Param({ description: 'City', type: String }) city!: string;
    }
    class WeatherSection {
      both(params: unknown, context: unknown): string {
        return words(params instanceof City, context);
      }
      marked(context: unknown): string {
        return words(context);
      }
      nothing(): string {
        return 'nothing';
      }
    }
    decorateTool(WeatherSection, 'both', { description: 'Both.', params: () => City });
    decorateTool(WeatherSection, 'marked', 'Marked.');
    Ctx()(WeatherSection.prototype, 'marked', 0);
    decorateTool(WeatherSection, 'nothing', 'Nothing.');
    Section({ title: 'Weather' })(WeatherSection);
    expect((await invokeOn(WeatherSection, 'both', { city: 'Ulm' })).text).toBe('true context');
    expect((await invokeOn(WeatherSection, 'marked')).text).toBe('context');
    expect((await invokeOn(WeatherSection, 'nothing')).text).toBe('nothing');
  });

  test('without emitted types, @Param scalars need their types by option', async () => {
    class WeatherSection {
      weather(city: string, context: unknown): string {
        return words(city, context);
      }
    }
    Ctx()(WeatherSection.prototype, 'weather', 1);
    Param('city', { description: 'City', type: String })(WeatherSection.prototype, 'weather', 0);
    decorateTool(WeatherSection, 'weather', 'Current weather.');
    Section({ title: 'Weather' })(WeatherSection);
    expect((await toolsOf(WeatherSection))[0]?.schema['properties']).toMatchObject({ city: { type: 'string' } });
    expect((await invokeOn(WeatherSection, 'weather', { city: 'Ulm' })).text).toBe('Ulm context');
  });

  test('without emitted types, a given params class is passed even when the method hides its arity', async () => {
    class City {
      @Param({ description: 'City', type: String }) city!: string;
    }
    class WeatherSection {
      rest(...args: unknown[]): string {
        return words(...args);
      }
      defaulted(params = new City(), context?: unknown): string {
        return words(params, context);
      }
    }
    decorateTool(WeatherSection, 'rest', { description: 'Rest.', params: City });
    decorateTool(WeatherSection, 'defaulted', { description: 'Defaulted.', params: City });
    Section({ title: 'Weather' })(WeatherSection);
    expect((await invokeOn(WeatherSection, 'rest', { city: 'Ulm' })).text).toBe('{"city":"Ulm"} context');
    expect((await invokeOn(WeatherSection, 'defaulted', { city: 'Ulm' })).text).toBe('{"city":"Ulm"} context');
  });

  test('a class tool is called with (params, context), whatever its length says', async () => {
    class City {
      @Param('City') city!: string;
    }
    @Tool({ name: 'weather', description: 'Current weather.', params: City })
    class WeatherTool {
      handle(...args: unknown[]): string {
        return words(...args);
      }
    }
    @Section({ title: 'Weather', tools: [WeatherTool] })
    class WeatherSection {}
    expect((await invokeOn(WeatherSection, 'weather', { city: 'Ulm' })).text).toBe('{"city":"Ulm"} context');
  });
});
