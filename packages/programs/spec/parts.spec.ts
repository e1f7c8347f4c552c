import { createApplication, definePrompt, defineSection, Session, ToolResult } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import { programs } from '@toolwright/programs';
import { silentLogger } from '../../../spec/conformance/declare/silentLogger';
import { act, engineOfFile, PATIENCE_MS } from './kit';

jest.setTimeout(PATIENCE_MS);
const sandbox = engineOfFile();

const parts = [{ kind: 'image', mediaType: 'image/png', data: 'QUJD' }] as const;

test('a program gets a line for each part where a result has no value, and never the bytes', async () => {
  const tools = [
    act('draw', () => ToolResult.ok(null, 'Drawn.', { parts })),
    act('measure', () => ToolResult.ok({ width: 3 }, '', { parts })),
  ];
  const section = defineSection({ key: 'plans', title: 'Plans', tools });
  const Desk = definePrompt({
    ns: 'test',
    key: 'desk',
    sections: [section],
    extensions: [programs({ sandbox, check: 'syntax' })],
  });
  const app = await createApplication({ prompts: [Desk], logger: silentLogger });
  const code = 'console.log(JSON.stringify([await draw(), await measure()]));';
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'execute_program', arguments: { code } }] },
    { text: 'Ok.' },
  ]);
  const { transcript } = await app.evaluate(app.prompt(Desk), { adapter, session: new Session() });
  const answer = transcript.find(({ role }) => role === 'tool');
  expect(answer?.content).toContain('["Drawn.\\n[image image/png, 3 bytes]",{"width":3}]');
  expect(JSON.stringify(adapter.requests.at(-1)?.messages)).not.toContain('QUJD');
  await app.close();
});
