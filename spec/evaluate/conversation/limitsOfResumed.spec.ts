import { Budget, BudgetTracker } from 'toolwright';
import { Conversation, type RunEntry } from 'toolwright/conversations';
import type { ScriptedCall } from 'toolwright/testing';
import { reopened } from '../../support/reopened';
import { call, deskOf, freshSession, opening, user } from './desk';

/** Calls in one process, and goes on in another one with a budget of its own: returns how much of it the second one has used. */
async function usedAfter(...calls: readonly ScriptedCall[]): Promise<Readonly<Record<string, number>>> {
  return usedIn(await conversationWith(...calls));
}

async function conversationWith(...calls: readonly ScriptedCall[]): Promise<Conversation> {
  const { run } = await deskOf();
  const conversation = new Conversation();
  await run([{ toolCalls: calls }, { text: 'Done.' }], {
    conversation,
    session: freshSession(),
    messages: user('Begin.'),
  });
  return conversation;
}

async function usedIn(conversation: Conversation): Promise<Readonly<Record<string, number>>> {
  const { run } = await deskOf();
  const answer = conversation.log.entries.map(({ kind }) => kind).lastIndexOf('answer');
  const budget = new BudgetTracker(new Budget({ maxToolCalls: 10, maxExpansions: 10, maxOpenedSections: 10 }));
  await run([{ text: 'Done.' }], { conversation: reopened(conversation, answer), session: freshSession(), budget });
  return Object.fromEntries(budget.limits.map(({ dimension, used }) => [dimension, used]));
}

describe('a run that goes on in another process', () => {
  test('a run that goes on in another process has used the calls that ran in the first one, but not those that were refused', async () => {
    const { tool_calls: calls } = await usedAfter(call('keep'), call('look'), call('nobody'), call('keep', 'list'));
    expect(calls).toBe(2);
  });

  test('a run that goes on in another process has used the openings of the first one, and the sections that they opened', async () => {
    const used = await usedAfter(opening);
    expect(used).toMatchObject({ expansions: 1, opened_sections: 1 });
  });

  test('a run that goes on in another process has used them as well where the first one wrote format 2, which has only the number of sections', async () => {
    const { entries, ...json } = (await conversationWith(opening)).toJSON();
    expect(entries.find(({ kind }) => kind === 'outcome')).toMatchObject({ version: 5, opened: ['more'] });
    const before = (entry: RunEntry): object =>
      entry.kind === 'outcome' ? { ...entry, version: 2, opened: entry.opened?.length } : { ...entry, version: 2 };
    const used = await usedIn(Conversation.fromJSON({ ...json, entries: entries.map(before) }));
    expect(used).toMatchObject({ expansions: 1, opened_sections: 1 });
  });

  test('a run without calls and openings has used none of its limits', async () => {
    expect(await usedAfter(call('nobody'))).toMatchObject({ tool_calls: 0, expansions: 0, opened_sections: 0 });
  });

  test('a run that goes on in another process reads a call again whose arguments were a list', async () => {
    const list = ['list'] as unknown as ScriptedCall['arguments'];
    expect(await usedAfter(call('keep', list), call('look'))).toMatchObject({ tool_calls: 1 });
  });
});
