import { createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
import type { RunEntry } from 'toolwright/conversations';
import { Redaction } from '../../../src/dispatch/redact/Redaction';
import { EntryView } from '../../../src/evaluate/stream/EntryView';

const call = { id: 'i', name: 'ship', arguments: '{"to":"Ada"}' };
const answer: RunEntry<'answer'> = {
  kind: 'answer',
  version: 5,
  turn: 2,
  text: null,
  toolCalls: [call],
  finishReason: 'tool_calls',
  native: { provider: 'p', content: [] },
  digest: 'd',
  sent: { messages: 'm', count: 1 },
  lowered: {},
  usage: { totalTokens: 3 },
};
const message = { role: 'tool', toolCallId: 'i', name: 'ship', content: 'Sent to Ada.', failed: false } as const;
const outcome: RunEntry<'outcome'> = {
  kind: 'outcome',
  call: '2.0',
  name: 'ship',
  outcome: 'succeeded',
  message,
  spoke: [0],
  opened: ['more'],
  session: { appended: { Sent: [1] } },
};
const note: RunEntry<'note'> = {
  kind: 'note',
  turn: 2,
  about: 'limits',
  message: { role: 'user', content: 'Ada, hurry.', note: 'operator' },
};
const asked = { call: '2.0', name: 'ship', arguments: call.arguments, about: 'approval', askedAt: 1 } as const;
const question: RunEntry<'question'> = { kind: 'question', id: 'q', ...asked, shown: 'seal' };
const reply: RunEntry<'reply'> = {
  kind: 'reply',
  question: 'q',
  call: '2.0',
  reply: { kind: 'denied', reason: 'Not to Ada.' },
};
const end: RunEntry<'end'> = { kind: 'end', run: 'r', how: 'failed', problem: 'Ada is away.', messages: [message] };

/** Shows entries one after the other, with their positions as places. */
function show(...entries: readonly RunEntry[]) {
  const redaction = new Redaction((text) => text.replaceAll('Ada', '[name]'));
  const view = new EntryView(redaction, { toolsByName: new Map() });
  return entries.map((entry, index) => view.show(entry, index + 1));
}

describe('the entries of a run as clients get them', () => {
  const hidden = { ...call, arguments: '{"to":"[name]"}' };
  const shown = { ...message, content: 'Sent to [name].' };

  test('entries have their turn and place, without secrets and without the fields that only requests need', () => {
    const usage = { totalTokens: 3 };
    expect(show(answer, outcome, note, question, reply, end)).toEqual([
      { kind: 'answer', turn: 2, seq: 1, text: null, toolCalls: [hidden], finishReason: 'tool_calls', usage },
      {
        kind: 'outcome',
        turn: 2,
        seq: 2,
        call: '2.0',
        name: 'ship',
        outcome: 'succeeded',
        message: shown,
        opened: ['more'],
      },
      {
        kind: 'note',
        turn: 2,
        seq: 3,
        about: 'limits',
        message: { ...note.message, content: '[name], hurry.' },
      },
      { kind: 'question', turn: 2, seq: 4, id: 'q', ...asked, arguments: hidden.arguments, shown: 'seal' },
      {
        kind: 'reply',
        turn: 2,
        seq: 5,
        question: 'q',
        call: '2.0',
        reply: { kind: 'denied', reason: 'Not to [name].' },
      },
      { kind: 'end', turn: 2, seq: 6, run: 'r', how: 'failed', problem: '[name] is away.', messages: [shown] },
    ]);
  });

  test('entries that only a later process needs are not shown', () => {
    const begun: RunEntry = { kind: 'begun', call: '2.0', name: 'ship' };
    const verdict: RunEntry = { kind: 'verdict', turn: 2, complete: true, feedback: '' };
    expect(show(answer, begun, verdict).slice(1)).toEqual([undefined, undefined]);
  });

  test('the arguments of a reply and the reason of a question are hidden as those of the model', async () => {
    const edited: RunEntry = { ...reply, reply: { kind: 'approved', by: 'Ada', arguments: { to: 'Ada', Ada: 1 } } };
    const again: RunEntry = { ...question, reason: 'Ada is no number.' };
    expect(show(answer, again, edited).slice(1)).toMatchObject([
      { reason: '[name] is no number.' },
      { reply: { kind: 'approved', by: '[name]', arguments: { to: '[name]', '[name]': 1 } } },
    ]);
    class Letter {
      @Param({ description: 'To', secret: true }) to!: string;
    }
    const ship = defineTool({ name: 'ship', description: 'Ships.', params: Letter, handler: () => 'Shipped.' });
    const section = defineSection({ key: 'desk', title: 'Desk', template: 'Ship.', tools: [ship] });
    const desk = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
    const app = await createApplication({ prompts: [desk] });
    const view = new EntryView(new Redaction(), await app.prompt(desk).render());
    view.show(answer, 1);
    expect(view.show(edited, 2)).toMatchObject({ reply: { arguments: { to: '[secret]' } } });
  });

  test('entries of an earlier format have the fields of today', () => {
    const before = { ...outcome, version: 2, opened: 1 } as unknown as RunEntry;
    expect(show(answer, before)[1]).toMatchObject({ opened: [''] });
  });

  test('a run that ended before its first answer has turn 0 in the history, also behind a run with answers', () => {
    const view = new EntryView(new Redaction((text) => text), { toolsByName: new Map() });
    const begin: RunEntry = { kind: 'run', run: 'r-2', messages: [] };
    const turns = [answer, end, begin, end].map((entry, index) => view.showInHistory(entry, index + 1)?.turn);
    expect(turns).toEqual([2, 2, 0, 0]);
  });

  test('the readers of a chat get the bytes of files, with a redacted name, and other readers a line of text', () => {
    const parts = [
      { kind: 'text', text: 'for Ada' },
      { kind: 'file', mediaType: 'text/plain', data: 'QWRh', name: 'Ada.txt' },
      { kind: 'image', mediaType: 'image/png', data: 'aGk=' },
    ] as const;
    const entry: RunEntry = { ...outcome, message: { ...message, parts } };
    const redaction = new Redaction((text) => text.replaceAll('Ada', '[name]'));
    const offer = { toolsByName: new Map() };
    const [kept, other] = [true, false].map((keepsBytes) => {
      const view = new EntryView(redaction, offer, keepsBytes);
      view.show(answer, 1);
      return view.show(entry, 2);
    });
    expect(kept).toMatchObject({
      message: { parts: [{ text: 'for [name]' }, { ...parts[1], name: '[name].txt' }, parts[2]] },
    });
    expect(JSON.stringify(other)).not.toContain('QWRh');
  });
});
