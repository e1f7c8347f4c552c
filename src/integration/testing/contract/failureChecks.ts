import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { PromptEvaluationError } from '../../../error/PromptError.js';
import { ThrottleError } from '../../../error/ThrottleError.js';
import { VisibilityExpansionRequired } from '../../../error/VisibilityExpansionRequired.js';
import type { ProviderTurn } from './AdapterKit.js';
import { contractCase, type ContractCase } from './ContractCase.js';
import { calling, note, says } from './turns.js';

const call = note('tea', 'one');
const calls = calling(call);
const done = says('Done.');
const failing = (status: number, retryAfter?: number): ProviderTurn => ({
  kind: 'error',
  status,
  message: 'That went wrong.',
  retryAfter,
});

/** What an adapter makes of failures, and of whoever gives up. */
export const failureChecks: readonly ContractCase[] = [
  ...[429, 500, 503, 529].map((status) =>
    contractCase(
      `ADPT-01: ${String(status)} with Retry-After is waited out, and no tool repeated`,
      [calls, failing(status, 12), done],
      async (desk) => {
        assert.equal((await desk.run()).text, 'Done.');
        assert.deepEqual(desk.clock.slept, [12_000]);
        assert.deepEqual(desk.notes, ['tea']);
        desk.received(3);
      },
    ),
  ),
  contractCase(
    'ADPT-01: 429 without Retry-After is asked again, five times at most',
    Array.from({ length: 5 }, () => failing(429)),
    async (desk) => {
      const error = await desk.failure();
      assert.ok(ThrottleError.is(error), String(error));
      assert.equal(error.kind, 'rate_limit');
      assert.match(error.message, /That went wrong\./);
      desk.received(5);
    },
  ),
  ...[400, 401, 403, 404].map((status) =>
    contractCase(
      `ADPT-11: ${String(status)} ends the run at once, with what the provider said`,
      [failing(status)],
      async (desk) => {
        const error = await desk.failure();
        assert.ok(PromptEvaluationError.is(error) && !ThrottleError.is(error), String(error));
        assert.equal(error.phase, 'request');
        assert.match(error.message, new RegExp(`${String(status)}.*That went wrong\\.`));
        desk.received(1);
      },
    ),
  ),
  contractCase('an answer that is none ends the run', [{ kind: 'nonsense' }], async (desk) => {
    const error = await desk.failure();
    assert.ok(PromptEvaluationError.is(error), String(error));
    assert.equal(error.code, 'E702');
    assert.equal(error.phase, 'response');
    desk.received(1);
  }),
  contractCase(
    'a caller who gives up gets the reason, and the connection is closed',
    [calls, { kind: 'hang' }],
    async (desk) => {
      const stop = new AbortController();
      const reason = { because: 'the customer hung up' };
      const ended = desk.failure({ signal: stop.signal });
      await Promise.race([ended, until(() => desk.kit.received.length === 2, stop.signal)]);
      stop.abort(reason);
      assert.equal(await ended, reason);
      assert.equal(await soon(desk.kit.received[1]?.abandoned), true, 'the connection is closed');
      assert.equal(await desk.kit.received[0]?.abandoned, false);
      assert.deepEqual(desk.notes, ['tea']);
    },
  ),
  contractCase('nothing is sent for a caller who has given up before', [done], async (desk) => {
    const reason = { because: 'never mind' };
    assert.equal(await desk.failure({ signal: AbortSignal.abort(reason) }), reason);
    desk.received(0);
  }),
  contractCase(
    'a request for sections leaves unwrapped where expansions are thrown',
    [
      {
        kind: 'answer',
        calls: [
          call,
          { id: 'two', name: 'open_sections', arguments: '{"section_keys":["manual"],"reason":"To know."}' },
        ],
      },
    ],
    async (desk) => {
      const error = await desk.failure({ expansions: 'throw' });
      assert.ok(VisibilityExpansionRequired.is(error), String(error));
      assert.deepEqual(error.sectionKeys, ['manual']);
      assert.deepEqual(desk.notes, ['tea']);
      desk.received(1);
    },
  ),
];

/** What a connection that nobody closes never gives. */
async function soon(given: Promise<boolean> | undefined): Promise<boolean | undefined> {
  const late = new AbortController();
  const waited = setTimeout(5_000, undefined, { signal: late.signal }).catch(() => undefined);
  return Promise.race([given, waited]).finally(() => late.abort());
}

async function until(holds: () => boolean, signal: AbortSignal): Promise<void> {
  while (!holds() && !signal.aborted) await new Promise((resolve) => setImmediate(resolve));
}
