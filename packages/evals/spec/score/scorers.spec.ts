import 'reflect-metadata';
import fc from 'fast-check';
import { Session } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';
import {
  answerOutput,
  answerText,
  endState,
  type EvalExpectation,
  hashState,
  judge,
  withinBudget,
} from '@toolwright/evals';
import { compareStates } from '../../src/score/compareStates';
import { createRun } from '../support/createRun';
import { Bookings, Seat } from '../support/desk';

const runExpecting = (expected: EvalExpectation, given: Parameters<typeof createRun>[0] = {}) =>
  createRun({ ...given, task: { id: 't', input: 'Book 12A.', expected } });

describe('end states', () => {
  const session = new Session({ slices: [Seat] });
  session.dispatch(Object.assign(new Seat(), { seat: '12A', passenger: 'Ada' }));
  const resources = { bookings: new Bookings([['12A', { passenger: 'Ada' }]]), log: new Set(['one']) };
  const state = {
    session: { Seat: [{ seat: '12A', passenger: 'Ada' }] },
    resources: { bookings: { '12A': { passenger: 'Ada' } }, log: ['one'] },
  };

  test('the state of the session and of resources is compared as plain data', async () => {
    expect(await endState()(runExpecting({ state }, { session, resources }))).toEqual({ pass: true });
  });

  test('the reason shows the places that are wrong', async () => {
    const wanted = { ...state, resources: { bookings: { '14C': { passenger: 'Ada' } }, log: ['one', 'two'] } };
    const score = await endState()(runExpecting({ state: wanted }, { session, resources }));
    expect(score).toEqual({
      pass: false,
      reason: [
        'The end state is wrong.',
        '/resources/bookings/12A: expected nothing, got {"passenger":"Ada"}',
        '/resources/bookings/14C: expected {"passenger":"Ada"}, got nothing',
        '/resources/log/1: expected "two", got nothing',
      ].join('\n'),
    });
  });

  test('a superset may have further keys, and no further items', async () => {
    const scorer = endState({ match: 'superset', read: (run) => run.resources });
    const expecting = (wanted: unknown) => scorer(runExpecting({ state: wanted }, { resources }));
    expect(await expecting({ log: ['one'] })).toEqual({ pass: true });
    expect(await expecting({ log: [] })).toMatchObject({ pass: false });
    expect(await expecting({ log: ['one'], other: 1 })).toMatchObject({ pass: false });
  });

  test('a hash decides, whatever the order of the keys', async () => {
    const stateHash = hashState({ resources: state.resources, session: state.session });
    expect(await endState()(runExpecting({ stateHash }, { session, resources }))).toEqual({ pass: true });
    const wrong = await endState()(runExpecting({ stateHash: 'f00' }, { session, resources }));
    expect(wrong).toMatchObject({
      pass: false,
      reason: expect.stringContaining(`is ${stateHash}, expected f00`) as string,
    });
  });

  test('a predicate decides, and a task without an expectation is left out', async () => {
    const check = (given: unknown) => (given as typeof state).session.Seat.length === 1;
    expect(await endState({ check })(createRun({ session, resources }))).toBe(true);
    expect(await endState()(createRun({ session, resources }))).toBeUndefined();
  });

  test('a value has no difference from its copy, and one from a changed copy', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        const copy = (value: unknown) => JSON.parse(JSON.stringify(value)) as unknown;
        expect(compareStates(copy(one), copy(one))).toEqual([]);
        const isSame = hashState(one) === hashState(other);
        expect(compareStates(copy(one), copy(other)).length === 0).toBe(isSame);
      }),
    );
  });
});

describe('answers', () => {
  test.each([
    [{}, 'Yes.', ' Yes.\n', true],
    [{}, 'Yes.', 'yes.', false],
    [{ ignoreCase: true }, 'Yes.', 'yes.', true],
    [{ match: 'includes' }, '12A', 'Seat 12A is booked.', true],
    [{ match: 'includes' }, '12B', 'Seat 12A is booked.', false],
    [{}, 'Yes.', null, false],
  ] as const)('%j: expected %j, got %j: %s', async (options, text, given, pass) => {
    const score = await answerText(options)(runExpecting({ text }, { text: given }));
    expect(score).toMatchObject({ pass });
  });

  test('outputs are compared, and the reason shows the places', async () => {
    const run = runExpecting({ output: { seat: '12A', rows: [1, 2] } }, { output: { seat: '12A', rows: [1, 3] } });
    expect(await answerOutput()(run)).toEqual({
      pass: false,
      reason: 'The output is wrong.\n/rows/1: expected 2, got 3',
    });
    expect(await answerOutput()(createRun())).toBeUndefined();
    expect(await answerText()(createRun())).toBeUndefined();
  });
});

describe('budgets', () => {
  const usage = { inputTokens: 100, outputTokens: 20 };

  test('a run within all limits passes, and reaching one is allowed', async () => {
    const scorer = withinBudget({ maxTotalTokens: 120, maxToolCalls: 0, maxCost: 0.5, maxMs: 10, maxTurns: 2 });
    expect(await scorer(createRun({ usage, cost: 0.5, durationMs: 10, turns: 2 }))).toEqual({ pass: true });
  });

  test('every exceeded limit is named', async () => {
    const score = await withinBudget({ maxInputTokens: 99, maxOutputTokens: 19 })(createRun({ usage }));
    expect(score).toEqual({
      pass: false,
      reason:
        'maxInputTokens: 100 input tokens, at most 99 expected\nmaxOutputTokens: 20 output tokens, at most 19 expected',
    });
  });

  test('a figure that was not reported does not pass', async () => {
    const score = await withinBudget({ maxTotalTokens: 1, maxCost: 1 })(createRun());
    expect(score).toMatchObject({
      pass: false,
      reason: expect.stringMatching(/maxTotalTokens: .*did not report.*\nmaxCost/) as string,
    });
    expect(() => withinBudget({ maxTokens: 1 } as never)).toThrow(/E413 withinBudget: there is no option "maxTokens"/);
  });
});

describe('judges', () => {
  test('a judge reads the criteria, the input, the calls and the answer, and gives its reason', async () => {
    const adapter = new ScriptedModel([{ text: JSON.stringify({ reason: 'It costs $5.', pass: true }) }]);
    const scorer = judge({ adapter, criteria: 'It costs ${price} or $5.' });
    const calls = [{ name: 'book_seat', arguments: { seat: '12A' }, failed: false }];
    const score = await scorer(runExpecting({ text: 'Booked' }, { text: 'Booked 12A.', calls }));
    expect(score).toEqual({ pass: true, reason: 'It costs $5.' });
    const [system, message] = adapter.requests[0]!.messages;
    expect(system!.content).toContain('It costs ${price} or $5.');
    expect(JSON.parse(message!.content!)).toEqual({
      input: 'Book 12A.',
      expected: { text: 'Booked' },
      calls,
      answer: 'Booked 12A.',
    });
  });

  test('a judge needs a model and criteria', () => {
    expect(() => judge({ criteria: 'good' } as never)).toThrow(/E413 judge: adapter: expected a model adapter/);
    expect(() => judge({ adapter: new ScriptedModel([]) } as never)).toThrow(/E413 judge: criteria/);
  });
});
