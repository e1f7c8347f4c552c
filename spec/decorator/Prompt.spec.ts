import { createApplication, Prompt, Section, Tool, type PromptOptions } from 'toolwright';
import { findArgs } from '../../src/metadata/args/MetadataArgsStorage.js';

describe('Prompt', () => {
  test('Prompt writes down its options, as they are', () => {
    const options: PromptOptions = { ns: 'support', key: 'desk', sections: [] };
    @Prompt(options)
    class SupportDesk {}
    expect(findArgs(SupportDesk)?.prompt).toBe(options);
  });

  test('@Prompt is not inherited: a subclass is another prompt', async () => {
    @Prompt({ ns: 'support', key: 'desk', sections: [] })
    class SupportDesk {}
    class NightDesk extends SupportDesk {}
    await expect(createApplication({ prompts: [NightDesk] })).rejects.toMatchObject({
      code: 'E301',
      place: 'NightDesk',
    });
  });

  test('E403: only listed prompts are part of the application', async () => {
    @Prompt({ ns: 'support', key: 'desk', sections: [] })
    class SupportDesk {}
    @Prompt({ ns: 'support', key: 'night', sections: [] })
    class NightDesk {}
    const app = await createApplication({ prompts: [SupportDesk] });
    expect(app.prompt(SupportDesk).key).toBe('desk');
    expect(() => app.prompt(NightDesk)).toThrow(expect.objectContaining({ code: 'E403', place: 'NightDesk' }) as Error);
  });

  test.each<[PromptOptions['heading'], string]>([
    [undefined, '## 1. Orders (orders)\n\n### 1.1. Lines (orders.lines)'],
    ['numbered-path', '## 1. Orders (orders)\n\n### 1.1. Lines (orders.lines)'],
    ['numbered', '## 1 Orders\n\n### 1.1 Lines'],
    ['plain', '## Orders\n\n### Lines'],
    [
      ({ number, title, path, depth }) => `${String(depth)}|${number}|${title}|${path}`,
      '0|1|Orders|orders\n\n1|1.1|Lines|orders.lines',
    ],
  ])('@Prompt writes headings in the form %p', async (heading, text) => {
    @Section({ title: 'Lines' })
    class LinesSection {}
    @Section({ title: 'Orders', children: [LinesSection] })
    class OrdersSection {}
    @Prompt({ ns: 'support', key: 'desk', sections: [OrdersSection], heading })
    class SupportDesk {}
    const app = await createApplication({ prompts: [SupportDesk] });
    expect((await app.prompt(SupportDesk).render()).text).toBe(text);
  });

  test('one class may be section and tool of several prompts', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      count = 0;
      @Tool('Counts.') tick(): number {
        return ++this.count;
      }
    }
    @Prompt({ ns: 'support', key: 'day', sections: [OrdersSection] })
    class DayDesk {}
    @Prompt({ ns: 'support', key: 'night', sections: [OrdersSection] })
    class NightDesk {}
    const app = await createApplication({ prompts: [DayDesk, NightDesk] });
    const counts: unknown[] = [];
    for (const desk of [DayDesk, NightDesk]) {
      counts.push((await app.invoke(await app.prompt(desk).render(), 'tick', {})).result.value);
    }
    expect(counts).toEqual([1, 2]);
  });
});
