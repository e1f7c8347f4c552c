import assert from 'node:assert/strict';
import { PromptEvaluationError, type Usage } from 'toolwright';
import { defineCase, type ContractCase, answerWithCalls, makeNoteCall, answerWithText } from './ContractCase.js';
import { Review } from './ContractApplication.js';

export const answerChecks: readonly ContractCase[] = [
  defineCase('a text is the answer', [answerWithText('Done.')], async (contractApp) => {
    const { text, finishReason, turns } = await contractApp.run();
    assert.deepEqual({ text, finishReason, turns }, { text: 'Done.', finishReason: 'stop', turns: 1 });
    contractApp.assertReceived(1);
  }),
  defineCase(
    'a run may begin with only its prompt',
    [answerWithCalls(makeNoteCall('a', 'one')), answerWithText('Done.')],
    async (contractApp) => {
      assert.equal((await contractApp.run({ messages: [] })).text, 'Done.');
      contractApp.assertReceived(2);
    },
  ),
  defineCase(
    'usage is reported as the provider counts it, and left out where it does not count',
    [{ kind: 'answer', text: 'Done.', usage: { input: 30, output: 4, cached: 20 } }, answerWithText('Done.')],
    async (contractApp) => {
      const counted: Usage = { inputTokens: 30, outputTokens: 4, totalTokens: 34, cachedInputTokens: 20 };
      assert.deepEqual((await contractApp.run()).usage, counted);
      const { usage = {} } = await contractApp.run();
      assert.deepEqual(
        Object.values(usage).filter((tokenCount) => tokenCount !== undefined),
        [],
      );
    },
  ),
  defineCase(
    'a call runs its tool, and is answered',
    [answerWithCalls(makeNoteCall('tea', 'one')), answerWithText('Done.')],
    async (contractApp) => {
      const { transcript, turns } = await contractApp.run();
      assert.equal(turns, 2);
      assert.deepEqual(contractApp.notes, ['tea']);
      assert.deepEqual(contractApp.answers, ['Noted: tea.']);
      const [call] = transcript.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
      assert.equal(call?.id, 'one');
      contractApp.assertReceived(2);
    },
  ),
  defineCase(
    'the calls of one turn all run, and are answered in their order',
    [
      answerWithCalls(makeNoteCall('a', 'one'), makeNoteCall('b', 'two'), makeNoteCall('c', 'three')),
      answerWithText('Done.'),
    ],
    async (contractApp) => {
      await contractApp.run();
      assert.deepEqual(contractApp.notes, ['a', 'b', 'c']);
      assert.deepEqual(contractApp.answers, ['Noted: a.', 'Noted: b.', 'Noted: c.']);
      contractApp.assertReceived(2);
    },
  ),
  defineCase(
    'ADPT-04: ids that are there twice, that come again, or that are missing, lose no call',
    [
      answerWithCalls(makeNoteCall('a', 'x'), makeNoteCall('a', 'x'), makeNoteCall('b'), makeNoteCall('c')),
      answerWithCalls(makeNoteCall('d', 'x'), makeNoteCall('e')),
      answerWithText('Done.'),
    ],
    async (contractApp) => {
      await contractApp.run();
      assert.deepEqual(contractApp.notes, ['a', 'b', 'c', 'd', 'e']);
      assert.deepEqual(contractApp.kit.received[1]?.answers, ['Noted: a.', 'Noted: a.', 'Noted: b.', 'Noted: c.']);
      assert.deepEqual(contractApp.answers, ['Noted: d.', 'Noted: e.']);
      contractApp.assertReceived(3);
    },
  ),
  defineCase(
    'ADPT-03: only calls with wrong arguments or of unknown tools fail, and the model gets the reasons',
    [
      answerWithCalls(
        makeNoteCall('a', 'one'),
        { id: 'two', name: 'note', arguments: '{"txt":7}' },
        { id: 'three', name: 'functions.note it', arguments: '{}' },
      ),
      answerWithText('Done.'),
    ],
    async (contractApp) => {
      await contractApp.run();
      assert.deepEqual(contractApp.notes, ['a']);
      const [, wrong, unknown] = contractApp.answers;
      assert.match(wrong ?? '', /text/);
      assert.match(unknown ?? '', /functions\.note it/);
      contractApp.assertReceived(2);
    },
  ),
  defineCase(
    'text together with calls is kept',
    [{ kind: 'answer', text: 'I note it.', calls: [makeNoteCall('a', 'one')] }, answerWithText('Done.')],
    async (contractApp) => {
      const { transcript } = await contractApp.run();
      const said = transcript.flatMap((message) => (message.role === 'assistant' ? [message.content] : []));
      assert.deepEqual(said, ['I note it.', 'Done.']);
      contractApp.assertReceived(2);
    },
  ),
  defineCase(
    'a conversation continues with its transcript',
    [answerWithCalls(makeNoteCall('a', 'one')), answerWithText('Done.'), answerWithText('Still done.')],
    async (contractApp) => {
      const { transcript } = await contractApp.run();
      const messages = [...transcript.slice(1), { role: 'user', content: 'And now?' } as const];
      assert.equal((await contractApp.run({ messages })).text, 'Still done.');
      contractApp.assertReceived(3);
    },
  ),
  defineCase(
    'ADPT-06: a refusal is reported, and calls nothing',
    [{ kind: 'answer', text: 'I will not.', stop: 'refusal' }],
    async (contractApp) => {
      const { text, finishReason } = await contractApp.run();
      assert.deepEqual({ text, finishReason }, { text: 'I will not.', finishReason: 'refusal' });
      contractApp.assertReceived(1);
    },
  ),
  defineCase(
    'ADPT-06: a text that was cut short is returned as it is',
    [{ kind: 'answer', text: 'It was a dark and', stop: 'length' }],
    async (contractApp) => {
      const { text, finishReason } = await contractApp.run();
      assert.deepEqual({ text, finishReason }, { text: 'It was a dark and', finishReason: 'length' });
    },
  ),
  defineCase(
    'ADPT-06: calls that were cut short do not run',
    [{ kind: 'answer', calls: [makeNoteCall('a', 'one'), makeNoteCall('b', 'two')], stop: 'length' }],
    async (contractApp) => {
      const error = await contractApp.failure();
      assert.ok(error instanceof PromptEvaluationError, String(error));
      assert.equal(error.code, 'E702');
      assert.deepEqual(contractApp.notes, []);
    },
  ),
  defineCase(
    'the schema of the answer is sent, and the answer is parsed',
    [answerWithText('{"stars":4,"reason":"Quick."}')],
    async (contractApp) => {
      const { output } = await contractApp.run({ output: Review });
      assert.ok(output instanceof Review);
      assert.equal(output.stars, 4);
      assert.deepEqual(
        contractApp.kit.received.map(({ wantsForm }) => wantsForm),
        [true],
      );
      contractApp.assertReceived(1);
    },
  ),
];
