import { createApplication, definePrompt, defineSection, defineTool, Session } from 'toolwright';
import { Conversation, SetVisibilityOverride } from 'toolwright/conversations';
import { expectStablePrefix, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { silent } from '../../support/silent';

async function openDesk() {
  const tool = defineTool({ name: 'refund', description: 'Refunds.', handler: () => 'refunded' });
  const look = defineTool({ name: 'look', description: 'Looks.', handler: () => 'seen' });
  const closed = { summary: 'More.', visibility: 'summary' } as const;
  const prompt = definePrompt({
    ns: 'shop',
    key: 'desk',
    sections: [
      defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools: [look] }),
      defineSection({
        key: 'refunds',
        title: 'Refunds',
        template: 'How to refund: ask twice.',
        ...closed,
        tools: [tool],
      }),
      defineSection({ key: 'rules', title: 'Rules', template: 'Never shout.', ...closed }),
    ],
  });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const adapters: ScriptedModel[] = [];
  const say = async (conversation: Conversation, session: Session, ...script: readonly ScriptStep[]) => {
    const adapter = new ScriptedModel(script);
    adapters.push(adapter);
    const messages = [{ role: 'user' as const, content: 'Hello.' }];
    await app.evaluate(app.prompt(prompt), { adapter, session, conversation, messages });
    return JSON.stringify(adapter.requests.at(-1)?.messages);
  };
  const requests = () => adapters.flatMap((adapter) => [...adapter.requests]);
  return { say, requests };
}

const openSections = (...section_keys: readonly string[]): ScriptStep => ({
  toolCalls: [{ name: 'open_sections', arguments: { section_keys, reason: 'I need it.' } }],
});
const answer = { text: 'Done.' };
const times = (text: string, part: string): number => text.split(part).length - 1;

test.each(['within', 'apart'] as const)(
  'what the host opens is sent with the next message, once (%s)',
  async (place) => {
    const { say, requests } = await openDesk();
    const session = new Session();
    let conversation = new Conversation({ session: place });
    expect(await say(conversation, session, answer)).not.toContain('ask twice');
    session.dispatch(new SetVisibilityOverride('refunds', 'full'));
    session.dispatch(new SetVisibilityOverride('rules', 'full'));
    const second = await say(conversation, session, { toolCalls: [{ name: 'refund', arguments: {} }] }, answer);
    expect([times(second, 'ask twice'), times(second, 'Never shout'), times(second, 'refunded')]).toEqual([1, 1, 1]);
    conversation = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)), { session: place });
    const third = await say(
      conversation,
      place === 'within' ? new Session() : session,
      openSections('refunds'),
      answer,
    );
    expect([times(third, 'ask twice'), times(third, 'Never shout')]).toEqual([1, 1]);
    expectStablePrefix(requests());
  },
);

test('a section that the model has opened is not sent again', async () => {
  const { say } = await openDesk();
  const session = new Session();
  const conversation = new Conversation();
  await say(conversation, session, openSections('refunds'), answer);
  session.dispatch(new SetVisibilityOverride('rules', 'full'));
  const second = await say(conversation, session, answer);
  expect([times(second, 'ask twice'), times(second, 'Never shout')]).toEqual([1, 1]);
  expect(times(await say(conversation, session, answer), 'Never shout')).toBe(1);
});
