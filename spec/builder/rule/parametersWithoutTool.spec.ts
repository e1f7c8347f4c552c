import { Ctx, defineSection, Param, Section, Tool, ToolContext } from 'toolwright';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

describe('parametersWithoutTool', () => {
  test('E111: a section method with @Param or @Ctx, but without @Tool, is said to be no tool', async () => {
    @Section({ title: 'Weather' })
    class WeatherSection {
      @Tool('Current weather.') current(@Param('city', 'City') city: string) {}
      forecast(@Param('city', 'City') city: string, @Param('days', 'Days') days: number) {}
      whoAmI(@Ctx() context: ToolContext) {}
    }
    const { findings, ...refusal } = await refusalOf(WeatherSection);
    expect(refusal).toMatchObject({ code: 'E111', place: 'WeatherSection.forecast' });
    expect(findings).toMatchObject([
      { code: 'E111', place: 'WeatherSection.forecast', className: 'WeatherSection', member: 'forecast' },
      { code: 'E111', place: 'WeatherSection.whoAmI', className: 'WeatherSection', member: 'whoAmI' },
    ]);
    expect(findings[0]?.problem).toMatch(/parameter \d has @Param, but the method has no @Tool/);
    expect(findings[1]?.problem).toMatch(/parameter 0 has @Ctx/);
    for (const { remedy } of findings) expect(remedy).toMatch(/Put @Tool\('description'\) on the method/);
  });

  test('E111: parameters without a tool are refused on a static method, in a parent class, and in a class tool', async () => {
    class Base {
      find(@Param('text', 'Text') text: string) {}
    }
    @Tool({ name: 'ping', description: 'Answers.' })
    class PingTool {
      handle() {}
      helper(@Ctx() context: ToolContext) {}
    }
    @Section({ title: 'Archive', tools: [PingTool] })
    class ArchiveSection extends Base {
      static open(@Param('key', 'Key') key: string) {}
    }
    const { findings } = await refusalOf(ArchiveSection);
    expect(findings.map(({ code, place }) => `${code} ${place}`)).toEqual([
      'E111 ArchiveSection.open',
      'E111 ArchiveSection.find',
      'E111 PingTool.helper',
    ]);
  });

  test('an override keeps the @Tool of its parent, and @Param on handle belongs to the class tool', async () => {
    class Base {
      @Tool('Finds.') find(@Param('text', 'Text') text: string): string {
        return text;
      }
    }
    @Section({ title: 'Archive' })
    class ArchiveSection extends Base {
      override find(@Param('text', 'Text') text: string): string {
        return text;
      }
    }
    @Tool({ name: 'ping', description: 'Answers.' })
    class PingTool {
      handle(@Param('text', 'Text') text: string): string {
        return text;
      }
    }
    const tools = await toolsOf(ArchiveSection, defineSection({ key: 'net', title: 'Net', tools: [PingTool] }));
    expect(tools.map(({ name }) => name)).toEqual(['find', 'ping']);
  });
});
