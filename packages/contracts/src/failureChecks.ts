import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { PromptEvaluationError, ThrottleError, VisibilityExpansionRequired } from 'toolwright';
import type { ProviderTurn } from './AdapterKit.js';
import { defineCase, type ContractCase, answerWithCalls, makeNoteCall, answerWithText } from './ContractCase.js';

const call = makeNoteCall('tea', 'one');
const calls = answerWithCalls(call);
const done = answerWithText('Done.');
const makeErrorTurn = (status: number, retryAfter?: number): ProviderTurn => ({
  kind: 'error',
  status,
  message: 'That went wrong.',
  retryAfter,
});

/** Checks of failures, and of callers that give up. */
export const failureChecks: readonly ContractCase[] = [
  ...[429, 500, 503, 529].map((status) =>
    defineCase(
      `ADPT-01: ${String(status)} with Retry-After is waited out, and no tool repeated`,
      [calls, makeErrorTurn(status, 12), done],
      async (contractApp) => {
        assert.equal((await contractApp.run()).text, 'Done.');
        assert.deepEqual(contractApp.clock.slept, [12_000]);
        assert.deepEqual(contractApp.notes, ['tea']);
        contractApp.assertReceived(3);
      },
    ),
  ),
  defineCase(
    'ADPT-01: 429 without Retry-After is asked again, five times at most',
    Array.from({ length: 5 }, () => makeErrorTurn(429)),
    async (contractApp) => {
      const error = await contractApp.failure();
      assert.ok(error instanceof ThrottleError, String(error));
      assert.equal(error.kind, 'rate_limit');
      assert.match(error.message, /That went wrong\./);
      contractApp.assertReceived(5);
    },
  ),
  ...[400, 401, 403, 404].map((status) =>
    defineCase(
      `ADPT-11: ${String(status)} ends the run at once, with what the provider said`,
      [makeErrorTurn(status)],
      async (contractApp) => {
        const error = await contractApp.failure();
        assert.ok(error instanceof PromptEvaluationError && !(error instanceof ThrottleError), String(error));
        assert.equal(error.phase, 'request');
        assert.match(error.message, new RegExp(`${String(status)}.*That went wrong\\.`));
        contractApp.assertReceived(1);
      },
    ),
  ),
  defineCase('an invalid answer ends the run', [{ kind: 'nonsense' }], async (contractApp) => {
    const error = await contractApp.failure();
    assert.ok(error instanceof PromptEvaluationError, String(error));
    assert.equal(error.code, 'E702');
    assert.equal(error.phase, 'response');
    contractApp.assertReceived(1);
  }),
  defineCase(
    'a caller who gives up gets the reason, and the connection is closed',
    [calls, { kind: 'hang' }],
    async (contractApp) => {
      const stop = new AbortController();
      const reason = { because: 'the customer hung up' };
      const ended = contractApp.failure({ signal: stop.signal });
      await Promise.race([ended, waitUntil(() => contractApp.kit.received.length === 2, stop.signal)]);
      stop.abort(reason);
      assert.equal(await ended, reason);
      assert.equal(await awaitBriefly(contractApp.kit.received[1]?.abandoned), true, 'the connection is closed');
      assert.equal(await contractApp.kit.received[0]?.abandoned, false);
      assert.deepEqual(contractApp.notes, ['tea']);
    },
  ),
  defineCase('nothing is sent for a caller who has given up before', [done], async (contractApp) => {
    const reason = { because: 'never mind' };
    assert.equal(await contractApp.failure({ signal: AbortSignal.abort(reason) }), reason);
    contractApp.assertReceived(0);
  }),
  defineCase(
    'a request for sections is thrown unwrapped with expansions: throw',
    [
      {
        kind: 'answer',
        calls: [
          call,
          { id: 'two', name: 'open_sections', arguments: '{"section_keys":["manual"],"reason":"To know."}' },
        ],
      },
    ],
    async (contractApp) => {
      const error = await contractApp.failure({ expansions: 'throw' });
      assert.ok(error instanceof VisibilityExpansionRequired, String(error));
      assert.deepEqual(error.sectionKeys, ['manual']);
      assert.deepEqual(contractApp.notes, ['tea']);
      contractApp.assertReceived(1);
    },
  ),
];

/** Waits for a promise for a limited time: it never resolves if the connection is not closed. */
async function awaitBriefly(given: Promise<boolean> | undefined): Promise<boolean | undefined> {
  const late = new AbortController();
  const waited = setTimeout(5_000, undefined, { signal: late.signal }).catch(() => undefined);
  return Promise.race([given, waited]).finally(() => late.abort());
}

async function waitUntil(holds: () => boolean, signal: AbortSignal): Promise<void> {
  while (!holds() && !signal.aborted) await new Promise((resolve) => setImmediate(resolve));
}
