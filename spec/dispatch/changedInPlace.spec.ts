import { bind, defineTool, type ToolContext } from 'toolwright';
import { rehearse } from 'toolwright/own-loop';
import { allow, type CallContext, type FeedbackProvider } from 'toolwright/policies';
import { deskOf } from './desk';

/** A resource that is changed in place, and does not say which of its methods only read. */
class Counter {
  count = 0;

  add(): number {
    return ++this.count;
  }

  snapshot(): number {
    return this.count;
  }

  restore(count: number): void {
    this.count = count;
  }
}

/** A desk with a tool that counts once, and what a bystander of its calls counts, and keeps apart. */
async function counting(bystander: 'policy' | 'requiresApproval' | 'approver' | 'feedback' | undefined) {
  const counter = new Counter();
  const seen: number[] = [];
  const count = ({ resources }: Pick<CallContext, 'resources'>): void => {
    seen.push(resources.get(Counter).add());
  };
  const feedback: FeedbackProvider = {
    name: 'counting',
    trigger: { everyCalls: 1 },
    provide: (_call, _outcome, context) => {
      count(context);
      return undefined;
    },
  };
  const tool = defineTool({
    name: 'act',
    description: 'Acts.',
    hints: { openWorld: false },
    policies: bystander === 'policy' ? [{ name: 'counting', check: (_call, context) => (count(context), allow) }] : [],
    requiresApproval:
      bystander === 'requiresApproval' ? (_params, context) => (count(context), false) : bystander === 'approver',
    feedback: bystander === 'feedback' ? [feedback] : [],
    handler: (_params: unknown, { resources }: ToolContext) => resources.get(Counter).add(),
  });
  const desk = await deskOf([tool], {
    resources: [bind(Counter, { value: counter })],
    approver: { approve: (_call, context) => (count(context), { kind: 'approved' }) },
  });
  return { counter, desk, seen };
}

describe('a resource that is changed in place', () => {
  test.each([
    ['policy', 1],
    ['requiresApproval', 1],
    ['approver', 1],
    ['feedback', 2],
  ] as const)(
    'a resource that is changed in place is put back after the %s of a call changed it',
    async (bystander, found) => {
      const { counter, desk, seen } = await counting(bystander);
      expect(await desk.call('act')).toMatchObject({ kind: 'succeeded', text: '1' });
      expect({ count: counter.count, seen }).toEqual({ count: 1, seen: [found] });
    },
  );

  test('a resource that is changed in place is put back after a rehearsal, whose result says that it was changed', async () => {
    const { counter, desk } = await counting(undefined);
    const call = { id: 'r', name: 'act', arguments: {} };
    const { changed, outcome } = await rehearse(desk.app, desk.rendered, call, { session: desk.session });
    expect({ text: outcome.text, changed, count: counter.count }).toEqual({
      text: '1',
      changed: [{ part: 'resource', name: 'Counter', changes: undefined }],
      count: 0,
    });
  });
});
