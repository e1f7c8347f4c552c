import { createApplication, definePrompt, defineSection, defineTool, Section, Tool } from 'toolwright';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

describe('toolUniqueness', () => {
  test('DECL-02 two methods normalise to the same name: both are named, none wins', async () => {
    @Section({ title: 'Pages' })
    class PagesSection {
      @Tool('Fetch a page.') getURL() {}
      @Tool('Fetch a page.') getUrl() {}
    }
    const refusal = await refusalOf(PagesSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({
      code: 'E104',
      place: 'PagesSection.getUrl',
      sectionPath: 'pages',
      toolName: 'get_url',
      placeholder: 'get_url',
    });
    expect(refusal.findings[0]).toMatchObject({ className: 'PagesSection', member: 'getUrl' });
    expect(refusal.message).toContain('PagesSection.getURL');
  });

  test('CONT-07 duplicate tool name across two services: both sections and classes are named', async () => {
    @Section({ title: 'Archive' })
    class ArchiveSection {
      @Tool('Find in the archive.') find() {}
    }
    @Section({ title: 'Guidance', enabled: false })
    class GuidanceSection {
      @Tool('Find guidance.') find() {}
    }
    const refusal = await refusalOf(ArchiveSection, GuidanceSection);
    expect(refusal).toMatchObject({ code: 'E104', place: 'GuidanceSection.find', sectionPath: 'guidance' });
    expect(refusal.findings[0]?.problem).toContain('ArchiveSection.find');
    expect(refusal.findings[0]?.problem).toContain('section archive');
  });

  test('a duplicate tool name in a disabled section is refused', async () => {
    const tool = () => defineTool({ name: 'find', description: 'Finds.', handler: null });
    const off = defineSection({ key: 'off', title: 'Off', enabled: false, tools: [tool()] });
    const below = defineSection({ key: 'below', title: 'Below', tools: [tool()] });
    const hidden = defineSection({ key: 'hidden', title: 'Hidden', enabled: () => false, children: [below] });
    const shown = defineSection({ key: 'shown', title: 'Shown', tools: [tool()] });
    expect(await refusalOf(shown, off)).toMatchObject({ code: 'E104', toolName: 'find', sectionPath: 'off' });
    expect(await refusalOf(off, shown)).toMatchObject({ code: 'E104', toolName: 'find', sectionPath: 'shown' });
    expect(await refusalOf(shown, hidden)).toMatchObject({ code: 'E104', sectionPath: 'hidden.below' });
  });

  test('class tools and defined tools are counted together, and every later one is reported', async () => {
    const ping = defineTool({ name: 'ping', description: 'Answers.', handler: null });
    @Tool({ name: 'ping', description: 'Answers.' })
    class PingTool {
      handle() {}
    }
    @Section({ title: 'Network', tools: [ping, PingTool] })
    class NetworkSection {
      @Tool('Answers.') ping() {}
    }
    const { findings } = await refusalOf(NetworkSection);
    expect(findings).toMatchObject([
      { code: 'E104', place: 'ping', member: undefined },
      { code: 'E104', place: 'PingTool', className: 'PingTool' },
    ]);
    expect(findings.map(({ problem }) => problem)).toEqual([
      expect.stringContaining('NetworkSection.ping'),
      expect.stringContaining('NetworkSection.ping'),
    ]);
  });

  test('one section class in two places offers its tools twice', async () => {
    @Section({ key: 'shared', title: 'Shared' })
    class SharedSection {
      @Tool('Answers.') ping() {}
    }
    const left = defineSection({ key: 'left', title: 'Left', children: [SharedSection] });
    const right = defineSection({ key: 'right', title: 'Right', children: [SharedSection] });
    const refusal = await refusalOf(left, right);
    expect(refusal).toMatchObject({ code: 'E104', sectionPath: 'right.shared' });
    expect(refusal.findings[0]?.problem).toContain('left.shared');
  });

  test('two tools on one method: the second is not dropped silently', async () => {
    @Section({ title: 'Network' })
    class NetworkSection {
      @Tool({ name: 'ping', description: 'Answers.' })
      @Tool({ name: 'pong', description: 'Answers, too.' })
      ping() {}
    }
    const offered = await toolsOf(NetworkSection).then(
      (tools) => tools.map(({ name }) => name),
      () => 'refused',
    );
    expect(offered).not.toEqual(['ping']);
  });

  test('two prompts of one application may use the same name', async () => {
    const section = (key: string) =>
      defineSection({
        key,
        title: key,
        tools: [defineTool({ name: 'ping', description: 'Answers.', handler: null })],
      });
    const first = definePrompt({ ns: 'a', key: 'first', sections: [section('one')] });
    const second = definePrompt({ ns: 'a', key: 'second', sections: [section('one')] });
    const app = await createApplication({ prompts: [first, second] });
    expect(await app.prompt(first).tools()).toHaveLength(1);
    expect(await app.prompt(second).tools()).toHaveLength(1);
  });
});
