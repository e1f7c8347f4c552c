import assert from 'node:assert/strict';
import type { ProviderTurn } from './AdapterKit.js';
import { defineCase, type ContractCase, makeNoteCall } from './ContractCase.js';

const usage = { input: 30, output: 4, cached: 20 };
const done: ProviderTurn = { kind: 'answer', text: 'All is noted, dear user.', usage };
const turns: readonly ProviderTurn[] = [
  { kind: 'answer', text: 'I note “ä” and 茶.', calls: [makeNoteCall('ä', 'one'), makeNoteCall('茶', 'two')], usage },
  done,
];

/** Checks of runs that are read as a stream; an adapter without streaming must meet them as well. */
export const streamChecks: readonly ContractCase[] = [
  defineCase('a streamed run is the same run', [...turns, ...turns], async (contractApp) => {
    const { response, texts } = await contractApp.stream();
    const { text, finishReason, usage: counted, transcript } = await contractApp.run();
    assert.deepEqual(
      { text: response.text, finishReason: response.finishReason, usage: response.usage },
      { text, finishReason, usage: counted },
    );
    assert.deepEqual(parseArguments(response.transcript), parseArguments(transcript));
    assert.deepEqual(texts, ['I note “ä” and 茶.', 'All is noted, dear user.']);
    assert.deepEqual(contractApp.notes, ['ä', '茶', 'ä', '茶']);
    contractApp.assertReceived(4);
  }),
  defineCase(
    'ADPT-05: an answer that breaks off is asked for again, and nothing of it is done',
    [{ kind: 'cut', text: 'I will', call: makeNoteCall('half', 'one') }, ...turns],
    async (contractApp) => {
      const { response, texts } = await contractApp.stream();
      assert.equal(response.text, 'All is noted, dear user.');
      assert.equal(texts[0], 'I note “ä” and 茶.');
      assert.deepEqual(contractApp.notes, ['ä', '茶']);
      contractApp.assertReceived(3);
    },
  ),
  defineCase(
    'ADPT-06: a refusal and an answer that is cut short end a stream as they end a run',
    [
      { kind: 'answer', text: 'I will not.', stop: 'refusal' },
      { kind: 'answer', text: 'It was a dark and', stop: 'length' },
    ],
    async (contractApp) => {
      assert.equal((await contractApp.stream()).response.finishReason, 'refusal');
      assert.equal((await contractApp.stream()).response.finishReason, 'length');
    },
  ),
  defineCase(
    'ADPT-01: an error status is waited out in a stream as well',
    [{ kind: 'error', status: 503, message: 'Busy.', retryAfter: 3 }, done],
    async (contractApp) => {
      assert.equal((await contractApp.stream()).response.text, 'All is noted, dear user.');
      assert.deepEqual(contractApp.clock.slept, [3_000]);
    },
  ),
];

/** Parses arguments: some providers send text, others objects. */
function parseArguments(transcript: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(transcript), (key, value: unknown) =>
    key === 'arguments' && typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
  );
}
