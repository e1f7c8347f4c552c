import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
import { dump } from 'toolwright/schema';

const root = resolve(__dirname, '../../..');

/** Reads dates, and writes one into a prompt, in a process: only a new one takes a time zone. */
const SCRIPT = `
const { createApplication, definePrompt, defineSection, Param } = require('./dist/index.cjs');
const { parse } = require('./dist/schema.cjs');
class WhenParams {}
Param({ description: 'When', type: Date })(WhenParams.prototype, 'at');
const texts = JSON.parse(process.argv[1]);
(async () => {
  const section = defineSection({ key: 's', title: 'S', params: WhenParams, template: 'At \${at}.' });
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [section] });
  const app = await createApplication({ prompts: [Desk] });
  const at = new Date(Date.UTC(2030, 0, 31, 10));
  const { text } = await app.prompt(Desk).bind(WhenParams, { at }).render();
  const read = texts.map((each) => parse(WhenParams, { at: each }).at.toISOString());
  console.log(JSON.stringify({ hours: new Date('2030-01-31T10:00').getUTCHours(), read, text: text.split('\\n').at(-1) }));
})();
`;

const instants = [
  ['2030-01-31T10:00:00', '2030-01-31T10:00:00.000Z'],
  ['2030-07-31T10:00', '2030-07-31T10:00:00.000Z'],
  ['2030-01-31 10:00:00', '2030-01-31T10:00:00.000Z'],
  ['2030-01-31', '2030-01-31T00:00:00.000Z'],
  ['2030-01', '2030-01-01T00:00:00.000Z'],
  ['2030-01-31T10:00:00Z', '2030-01-31T10:00:00.000Z'],
  ['2030-01-31T10:00:00+02:00', '2030-01-31T08:00:00.000Z'],
  ['2030-01-31T10:00:00.250-05:00', '2030-01-31T15:00:00.250Z'],
] as const;

describe('CALL-06 dates of another zone', () => {
  beforeAll(() => {
    execFileSync(process.execPath, ['scripts/build.mjs'], { cwd: root });
  }, 120_000);

  test.each([
    ['UTC', 10],
    ['America/New_York', 15],
    ['Asia/Kolkata', 4],
  ])(
    'dates without a zone are read as UTC, and written as ISO 8601 into a prompt, where the host is in %s',
    (zone, hours) => {
      const texts = JSON.stringify(instants.map(([text]) => text));
      const env = { ...process.env, TZ: zone };
      const printed = execFileSync(process.execPath, ['-e', SCRIPT, texts], { cwd: root, env, encoding: 'utf8' });
      expect(JSON.parse(printed)).toEqual({
        // What JavaScript alone reads: the zone has taken effect.
        hours,
        read: instants.map(([, instant]) => instant),
        text: 'At 2030-01-31T10:00:00.000Z.',
      });
    },
    60_000,
  );
});

describe('CALL-06 dates in schemas', () => {
  test('CALL-06 dates in schemas are described to the model with what their format does not say', async () => {
    class Day {
      @Param('Its beginning.') start!: Date;
      @Param('Its name') name!: string;
    }
    class WhenParams {
      @Param('When') at!: Date;
      @Param({ description: 'Until when', type: Date, nullable: true }) until: Date | null = null;
      @Param({ description: 'Reminders', type: [Date] }) reminders: readonly Date[] = [];
      @Param({ description: 'The day', type: Day }) day!: Day;
    }
    const tool = defineTool({ name: 'move', description: 'Moves it.', params: WhenParams, handler: () => 'moved' });
    const section = defineSection({ key: 's', title: 'S', tools: [tool] });
    const desk = definePrompt({ ns: 'n', key: 'k', sections: [section] });
    const app = await createApplication({ prompts: [desk] });
    const { tools } = await app.prompt(desk).render();
    const note = 'ISO 8601; UTC without a zone.';
    expect(dump(tools[0]?.schema)).toMatchObject({
      properties: {
        at: { type: 'string', format: 'date-time', description: `When. ${note}` },
        until: { description: `Until when. ${note}` },
        reminders: { description: `Reminders. ${note}` },
        day: {
          description: 'The day',
          properties: { start: { description: `Its beginning. ${note}` }, name: { description: 'Its name' } },
        },
      },
    });
  });
});
