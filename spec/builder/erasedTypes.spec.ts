import 'reflect-metadata';
import { Ctx, Param, Section, Tool, ToolContext, type ToolContext as ContextType } from 'toolwright';
import type { RejectedToolParams } from 'toolwright/events';
import { invokeOn } from './invokeOn.js';
import { refusalOf } from './refusalOf.js';
import { UntypedTool } from './UntypedTool.js';

interface City {
  readonly city: string;
}

describe('planHandler, where the compiler erases types', () => {
  test('DECL-13 type erased to Object: interface, union, generic and Partial ask for the class', async () => {
    class First {
      @Param('City') city!: string;
    }
    class Second {
      @Param('Town') town!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection<G> {
      @Tool('One.') one(params: City) {}
      @Tool('Two.') two(params: First | Second) {}
      @Tool('Three.') three(params: G) {}
      @Tool('Four.') four(params: Partial<First>) {}
      @Tool('Five.') five(params: Readonly<Record<string, string>>) {}
      @Tool('Six.') six(params: unknown) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings.map(({ code, member }) => `${code} ${String(member)}`)).toEqual([
      'E106 one',
      'E106 two',
      'E106 three',
      'E106 four',
      'E106 five',
      'E106 six',
    ]);
    for (const { problem, remedy } of findings) {
      expect(problem).toContain('reflects as Object');
      expect(remedy).toContain('@Tool({ params: X })');
    }
  });

  test('DECL-13 type erased to Object: a scalar and a property ask for their type', async () => {
    class Forecast {
      @Param('City') city!: City | null;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(@Param('city', 'City') city: string | number) {}
      @Tool('Two.') two(params: Forecast) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings.map(({ code, place }) => `${code} ${place}`)).toEqual([
      expect.stringMatching(/^E201 WeatherSection\.one/),
      'E201 Forecast.city',
    ]);
    for (const { problem, remedy } of findings) {
      expect(problem).toContain('reflects as Object');
      expect(remedy).toContain('type: X');
    }
  });

  test('an `import type` is said to be one', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(params: RejectedToolParams) {}
    }
    const refusal = await refusalOf(WeatherSection);
    expect(refusal).toMatchObject({ code: 'E106', place: 'WeatherSection.one' });
    expect(refusal.findings[0]?.problem).toMatch(/reflects as (Object|Function)/);
    expect(refusal.remedy).toContain('import type');
  });

  test('a context by `import type` or by interface says how to write it', async () => {
    class Forecast {
      @Param('City') city!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(params: Forecast, context: ContextType) {}
      @Tool('Two.') two(params: Forecast, context: { readonly now: () => number }) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings).toMatchObject([
      { code: 'E106', member: 'one' },
      { code: 'E106', member: 'two' },
    ]);
    for (const { problem, remedy } of findings) {
      expect(problem).toContain('parameter 1');
      expect(remedy).toMatch(/context: ToolContext.*import type.*@Ctx\(\)/);
    }
  });

  test('@Ctx makes a context of any type', async () => {
    class Forecast {
      @Param('City') city!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(params: Forecast, @Ctx() context: ContextType): boolean {
        return context instanceof ToolContext && params instanceof Forecast;
      }
    }
    expect((await invokeOn(WeatherSection, 'one', { city: 'Ulm' })).result.value).toBe(true);
  });

  test('the finding suggests @Param for a bare scalar, and a class for a collection', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(city: string) {}
      @Tool('Two.') two(days: number) {}
      @Tool('Three.') three(now: boolean) {}
      @Tool('Four.') four(cities: string[]) {}
      @Tool('Five.') five(cities: Map<string, string>) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings.map(({ code }) => code)).toEqual(['E106', 'E106', 'E106', 'E106', 'E106']);
    for (const { remedy } of findings.slice(0, 3)) expect(remedy).toContain("@Param('name', 'description')");
    expect(findings[3]?.problem).toContain('Array');
  });

  test('a class that a circular import left undefined is E307 with the third-file remedy', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(params: object) {}
      @Tool('Two.') two(params: object, context: object) {}
    }
    class Forecast {
      @Param('City') city!: string;
    }
    Reflect.defineMetadata('design:paramtypes', [undefined], WeatherSection.prototype, 'one');
    Reflect.defineMetadata('design:paramtypes', [Forecast, undefined], WeatherSection.prototype, 'two');
    const { findings } = await refusalOf(WeatherSection);
    expect(findings).toMatchObject([
      { code: 'E307', place: 'WeatherSection.one' },
      { code: 'E106', place: 'WeatherSection.two' },
    ]);
    expect(findings[0]?.problem).toContain('undefined');
    expect(findings[0]?.remedy).toContain('third file');
    expect(findings[1]?.problem).toMatch(/parameter 1 reflects as undefined/);
  });

  test('two params classes are one too many', async () => {
    class Forecast {
      @Param('City') city!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @UntypedTool('One.') one(params: Forecast, more: Forecast) {}
      @UntypedTool('Two.') two(context: ToolContext, params: Forecast) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings).toMatchObject([
      { code: 'E105', member: 'one' },
      { code: 'E105', member: 'two' },
    ]);
    expect(findings[0]?.problem).toContain('parameter 1 is of type Forecast');
  });

  test('DECL-13 a function or a built-in class says nothing of the values: never a silent {}', async () => {
    class Forecast {
      @Param('Callback') callback!: () => void;
      @Param('By city') byCity!: Map<string, string>;
      @Param('Cities') cities!: Set<string>;
      @Param('Pattern') pattern!: RegExp;
      @Param('Later') later!: Promise<string>;
      @Param('Big') big!: bigint;
      @Param('Fine') fine!: string;
    }
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(params: Forecast) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings.map(({ code, place }) => `${code} ${place}`)).toEqual([
      'E201 Forecast.callback',
      'E201 Forecast.byCity',
      'E201 Forecast.cities',
      'E201 Forecast.pattern',
      'E201 Forecast.later',
      'E201 Forecast.big',
    ]);
  });

  test('DECL-13 a built-in class as a scalar is refused, too', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('One.') one(@Param('cities', 'Cities') cities: Map<string, string>) {}
      @Tool('Two.') two(@Param('next', 'Next') next: () => void) {}
    }
    const { findings } = await refusalOf(WeatherSection);
    expect(findings).toMatchObject([
      { code: 'E201', member: 'one', toolName: 'one' },
      { code: 'E201', member: 'two', toolName: 'two' },
    ]);
  });
});
