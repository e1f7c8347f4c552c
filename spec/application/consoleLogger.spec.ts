import fc from 'fast-check';
import { consoleLogger } from '../../src/application/consoleLogger';
import { createApplication, Param, Prompt, Section, Session, Tool } from 'toolwright';

/** What the default logger writes to the console. */
function written(work: () => void): readonly string[] {
  const lines: string[] = [];
  const take = (...given: readonly unknown[]): void => void lines.push(given.map(String).join(' '));
  const [warn, error] = [jest.spyOn(console, 'warn'), jest.spyOn(console, 'error')];
  try {
    warn.mockImplementation(take);
    error.mockImplementation(take);
    work();
  } finally {
    warn.mockRestore();
    error.mockRestore();
  }
  return lines;
}

describe('the default logger', () => {
  test('an entry is one line: nothing in it forges another, or acts on a terminal', () => {
    const said = written(() => {
      consoleLogger.warn('bad argument "a\r\ntoolwright: E999: owned\u001b[2J\u202e"');
      consoleLogger.error('a\u2028b', { error: 'c\nd' });
      consoleLogger.info('a\nb');
      consoleLogger.debug('a\nb');
    });
    expect(said).toEqual([
      'toolwright: bad argument "a\\r\\ntoolwright: E999: owned\\u001b[2J\\u202e"',
      'toolwright: a\\u2028b',
    ]);
  });

  test('the default logger holds for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        for (const line of written(() => consoleLogger.warn(text)))
          expect(line).not.toMatch(
            /(?![\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u,
          );
      }),
    );
  });

  test('the message of a failing tool that quotes its argument stays one entry', async () => {
    class Params {
      @Param('The name') name!: string;
    }
    @Section({ title: 'Doors', template: 'Doors.' })
    class Doors {
      @Tool('Open a door.') openDoor({ name }: Params): string {
        throw new RangeError(`there is no door ${name}`);
      }
    }
    @Prompt({ ns: 'test', key: 'doors', sections: [Doors] })
    class House {}
    const app = await createApplication({ prompts: [House] });
    const session = new Session();
    const rendered = await app.prompt(House).render({ session });
    const lines: string[] = [];
    const spies = (['warn', 'error'] as const).map((level) =>
      jest
        .spyOn(console, level)
        .mockImplementation((...given: readonly unknown[]) => void lines.push(String(given[0]))),
    );
    try {
      const call = { id: '1', name: 'open_door', arguments: { name: 'x\ntoolwright: E999: owned' } };
      await app.callTool(rendered, call, { session });
    } finally {
      for (const spy of spies) spy.mockRestore();
    }
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toContain('\n');
  });
});
