import { defineSection, Section, Tool } from 'toolwright';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

describe('toolRepeated', () => {
  test('E110: a method with two @Tool is named once, whatever their names are', async () => {
    @Section({ title: 'Network' })
    class NetworkSection {
      @Tool('Answers.')
      @Tool({ name: 'pong', description: 'Answers, too.' })
      ping() {}
    }
    const { findings } = await refusalOf(NetworkSection);
    expect(findings).toMatchObject([
      { code: 'E110', place: 'NetworkSection.ping', className: 'NetworkSection', member: 'ping' },
    ]);
  });

  test('E110: a class with two @Tool is refused', async () => {
    @Tool({ name: 'ping', description: 'Answers.' })
    @Tool({ name: 'pong', description: 'Answers, too.' })
    class PingTool {
      handle() {}
    }
    const refusal = await refusalOf(defineSection({ key: 'net', title: 'Network', tools: [PingTool] }));
    expect(refusal.findings).toMatchObject([{ code: 'E110', place: 'PingTool', member: undefined }]);
  });

  test('E110: a parent of several sections is named by its own name, once', async () => {
    class Base {
      @Tool('Answers.') @Tool('Answers, too.') ping() {}
    }
    @Section({ title: 'Left' })
    class LeftSection extends Base {
      @Tool({ name: 'left', description: 'Answers.' }) override ping() {}
    }
    @Section({ title: 'Right' })
    class RightSection extends Base {}
    const { findings } = await refusalOf(LeftSection, RightSection);
    expect(findings.map(({ code, place }) => `${code} ${place}`)).toEqual(['E110 Base.ping']);
  });

  test('an override with @Tool, and two methods with one text, are no repetition', async () => {
    class Base {
      @Tool('Answers.') ping() {}
    }
    @Section({ title: 'Network' })
    class NetworkSection extends Base {
      @Tool('Answers.') override ping() {}
      @Tool('Answers.') pong() {}
    }
    expect(await toolsOf(NetworkSection)).toHaveLength(2);
  });
});
