import { bind, createApplication, definePrompt, defineSection, defineTool, PromptError } from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import { DeadlineFeedback, FileOutputChecker, RateLimitPolicy, ReadBeforeWritePolicy } from 'toolwright/policies';
import { failAfter, failAtWrite, ReplayModel } from 'toolwright/testing';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { HostFilesystem } from '@toolwright/files';
import { getMcpPrompt, mcpSection, serveMcp, toolkitFromMcp } from '@toolwright/mcp';
import { ToolwrightModule, toolwrightToken } from '@toolwright/nestjs';
import { openTelemetry } from '@toolwright/opentelemetry';
import { extractCode, programs, QuickJsSandbox, Toolkit } from '@toolwright/programs';
import { schemaOf } from 'toolwright/schema';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Container } from 'typedi';

type Row = readonly [place: string, wrong: string, right: string, act: (wrongly: never) => unknown];

/** The options come as `{ [wrong]: 1 }`; the error must name the place, and the option that was meant. */
async function expectRefusal(...[place, wrong, right, act]: Row): Promise<void> {
  const error: unknown = await Promise.resolve()
    .then(() => act({ [wrong]: 1 } as never))
    .catch((thrown: unknown) => thrown);
  expect(error instanceof PromptError).toBe(true);
  expect(error).toMatchObject({ code: 'E413', place });
  expect((error as Error).message).toContain(`there is no option "${wrong}". Did you mean "${right}"`);
}

const note = defineTool({ name: 'note', description: 'Notes it.', handler: () => 'ok' });
const desk = definePrompt({
  ns: 'n',
  key: 'k',
  sections: [defineSection({ key: 's', title: 'S', tools: [note] })],
});
/** Must not be asked for anything. */
const client = {} as never;
class Store {}

const kitRows: readonly Row[] = [
  ['Toolkit.from', 'atomc', 'atomic', (wrongly) => Toolkit.from([note], wrongly)],
  ['programs', 'ofer', 'offer', (wrongly) => programs(wrongly)],
  ['extractCode', 'al', 'all', (wrongly) => extractCode('', wrongly)],
  ['QuickJsSandbox', 'worker', 'workers', (wrongly) => new QuickJsSandbox(wrongly)],
];

describe('DECL-42 options with names that are not known are refused by @toolwright/programs', () => {
  test.each(kitRows)('DECL-42 %s refuses the unknown option %s', (...row) => expectRefusal(...row));

  test.each<Row>([
    ['toolkit.execute', 'aprove', 'approve', () => undefined],
    ['toolkit.filter', 'name', 'names', () => undefined],
    ['retry', 'maxx', 'max', () => undefined],
  ])('DECL-42 %s refuses the unknown option %s', async (place, wrong, right) => {
    await using kit = await Toolkit.from([note]);
    const acts: Readonly<Record<string, (wrongly: never) => unknown>> = {
      'toolkit.execute': (wrongly) => kit.execute('return 1', wrongly),
      'toolkit.filter': (wrongly) => kit.filter(wrongly),
      retry: (wrongly) =>
        kit.execute('return 1', { retry: { max: 1, handler: () => 'return 2', ...(wrongly as object) } }),
    };
    await expectRefusal(place, wrong, right, (wrongly) => acts[place]?.(wrongly));
  });
});

describe('DECL-42 options with names that are not known are refused by @toolwright/mcp', () => {
  test.each<Row>([
    [
      'mcpSection',
      'prefx',
      'prefix',
      (wrongly) => mcpSection(client, { key: 's', title: 'S', ...(wrongly as object) }),
    ],
    ['mcpSection', 'titel', 'title', (wrongly) => mcpSection(client, wrongly)],
    ['toolkitFromMcp', 'extraTool', 'extraTools', (wrongly) => toolkitFromMcp(client, wrongly)],
    ['toolkitFromMcp', 'timeoutMS', 'timeoutMs', (wrongly) => toolkitFromMcp(client, wrongly)],
    ['getMcpPrompt', 'callTimeout', 'callTimeoutMs', (wrongly) => getMcpPrompt(client, 'p', {}, wrongly)],
  ])('DECL-42 %s refuses the unknown option %s', (...row) => expectRefusal(...row));

  test.each<readonly [place: string, wrong: string, right: string]>([
    ['serveMcp', 'sesion', 'session'],
    ['serveMcp({ http })', 'maxSession', 'maxSessions'],
    ['server.listen', 'prt', 'port'],
  ])('DECL-42 %s refuses the unknown option %s', async (place, wrong, right) => {
    const app = await createApplication({ prompts: [desk] });
    const prompt = app.prompt(desk);
    const acts: Readonly<Record<string, (wrongly: never) => unknown>> = {
      serveMcp: (wrongly) => serveMcp(app, prompt, wrongly),
      'serveMcp({ http })': (wrongly) => serveMcp(app, prompt, { http: wrongly }),
      'server.listen': (wrongly) => serveMcp(app, prompt).listen(wrongly),
    };
    await expectRefusal(place, wrong, right, (wrongly) => acts[place]?.(wrongly));
  });
});

test('DECL-42 options with names that are not known are refused by SqliteRuns', () =>
  expectRefusal('SqliteRuns', 'encypt', 'encrypt', (wrongly) => new SqliteRuns('runs.db', wrongly)));

describe('DECL-42 options with names that are not known are refused by resources and policies', () => {
  test.each<Row>([
    ['bind(Store)', 'scop', 'scope', (wrongly) => bind(Store, { provide: () => new Store(), ...(wrongly as object) })],
    ['bind(Store)', 'provid', 'provide', (wrongly) => bind(Store, wrongly)],
    ['HostFilesystem.open', 'snapshot', 'snapshots', (wrongly) => HostFilesystem.open('/', wrongly)],
    ['RateLimitPolicy', 'perSecond', 'perSeconds', (wrongly) => new RateLimitPolicy(wrongly)],
    ['ReadBeforeWritePolicy', 'mountpoint', 'mountPoint', (wrongly) => new ReadBeforeWritePolicy(wrongly)],
    ['DeadlineFeedback', 'triger', 'trigger', (wrongly) => new DeadlineFeedback(wrongly)],
    ['FileOutputChecker', 'file', 'files', (wrongly) => new FileOutputChecker(wrongly)],
    ['fromTypedi', 'ids', 'id', (wrongly) => fromTypedi(Container, wrongly)],
    ['schemaOf', 'targt', 'target', (wrongly) => schemaOf(Store, wrongly)],
  ])('DECL-42 %s refuses the unknown option %s', (...row) => expectRefusal(...row));
});

describe('DECL-42 options with names that are not known are refused by toolwright/testing', () => {
  test.each<Row>([
    ['failAfter', 'cal', 'call', (wrongly) => failAfter('note', wrongly)],
    ['failAtWrite', 'method', 'methods', (wrongly) => failAtWrite({ put: () => undefined }, 1, wrongly)],
    ['ReplayModel', 'redac', 'redact', (wrongly) => new ReplayModel([], wrongly)],
  ])('DECL-42 %s refuses the unknown option %s', (...row) => expectRefusal(...row));
});

describe('DECL-42 options with names that are not known are refused by @toolwright/opentelemetry', () => {
  test.each<Row>([['openTelemetry', 'captureContents', 'captureContent', (wrongly) => openTelemetry(wrongly)]])(
    'an unknown option of @toolwright/opentelemetry is refused: %s: %s',
    (...row) => expectRefusal(...row),
  );
});

describe('DECL-42 options with names that are not known are refused by @toolwright/nestjs', () => {
  test.each<Row>([
    ['ToolwrightModule.forRoot', 'graceMS', 'graceMs', (wrongly) => ToolwrightModule.forRoot(wrongly)],
    ['ToolwrightModule.forRoot', 'isGlobl', 'isGlobal', (wrongly) => ToolwrightModule.forRoot(wrongly)],
    ['ToolwrightModule.forFeature', 'import', 'imports', (wrongly) => ToolwrightModule.forFeature([], wrongly)],
    [
      'ToolwrightModule',
      'limit',
      'limits',
      (wrongly) => {
        const root = ToolwrightModule.forRootAsync({ useFactory: () => wrongly });
        class Host {}
        Module({ imports: [root] })(Host);
        return Test.createTestingModule({ imports: [Host] }).compile();
      },
    ],
  ])('DECL-42 %s refuses the unknown option %s', (...row) => expectRefusal(...row));

  test('forRoot takes the options of its module beside those of the application', async () => {
    const root = ToolwrightModule.forRoot({ name: 'desk', isGlobal: false, graceMs: 1, prompts: [] });
    expect(root.exports).toEqual([toolwrightToken('desk')]);
    const made = await Test.createTestingModule({ imports: [root] }).compile();
    expect(made.get(toolwrightToken('desk'), { strict: false })).toBeDefined();
  });
});
