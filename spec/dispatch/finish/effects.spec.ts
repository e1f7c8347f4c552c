import { setTimeout as sleep } from 'node:timers/promises';
import { bind, defineTool, ToolRefusal, ToolResult, type ToolHints, type Transactional } from 'toolwright';
import { deskOf, type Desk } from '../desk';

/** Tools that fail in every way, with these hints. */
function failing(hints: ToolHints): Promise<Desk> {
  const tool = (name: string, handler: () => unknown, more: object = {}) =>
    defineTool({ name, description: 'Fails.', hints, handler, ...more });
  return deskOf([
    tool('throws', () => {
      throw new Error('boom');
    }),
    tool('refuses', () => {
      throw new ToolRefusal('The order is closed.');
    }),
    tool('answers', () => ToolResult.error('The order is closed.')),
    tool('hangs', () => sleep(1_000), { timeoutMs: 5 }),
    tool('lies', () => 'seven', { result: Number }),
  ]);
}

const rows: readonly [string, ToolHints, 'none' | 'keyed' | 'unknown', boolean][] = [
  ['no hints', {}, 'unknown', false],
  ['readOnly', { readOnly: true }, 'none', true],
  ['openWorld: false', { openWorld: false }, 'none', true],
  ['idempotent', { idempotent: true }, 'keyed', false],
  ['openWorld', { openWorld: true }, 'unknown', false],
];

describe('CALL-02 one rule decides what a call may have done outside', () => {
  test.each(rows)(
    '%s: outcome and event say it, and the text promises no more',
    async (_name, hints, effect, isSure) => {
      const desk = await failing(hints);
      for (const [name, kind] of [
        ['throws', 'failed'],
        ['refuses', 'failed'],
        ['answers', 'failed'],
        ['hangs', 'timed_out'],
        ['lies', 'failed'],
      ] as const) {
        const outcome = await desk.call(name);
        expect(outcome).toMatchObject({ kind, effect });
        expect(outcome).not.toHaveProperty('rolledBack');
        expect(desk.events.at(-1)).toMatchObject({ kind, effect });
        if (name === 'refuses' || name === 'answers') expect(outcome.text).toBe('The order is closed.');
        else expect(outcome.text.includes('Nothing was changed')).toBe(isSure);
      }
    },
  );

  test('a call whose handler was never started has no effect to tell about', async () => {
    const desk = await failing({});
    expect(await desk.call('unheard_of')).not.toHaveProperty('effect');
    expect(await desk.call('throws', '{')).not.toHaveProperty('effect');
  });

  test.each(rows)('%s: a conflict is tried again only where that does nothing twice', async (_name, hints, effect) => {
    let calls = 0;
    class Box implements Transactional<Box> {
      begin(): Box {
        return new Box();
      }
      commit(): unknown {
        return calls === 1 ? 'conflicted' : undefined;
      }
    }
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      hints: { ...hints, readOnly: false },
      handler: (_params: unknown, { resources }) => {
        resources.get(Box);
        calls++;
      },
    });
    const desk = await deskOf([act], { resources: [bind(Box, { value: new Box() })] });
    const isRepeated = effect !== 'unknown' && hints.readOnly !== true;
    const ended = isRepeated ? { kind: 'succeeded' } : { kind: 'conflicted', effect: 'unknown' };
    expect(await desk.call('act')).toMatchObject(ended);
    expect(desk.events).toMatchObject([ended]);
    expect(calls).toBe(isRepeated ? 2 : 1);
  });
});
