import { upgradeEntry } from '../../../../src/evaluate/conversation/log/entryFormat';

const question = { kind: 'question', call: '1.0', name: 'ship', arguments: {}, about: 'approval', askedAt: 1 };
const reply = { kind: 'reply', call: '1.0', reply: { kind: 'approved' } };
const message = { role: 'tool', toolCallId: 'i', name: 'open_sections', content: 'Open.', failed: false };
const outcome = { kind: 'outcome', call: '1.0', name: 'open_sections', outcome: 'expanded', message };

describe('upgradeEntry', () => {
  test.each<[string, object, object]>([
    ['format 1: a question gets the name of its call as its id', question, { ...question, id: '1.0' }],
    ['format 1: a reply names the question by its call', reply, { ...reply, question: '1.0' }],
    [
      'format 2: the number of opened sections becomes as many empty paths',
      { ...outcome, version: 2, opened: 2 },
      { ...outcome, version: 2, opened: ['', ''] },
    ],
  ])('%s', (_title, before, after) => {
    expect(upgradeEntry(before)).toEqual(after);
    expect(upgradeEntry(after)).toBe(after);
  });

  test.each([null, 'text', 7, [], {}, { kind: 'note' }, { ...outcome, opened: -1 }, { ...outcome, opened: 1e9 }])(
    'upgradeEntry returns %j as it is',
    (value) => {
      expect(upgradeEntry(value)).toBe(value);
    },
  );
});
