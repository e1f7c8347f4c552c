import { setTimeout as sleep } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import {
  bind,
  Budget,
  BudgetTracker,
  createApplication,
  Deadline,
  DeadlineExceededError,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  PromptEvaluationError,
  Session,
  type ToolContext,
} from 'toolwright';
import {
  allow,
  type CallContext,
  deny,
  type ParsedCall,
  type PolicyDecision,
  type ToolPolicy,
} from 'toolwright/policies';
import { FakeClock } from 'toolwright/testing';
import type { ToolView } from 'toolwright/types';
import { deskOf, Ledger, Note, rejection, UNTOUCHED, writeBoth } from '../desk';

/** The process itself, not jest's copy of it. */
const host = runInThisContext('process') as NodeJS.Process;

class Text {
  @Param('Text') text!: string;
}

type Check = ToolPolicy['check'];
const policy = (check: Check, name = 'spec'): ToolPolicy => ({ name, check });

/** A tool that writes, and the texts that its handler was called with. */
function writer(...policies: readonly ToolPolicy[]) {
  const ran: string[] = [];
  const tool = defineTool({
    name: 'write',
    description: 'Writes.',
    params: Text,
    policies,
    handler: ({ text }: Text, context: ToolContext) => {
      ran.push(text);
      writeBoth(context, text);
      return text;
    },
  });
  return { tool, ran };
}

describe('a denial', () => {
  test('a denial is a failed result with the reason; nothing ran, and nothing changed', async () => {
    const { tool, ran } = writer(policy(() => deny('The desk is closed until 8:00.')));
    const desk = await deskOf([tool]);
    const outcome = await desk.call('write', { text: 'x' });
    expect(outcome).toMatchObject({ kind: 'denied', result: { success: false, value: null } });
    expect(outcome.text).toMatch(/write was denied: The desk is closed until 8:00\.\nNothing was done/);
    expect(ran).toEqual([]);
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('a denial publishes one event, with the params', async () => {
    const { tool } = writer(policy(() => deny('no')));
    const desk = await deskOf([tool]);
    const outcome = await desk.call('write', { text: 'x' });
    expect(desk.events).toMatchObject([{ kind: 'denied', params: { text: 'x' }, toolMessage: outcome.text }]);
    expect(desk.events[0]?.params).toBeInstanceOf(Text);
  });

  test('a denial counts as a tool call of the budget, so that a model cannot ask without end', async () => {
    const { tool } = writer(policy(() => deny('no')));
    const desk = await deskOf([tool]);
    const budget = new BudgetTracker(new Budget({ maxToolCalls: 1 }));
    await desk.call('write', { text: 'x' }, { budget });
    await desk.call('write', { text: 'x' }, { budget });
    expect(() => {
      budget.check();
    }).toThrow(/allows 1 tool calls/);
  });

  test('a denial hides what the call must not show, also in the reason', async () => {
    class Secret {
      @Param({ description: 'Key', secret: true }) key!: string;
    }
    const tool = defineTool({
      name: 'open',
      description: 'Opens.',
      params: Secret,
      policies: [policy(({ params }) => deny(`the key ${(params as Secret).key} is old`))],
      handler: () => 'open',
    });
    const desk = await deskOf([tool]);
    const { text } = await desk.call('open', { key: 'swordfish' });
    expect(text).toContain('the key [secret] is old');
    expect(JSON.stringify([desk.events, desk.logged])).not.toContain('swordfish');
  });

  test('a denial comes after look-up and parsing, which need no policy to say no', async () => {
    const asked: string[] = [];
    const { tool } = writer(policy(({ call }) => (asked.push(call.name), allow)));
    const desk = await deskOf([tool]);
    expect((await desk.call('write', { text: 1 })).kind).toBe('rejected');
    expect((await desk.call('wrote', { text: 'x' })).kind).toBe('unknown');
    expect(asked).toEqual([]);
  });
});

describe('the order of policies', () => {
  test("the tool's own, then its section's, outwards to the prompt's; the first denial counts", async () => {
    const asked: string[] = [];
    const asks = (name: string, decision: PolicyDecision = allow): ToolPolicy =>
      policy(() => (asked.push(name), decision), name);
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      policies: [asks('tool 1'), asks('tool 2')],
      handler: () => 'done',
    });
    const inner = defineSection({ key: 'inner', title: 'Inner', tools: [tool], policies: [asks('inner')] });
    const outer = defineSection({
      key: 'outer',
      title: 'Outer',
      children: [inner],
      policies: [asks('outer', deny('enough')), asks('after')],
    });
    const prompt = definePrompt({ ns: 'spec', key: 'order', sections: [outer], policies: [asks('prompt')] });
    const app = await createApplication({ prompts: [prompt] });
    const outcome = await app.invoke(await app.prompt(prompt).render(), 'act', {});
    expect(outcome.kind).toBe('denied');
    expect(asked).toEqual(['tool 1', 'tool 2', 'inner', 'outer']);
  });

  test('a policy in two places is asked once, and reported once', async () => {
    const heard: string[] = [];
    const twice: ToolPolicy = {
      name: 'twice',
      check: () => (heard.push('asked'), allow),
      onResult: () => void heard.push('told'),
    };
    const { tool } = writer(twice);
    const section = defineSection({ key: 's', title: 'S', tools: [tool], policies: [twice] });
    const prompt = definePrompt({ ns: 'spec', key: 'twice', sections: [section], policies: [twice] });
    const app = await createApplication({ prompts: [prompt], resources: [bind(Ledger, { value: new Ledger() })] });
    await app.invoke(await app.prompt(prompt).render(), 'write', { text: 'x' });
    expect(heard).toEqual(['asked', 'told']);
  });

  test('a policy that judges no calls of the tool is not asked; a policy that cannot say so is asked', async () => {
    const asked: string[] = [];
    const judging = (name: string, appliesTo: (tool: ToolView) => boolean): ToolPolicy => ({
      name,
      appliesTo,
      check: () => (asked.push(name), allow),
    });
    const { tool } = writer(
      judging('other', ({ name }) => name === 'other'),
      judging('own', ({ name }) => name === 'write'),
      judging('broken', () => {
        throw new TypeError('judges is broken');
      }),
    );
    const desk = await deskOf([tool]);
    expect((await desk.call('write', { text: 'x' })).kind).toBe('succeeded');
    expect(asked).toEqual(['own', 'broken']);
  });

  test('a policy that says so by a promise is asked, and a promise that rejects does not end the process', async () => {
    const rejecting = jest.fn(() => Promise.reject(new Error('not now')));
    const { tool, ran } = writer({ name: 'late', appliesTo: rejecting as never, check: () => deny('no') });
    const unhandled: unknown[] = [];
    const hear = (reason: unknown): void => void unhandled.push(reason);
    host.on('unhandledRejection', hear);
    try {
      const desk = await deskOf([tool]);
      expect((await desk.call('write', { text: 'x' })).kind).toBe('denied');
      await sleep(5);
    } finally {
      host.off('unhandledRejection', hear);
    }
    expect([rejecting.mock.calls.length, ran, unhandled]).toEqual([1, [], []]);
  });
});

describe('fail closed: a policy that', () => {
  test('a policy that throws a DeadlineExceededError of its own denies: only the deadline of the run ends the run', async () => {
    const desk = await deskOf([
      writer(
        policy(() => {
          throw new DeadlineExceededError();
        }),
      ).tool,
    ]);
    for (const deadline of [undefined, Deadline.in(60_000)])
      expect((await desk.call('write', { text: 'x' }, { deadline })).kind).toBe('denied');
  });

  test('a policy that throws when the deadline of the run has passed denies all the same', async () => {
    const clock = new FakeClock();
    const { tool } = writer(
      policy(() => {
        clock.advance(5_000);
        throw new Error('too late');
      }),
    );
    const desk = await deskOf([tool], { clock });
    const deadline = Deadline.in(1_000, clock);
    expect((await desk.call('write', { text: 'x' }, { deadline })).kind).toBe('denied');
  });

  const never = new Promise<never>(() => undefined);
  const faults: readonly (readonly [name: string, check: () => unknown])[] = [
    [
      'throws',
      () => {
        throw new Error('the policy service said: secret plans');
      },
    ],
    [
      'throws null',
      () => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- code without types may throw anything
        throw null;
      },
    ],
    [
      'throws what would end a run',
      () => {
        throw new PromptEvaluationError('over', { phase: 'tool' });
      },
    ],
    ['rejects', () => Promise.reject(new Error('the policy service said: secret plans'))],
    ['hangs', () => never],
    ['gives nothing', () => undefined],
    ['gives true', () => true],
    ['gives a text', () => 'allow'],
    ['gives a truthy permission', () => ({ allowed: 1 })],
    ['gives a truthy permission with a reason', () => ({ allowed: 1, reason: 'why not' })],
    ['gives a reason alone', () => ({ reason: 'why not' })],
    ['denies without a reason', () => ({ allowed: false })],
    ['denies with what is no text', () => ({ allowed: false, reason: { toString: () => 'x' } })],
    ['promises garbage', () => Promise.resolve(null)],
    ['promises a function', () => Promise.resolve(() => allow)],
    [
      'gives what throws when it is looked at',
      () =>
        new Proxy(
          {},
          {
            get: (_target, key) => {
              if (key === 'then') return undefined;
              throw new Error('do not look');
            },
          },
        ),
    ],
  ];

  test.each(faults)("%s denies: the model reads a neutral text, the host's log has the cause", async (_name, check) => {
    const { tool, ran } = writer(policy(check as Check));
    const desk = await deskOf([tool], { limits: { policyMs: 30 } });
    const outcome = await desk.call('write', { text: 'x' });
    expect(outcome.kind).toBe('denied');
    expect(outcome.text).toMatch(/policy spec could not judge it.*Nothing was done/);
    expect(outcome.text).not.toContain('secret plans');
    expect(ran).toEqual([]);
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: expect.stringMatching(/^Policy spec .*denies the call$/) as string,
      }),
    );
  });

  test('a policy that throws is known to the host by its error; one that gave no decision has none', async () => {
    const error = new Error('no connection');
    const throwing = await deskOf([writer(policy(() => Promise.reject(error))).tool]);
    expect(await throwing.call('write', { text: 'x' })).toHaveProperty('error', error);
    expect(throwing.events[0]?.error).toBe(error);
    for (const given of [undefined, null, true, 'allow', () => allow]) {
      const desk = await deskOf([writer(policy((() => given) as never)).tool]);
      expect(await desk.call('write', { text: 'x' })).not.toHaveProperty('error');
      expect(desk.logged[0]?.message).toMatch(/^Policy spec gave .* instead of a decision; it denies the call$/);
    }
  });

  test('a policy that rejects after its time does not end the process, and is logged', async () => {
    const { tool } = writer(
      policy(async () => {
        await sleep(40);
        throw new Error('late');
      }),
    );
    const desk = await deskOf([tool], { limits: { policyMs: 10 } });
    expect((await desk.call('write', { text: 'x' })).kind).toBe('denied');
    await sleep(80);
    expect(desk.logged).toContainEqual(
      expect.objectContaining({ level: 'debug', message: expect.stringContaining('late') as string }),
    );
  });

  test('a policy that takes a while to allow a call is waited for', async () => {
    const { tool, ran } = writer(
      policy(async () => {
        await sleep(5);
        return allow;
      }),
    );
    const desk = await deskOf([tool]);
    expect((await desk.call('write', { text: 'x' })).kind).toBe('succeeded');
    expect(ran).toEqual(['x']);
  });
});

describe('while a policy is asked', () => {
  const hanging = policy(() => new Promise<never>(() => undefined));

  test('the deadline ends the run, and the event has no result', async () => {
    const { tool, ran } = writer(hanging);
    const desk = await deskOf([tool]);
    const deadline = Deadline.in(1_000);
    const error = await rejection(desk.call('write', { text: 'x' }, { deadline }));
    expect(error).toMatchObject({ phase: 'tool', code: 'E605' });
    expect(desk.events).toMatchObject([{ kind: 'timed_out', result: null }]);
    expect(ran).toEqual([]);
  });

  test("the caller's signal ends the run with its reason", async () => {
    const { tool, ran } = writer(hanging);
    const desk = await deskOf([tool]);
    const controller = new AbortController();
    const running = desk.call('write', { text: 'x' }, { signal: controller.signal });
    controller.abort('enough');
    expect(await rejection(running)).toBe('enough');
    expect(desk.events).toMatchObject([{ kind: 'failed', result: null }]);
    expect(ran).toEqual([]);
  });

  test('the signal of a policy is aborted when the policy is abandoned', async () => {
    let seen: AbortSignal | undefined;
    const { tool } = writer(
      policy((_call, { signal }) => {
        seen = signal;
        return new Promise<never>(() => undefined);
      }),
    );
    const desk = await deskOf([tool], { limits: { policyMs: 10 } });
    await desk.call('write', { text: 'x' });
    expect(seen?.aborted).toBe(true);
  });
});

describe('the view of a policy', () => {
  test('a policy sees tool, call, params, session, resources and identity', async () => {
    let seen: unknown;
    const { tool } = writer(
      policy(({ tool, call, params }, context) => {
        seen = {
          tool: tool.name,
          path: tool.sectionPath,
          call: call.arguments,
          params,
          notes: context.session.slice(Note).all().length,
          lines: context.resources.get(Ledger).lines,
          attempt: context.call.attempt,
          key: context.call.idempotencyKey.length,
          prompt: context.prompt.key,
          filesystem: context.filesystem,
        };
        return allow;
      }),
    );
    const desk = await deskOf([tool]);
    await desk.call('write', { text: 'x' });
    expect(seen).toMatchObject({
      ...{ tool: 'write', path: 'desk', call: { text: 'x' }, params: { text: 'x' } },
      notes: 1,
      lines: ['first'],
      attempt: 1,
      key: 64,
      prompt: 'desk',
      filesystem: null,
    });
  });

  test('a policy cannot change the session: a write denies the call', async () => {
    const { tool, ran } = writer(
      policy((_call, { session }) => {
        session.dispatch(new Note('by a policy'));
        return allow;
      }),
    );
    const desk = await deskOf([tool]);
    expect((await desk.call('write', { text: 'x' })).kind).toBe('denied');
    expect(ran).toEqual([]);
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('a policy cannot change a resource: a write is dropped', async () => {
    const { tool } = writer(
      policy((_call, { resources }) => {
        resources.get(Ledger).write('by a policy');
        return allow;
      }),
    );
    const desk = await deskOf([tool]);
    await desk.call('write', { text: 'x' });
    expect(desk.ledger.lines).toEqual(['first', 'x']);
  });

  test('a policy cannot use the context later', async () => {
    let kept: CallContext | undefined;
    const { tool } = writer(policy((_call, context) => ((kept = context), allow)));
    const desk = await deskOf([tool]);
    await desk.call('write', { text: 'x' });
    expect(() => kept?.session).toThrow(/E602/);
  });

  test('a policy sees the arguments as they came: null stays null, and a text a text', async () => {
    const seen: unknown[] = [];
    const tool = defineTool({
      name: 'ping',
      description: 'Answers.',
      policies: [policy(({ call }) => (seen.push(call.arguments), allow))],
      handler: () => 'pong',
    });
    const desk = await deskOf([tool]);
    for (const args of [null, {}, '{}', '']) expect((await desk.call('ping', args)).text).toBe('pong');
    expect(seen).toEqual([null, {}, '{}', '']);
  });

  test('changes that a policy makes to its params do not reach the handler', async () => {
    const { tool, ran } = writer(
      policy(({ params }) => {
        (params as Text).text = 'forged';
        return allow;
      }),
    );
    const desk = await deskOf([tool]);
    await desk.call('write', { text: 'x' });
    expect(ran).toEqual(['x']);
  });

  test('the context of a policy has no model and no tools', async () => {
    let outcome: unknown;
    let adapter: unknown = 'not asked';
    const { tool } = writer(
      policy(async (_call, context) => {
        adapter = (context as unknown as ToolContext).run;
        outcome = await rejection(
          (context as unknown as ToolContext).callTool({ id: 'c', name: 'write', arguments: '{}' }),
        );
        return allow;
      }),
    );
    const desk = await deskOf([tool]);
    await desk.call('write', { text: 'x' });
    expect(adapter).toBeNull();
    expect(outcome).toEqual(new TypeError('policies, approvers and feedback providers cannot call tools'));
  });

  test('a policy of a call within a call sees what the outer handler has done so far', async () => {
    const seen: unknown[] = [];
    const inner = writer(
      policy((_call, { session, resources }) => {
        seen.push([session.slice(Note).all().length, resources.get(Ledger).lines.length]);
        return deny('no');
      }),
    );
    const outer = defineTool({
      name: 'outer',
      description: 'Writes, then calls.',
      handler: async (_params: unknown, context: ToolContext) => {
        writeBoth(context, 'outer');
        const { kind } = await context.callTool({ id: 'i', name: 'write', arguments: { text: 'inner' } });
        return kind;
      },
    });
    const desk = await deskOf([inner.tool, outer]);
    const outcome = await desk.call('outer');
    expect(outcome.text).toBe('denied');
    expect(seen).toEqual([[2, 2]]);
    expect(desk.state()).toEqual({ notes: ['first', 'outer'], lines: ['first', 'outer'] });
  });
});

describe('between the judgement and the end of the call', () => {
  test('a change of what a policy saw is a conflict; an idempotent call is judged again', async () => {
    const judged: number[] = [];
    const isEmpty = policy((_call, { session }) => {
      const notes = session.slice(Note).all().length;
      judged.push(notes);
      return notes < 2 ? allow : deny('full');
    });
    const slow = (idempotent: boolean) =>
      defineTool({
        name: 'add',
        description: 'Adds.',
        hints: { idempotent },
        policies: [isEmpty],
        handler: async (_params: unknown, context: ToolContext) => {
          await sleep(10);
          context.session.dispatch(new Note('added'));
        },
      });
    for (const [idempotent, kinds] of [
      [false, ['conflicted', 'succeeded']],
      [true, ['denied', 'succeeded']],
    ] as const) {
      judged.length = 0;
      const desk = await deskOf([slow(idempotent)]);
      const outcomes = await Promise.all([desk.call('add'), desk.call('add')]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(kinds);
      expect(desk.state().notes).toEqual(['first', 'added']);
      expect(judged).toEqual(idempotent ? [1, 1, 2] : [1, 1]);
    }
  });

  test('a nested call that waits while its caller ends does not run any more', async () => {
    const inner = writer(
      policy(async () => {
        await sleep(40);
        return allow;
      }),
    );
    const outer = defineTool({
      name: 'outer',
      description: 'Gives up early.',
      handler: (_params: unknown, context: ToolContext) => {
        void context.callTool({ id: 'i', name: 'write', arguments: { text: 'inner' } });
        return 'gone';
      },
    });
    const desk = await deskOf([inner.tool, outer]);
    expect((await desk.call('outer')).kind).toBe('succeeded');
    await sleep(80);
    expect(inner.ran).toEqual([]);
    expect(desk.state()).toEqual(UNTOUCHED);
  });
});

describe('in one turn', () => {
  test('read-only calls run together unless a policy judges them by what the others did', async () => {
    let open = 0;
    let most = 0;
    const reading = (policies: readonly ToolPolicy[]) =>
      defineTool({
        name: 'look',
        description: 'Looks.',
        hints: { readOnly: true },
        policies,
        handler: async () => {
          most = Math.max(most, ++open);
          await sleep(10);
          open--;
        },
      });
    const calls = [1, 2, 3].map((id) => ({ id: String(id), name: 'look', arguments: '{}' }));
    const onResult = (): void => undefined;
    const check = (): PolicyDecision => allow;
    for (const [policies, together] of [
      [[{ name: 'stateless', check }], 3],
      [[{ name: 'hears only', check, onResult, appliesTo: () => false }], 3],
      [[{ name: 'judges and hears', check, onResult }], 1],
    ] as const) {
      most = 0;
      const desk = await deskOf([reading(policies)]);
      await desk.app.callTools(desk.rendered, calls, { session: new Session() });
      expect(most).toBe(together);
    }
  });
});

describe('a tool without policies', () => {
  test('a tool without policies is not awaited: a synchronous handler runs before dispatch yields', async () => {
    let ran = false;
    const tool = defineTool({
      name: 'act',
      description: 'Acts.',
      handler: () => {
        ran = true;
      },
    });
    const desk = await deskOf([tool]);
    const running = desk.app.callTool(desk.rendered, { id: 'c', name: 'act', arguments: '{}' });
    expect(ran).toBe(true);
    await running;
  });

  test('ParsedCall is frozen, so that policies cannot talk to each other through it', async () => {
    let seen: ParsedCall | undefined;
    const { tool } = writer(policy((call) => ((seen = call), allow)));
    const desk = await deskOf([tool]);
    await desk.call('write', { text: 'x' });
    expect(Object.isFrozen(seen)).toBe(true);
  });
});
