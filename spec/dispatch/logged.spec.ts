import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ApplicationOptions,
  bind,
  defineTool,
  SessionError,
  type ToolContext,
  ToolRefusal,
  ToolValidationError,
  type Transactional,
} from 'toolwright';
import type { ApprovalRule, Approver, FeedbackProvider, ToolPolicy } from 'toolwright/policies';
import { FakeClock } from 'toolwright/testing';
import { deskOf, Note, rejection, type Desk } from './desk';

const boom = new Error('boom');
const fail = (): never => {
  throw boom;
};
const never = (): Promise<never> => new Promise(() => undefined);

interface Parts {
  readonly requiresApproval?: unknown;
  readonly policy?: unknown;
  readonly feedback?: unknown;
  readonly handler?: (context: ToolContext) => unknown;
  readonly timeoutMs?: number;
}

/** A tool with parts that fail. */
const faulty = ({ requiresApproval, policy, feedback, handler = () => 'done.', timeoutMs }: Parts) =>
  defineTool({
    name: 'act',
    description: 'Acts.',
    ...(requiresApproval === undefined ? {} : { requiresApproval: requiresApproval as ApprovalRule<never> }),
    policies: policy === undefined ? [] : [{ name: 'house', check: policy as ToolPolicy['check'] }],
    feedback:
      feedback === undefined
        ? []
        : [{ name: 'guide', trigger: { everyCalls: 1 }, provide: feedback as FeedbackProvider['provide'] }],
    timeoutMs,
    handler: (_params: unknown, context: ToolContext) => handler(context),
  });

const lines = ({ logged }: Desk): readonly string[] =>
  logged.map(({ level, message, fields }) => `${level}: ${message}${fields?.['error'] === boom ? ' (boom)' : ''}`);

const approver = (approve: () => unknown): Partial<ApplicationOptions> => ({
  approver: { approve: approve as Approver['approve'] },
});
const approved = approver(() => ({ kind: 'approved' }));

describe('the log says of a call', () => {
  test.each<[what: string, parts: Parts, options: Partial<ApplicationOptions>, line: string]>([
    [
      'that a rule of approvals threw',
      { requiresApproval: fail },
      approved,
      'warn: requiresApproval threw: boom; an approval is demanded (boom)',
    ],
    [
      'that a rule of approvals gave no answer',
      { requiresApproval: () => 'yes' },
      approved,
      'warn: requiresApproval gave the string "yes"; an approval is demanded',
    ],
    [
      'that a rule of approvals took too long',
      { requiresApproval: never },
      { ...approved, limits: { policyMs: 5 } },
      'warn: requiresApproval took longer than 5 ms; an approval is demanded',
    ],
    [
      'that the approver threw',
      { requiresApproval: true },
      approver(fail),
      'error: The approver threw: boom; the call is denied (boom)',
    ],
    [
      'that the approver gave nonsense',
      { requiresApproval: true },
      approver(() => ({ kind: 'denied' })),
      'error: The approver gave an object instead of an answer; the call is denied',
    ],
    [
      'that there is no approver',
      { requiresApproval: true },
      {},
      'error: An approval is needed, and createApplication was given no approver; the call is denied',
    ],
    ['that a policy threw', { policy: fail }, {}, 'error: Policy house threw: boom; it denies the call (boom)'],
    [
      'that a policy gave nonsense',
      { policy: () => ({ allowed: false }) },
      {},
      'error: Policy house gave an object instead of a decision; it denies the call',
    ],
    [
      'that feedback was no text',
      { feedback: () => 7 },
      {},
      'warn: Feedback provider guide failed after act: it gave the number 7 in place of a text',
    ],
    ['that feedback threw', { feedback: fail }, {}, 'warn: Feedback provider guide failed after act: boom (boom)'],
  ])('the log of a call says %s', async (_what, parts, options, line) => {
    const desk = await deskOf([faulty(parts)], options);
    await desk.call('act');
    expect(lines(desk)).toEqual([line]);
    expect(desk.logged[0]?.fields?.['tool']).toBe('act');
    if (!line.endsWith('(boom)')) expect(desk.logged[0]?.fields).not.toHaveProperty('error', boom);
  });

  test.each<[what: string, thrown: Error, line: string]>([
    ['that it was refused', new ToolRefusal('Not now.'), 'debug: Tool act failed: Not now.'],
    ['that its arguments were refused', new ToolValidationError('Closed.'), 'debug: Tool act failed: '],
    ['that its handler threw', boom, 'warn: Tool act failed: boom (boom)'],
    ['that its tool is broken', new SessionError('no', { code: 'E802' }), 'error: Tool act failed: '],
  ])('the log says of a call %s, at its own level', async (_what, thrown, line) => {
    const desk = await deskOf([
      faulty({
        handler: () => {
          throw thrown;
        },
      }),
    ]);
    await desk.call('act');
    expect(lines(desk)).toEqual([expect.stringContaining(line)]);
    expect(desk.logged[0]?.fields).toEqual({ tool: 'act', error: thrown });
  });

  test('the log says that an approver failed after it was given up', async () => {
    const caller = new AbortController();
    const approve = async (): Promise<never> => {
      caller.abort('enough');
      await sleep(5);
      throw boom;
    };
    const desk = await deskOf([faulty({ requiresApproval: true })], approver(approve));
    expect(await rejection(desk.call('act', {}, { signal: caller.signal }))).toBe('enough');
    await sleep(20);
    expect(lines(desk)).toEqual(['debug: The approver, which was no longer awaited, threw: boom (boom)']);
  });

  test('the log says that a rule failed after it was given up', async () => {
    const rule = async () => {
      await sleep(20);
      throw boom;
    };
    const desk = await deskOf([faulty({ requiresApproval: rule })], { ...approved, limits: { policyMs: 5 } });
    await desk.call('act');
    await sleep(40);
    expect(lines(desk)[1]).toBe('debug: requiresApproval, which was no longer awaited, threw: boom (boom)');
  });

  const late = [
    'warn: Tool act timed out: The call took longer than 5 ms.',
    'debug: Tool act failed after its call had ended: boom (boom)',
  ];
  test('the log says that a handler failed after its call had ended', async () => {
    const handler = async () => {
      await sleep(20);
      throw boom;
    };
    const desk = await deskOf([faulty({ handler, timeoutMs: 5 })]);
    await desk.call('act');
    await sleep(40);
    expect(lines(desk)).toEqual(late);
  });

  test('the log says that the changes of a call may have been kept in part', async () => {
    class Half implements Transactional<Half> {
      begin(): Half {
        return new Half();
      }
      commit(): Promise<void> {
        return Promise.reject(boom);
      }
    }
    const handler = ({ resources, session }: ToolContext) => {
      session.dispatch(new Note('second'));
      return resources.resolve(Half).then(() => 'done.');
    };
    const desk = await deskOf([faulty({ handler })], { resources: [bind(Half, { value: new Half() })] });
    await desk.call('act');
    expect(lines(desk)).toEqual(['error: The changes of the call may have been kept in part: boom (boom)']);
  });
});

test('the pauses between attempts double, and those that would end after the deadline are not begun', async () => {
  const clock = new FakeClock();
  let runs = 0;
  const act = defineTool({
    name: 'act',
    description: 'Acts.',
    hints: { idempotent: true },
    retry: { attempts: 5, backoffMs: 100 },
    handler: () => {
      runs++;
      throw boom;
    },
  });
  const desk = await deskOf([act], { clock });
  await desk.call('act');
  expect(clock.slept).toEqual([100, 200, 400, 800]);
  expect(runs).toBe(5);
});
