import { createApplication, definePrompt, defineSection, defineTool, Param, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { silentLogger } from '../../conformance/declare/silentLogger';

class Wanted {
  @Param({ description: 'How many', integer: true }) count!: number;
}

test('CALL-08 in a run: the next request has the line, also after an approval that came later, and the log the call as it came', async () => {
  const given: number[] = [];
  const handler = ({ count }: Wanted): string => `${String(given.push(count))} calls`;
  const tool = { description: 'Counts.', params: Wanted, handler };
  const tools = [defineTool({ ...tool, name: 'count' }), defineTool({ ...tool, name: 'ask', requiresApproval: true })];
  const Desk = definePrompt({ ns: 'a', key: 'b', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const app = await createApplication({
    prompts: [Desk],
    repair: 'on',
    logger: silentLogger,
    approver: { approve: () => ({ kind: 'later' }) },
  });
  const conversation = new Conversation();
  const session = new Session();
  const calls = ['count', 'ask'].map((name) => ({ name, arguments: '```json\n{"count":"3"}\n```' }));
  const first = new ScriptedModel([{ toolCalls: calls }]);
  const running = app.evaluate(app.prompt(Desk), {
    adapter: first,
    conversation,
    session,
    messages: [{ role: 'user', content: 'Count.' }],
  });
  await expect(running).rejects.toMatchObject({ code: 'E711' });
  expect(conversation.questions).toMatchObject([{ name: 'ask', arguments: calls[1]?.arguments }]);
  await conversation.reply(conversation.questions[0]?.id ?? '', { kind: 'approved' });
  const adapter = new ScriptedModel([{ text: 'Done.' }]);
  await app.evaluate(app.prompt(Desk), { adapter, conversation, session });
  expect(given).toEqual([3, 3]);
  const answers = adapter.requests[0]?.messages.filter(({ role }) => role === 'tool');
  expect(answers).toHaveLength(2);
  for (const { content } of answers ?? [])
    expect(content).toMatch(/^\d calls\n\n\[The arguments were not quite right, .*code fence.*count: a number written/);
  expect(adapter.requests[0]?.messages.find(({ role }) => role === 'assistant')).toMatchObject({
    toolCalls: [{ arguments: calls[0]?.arguments }, { arguments: calls[1]?.arguments }],
  });
});
