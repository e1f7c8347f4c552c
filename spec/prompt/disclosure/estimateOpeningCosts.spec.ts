import {
  type Application,
  type BoundPrompt,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  ReadOnlyViolationError,
  type SectionOptions,
  Session,
  ToolwrightError,
} from 'toolwright';
import { approximateTokens, type TokenEstimator } from 'toolwright/adapters';
import { type SessionPort, SetVisibilityOverride } from 'toolwright/conversations';
import { SectionsRequested } from 'toolwright/events';
import { silent } from '../../support/silent';

class Amount {
  @Param('How much') amount!: number;
}
const tool = (name: string): Constructor =>
  defineTool({ name, description: 'Does it.', params: Amount, handler: () => 'done' });
const closed = (key: string, options: Partial<SectionOptions> = {}): Constructor =>
  defineSection({ title: key.toUpperCase(), summary: 'Short.', visibility: 'summary', ...options, key });

let asked = 0;
const sections = [
  defineSection({ key: 'a', title: 'A', template: 'Open.', tools: [tool('ta')] }),
  closed('b', {
    template: 'Long b.',
    tools: [tool('tb')],
    children: [closed('c', { template: 'Long c.', tools: [tool('tc')] })],
  }),
  closed('d', {
    renderBody: ({ session }) => {
      asked++;
      return 'Long d. '.repeat(session.slice(Amount).all().length);
    },
  }),
  closed('off', { enabled: false }),
];

async function desk(
  tokenEstimator?: TokenEstimator,
): Promise<{ readonly app: Application; readonly prompt: BoundPrompt }> {
  const type = definePrompt({ ns: 'n', key: 'k', heading: 'plain', sections });
  const app = await createApplication({ prompts: [type], tokenEstimator, logger: silent });
  return { app, prompt: app.prompt(type) };
}
const characters: TokenEstimator = (text) => text.length;
const schemaOf = (name: string): string =>
  JSON.stringify({
    name,
    description: 'Does it.',
    parameters: {
      type: 'object',
      properties: { amount: { type: 'number', description: 'How much' } },
      required: ['amount'],
      additionalProperties: false,
    },
  });

describe('rendered.openingCosts', () => {
  test('summary, whole text and tools of each summarised section; what stays closed below counts as its summary', async () => {
    const { prompt } = await desk(characters);
    const session = new Session();
    const rendered = await prompt.render({ session });
    const costs = await rendered.openingCosts(session);
    const [b, d, ...more] = costs;
    const opened = await prompt.render({ visibilityOverrides: { b: 'full' } });
    expect(b).toEqual({
      path: 'b',
      summary: rendered.textOf('b').length,
      content: opened.textOf('b').length,
      tools: schemaOf('tb').length,
      total: opened.textOf('b').length + schemaOf('tb').length,
    });
    expect(opened.textOf('b')).toContain('### C\n\nShort.');
    expect(d).toMatchObject({ path: 'd', content: '## D'.length, tools: 0 });
    expect(more).toEqual([]);
    expect([costs, b].every((told) => Object.isFrozen(told))).toBe(true);
  });

  test('rendered.openingCosts knows what the session says now, and changes nothing', async () => {
    const { prompt } = await desk(characters);
    const session = new Session({ slices: [Amount] });
    const rendered = await prompt.render({ session });
    session.dispatch(Object.assign(new Amount(), { amount: 1 }));
    const before = session.toJSON();
    expect(await rendered.openingCosts(session, ['d'])).toMatchObject([{ content: '## D\n\nLong d.'.length }]);
    expect(session.toJSON()).toEqual(before);
    session.dispatch(new SetVisibilityOverride('b', 'full'));
    const costs = await (await prompt.render({ session })).openingCosts(session);
    expect(costs.map(({ path }) => path)).toEqual(['b.c', 'd']);
  });

  test('there are no costs of paths that are open, disabled, unknown or below a closed one', async () => {
    const { prompt } = await desk();
    const session = new Session();
    const rendered = await prompt.render({ session });
    expect(await rendered.openingCosts(session, ['a', 'off', 'b.c', 'no.such', '__proto__', ''])).toEqual([]);
  });

  test('nothing of it is done before it is asked for', async () => {
    let counted = 0;
    const { prompt } = await desk(() => ++counted);
    asked = 0;
    const session = new Session();
    const rendered = await prompt.render({ session });
    expect([asked, counted]).toEqual([0, 0]);
    await rendered.openingCosts(session, ['b']);
    expect(asked).toBe(0);
    await rendered.openingCosts(session);
    expect([asked, counted > 0]).toEqual([1, true]);
  });

  test('without a tokenEstimator, approximateTokens estimates', async () => {
    const { prompt } = await desk();
    const session = new Session();
    const rendered = await prompt.render({ session });
    expect((await rendered.openingCosts(session, ['b']))[0]?.summary).toBe(approximateTokens(rendered.textOf('b')));
  });

  test.each([[NaN], [-1], ['7'], [Promise.resolve(7)], [undefined]])(
    'E512: an estimator that returns %p is refused',
    async (given) => {
      const { prompt } = await desk(() => given as number);
      const session = new Session();
      const rendered = await prompt.render({ session });
      const error: unknown = await rendered.openingCosts(session).catch((thrown: unknown) => thrown);
      expect(error instanceof ToolwrightError).toBe(true);
      expect(error).toMatchObject({ code: 'E512' });
    },
  );
});

describe('SectionsRequested', () => {
  const requestOf = async (tokenEstimator: TokenEstimator): Promise<SectionsRequested | undefined> => {
    const { app, prompt } = await desk(tokenEstimator);
    const session = new Session();
    const events: object[] = [];
    const args = { section_keys: ['b', 'a'], reason: 'r' };
    await app
      .invoke(await prompt.render({ session }), 'open_sections', args, {
        session,
        onEvent: (event) => events.push(event),
      })
      .catch(() => undefined);
    return events.find((event): event is SectionsRequested => event instanceof SectionsRequested);
  };

  test('SectionsRequested holds the costs of what was asked for, also if the caller opens it', async () => {
    const costs = (await requestOf(characters))?.costs;
    expect(costs).toMatchObject([{ path: 'b', tools: schemaOf('tb').length }]);
  });

  test('the costs of openings are read from a state that hooks cannot change, and that is closed afterwards', async () => {
    const seen: SessionPort[] = [];
    const refused: unknown[] = [];
    const looking = closed('look', {
      renderBody: ({ session }) => {
        seen.push(session);
        try {
          session.dispatch(new Amount());
        } catch (error) {
          refused.push(error);
        }
        return 'Long.';
      },
    });
    const type = definePrompt({ ns: 'n', key: 'looking', sections: [looking] });
    const app = await createApplication({ prompts: [type], logger: silent });
    const session = new Session({ slices: [Amount] });
    const rendered = await app.prompt(type).render({ session });
    const args = { section_keys: ['look'], reason: 'r' };
    await app.invoke(rendered, 'open_sections', args, { session, onEvent: () => undefined }).catch(() => undefined);
    expect(seen.length).toBeGreaterThan(0);
    expect(refused.map((error) => error instanceof ReadOnlyViolationError)).toEqual(seen.map(() => true));
    expect(() => seen.at(-1)?.slice(Amount).all()).toThrow(expect.objectContaining({ code: 'E602' }) as Error);
  });

  test('a hook that fails while they are computed is logged, and there are none', async () => {
    let fails = false;
    const failing = closed('fail', {
      renderBody: () => {
        if (fails) throw new Error('boom');
        return 'Long.';
      },
    });
    const type = definePrompt({ ns: 'n', key: 'failing', sections: [failing] });
    const warn = jest.fn();
    const app = await createApplication({ prompts: [type], logger: { ...silent, warn } });
    const session = new Session();
    const rendered = await app.prompt(type).render({ session });
    fails = true;
    const events: object[] = [];
    const args = { section_keys: ['fail'], reason: 'r' };
    await app
      .invoke(rendered, 'open_sections', args, { session, onEvent: (event) => events.push(event) })
      .catch(() => undefined);
    expect(events).toContainEqual(expect.objectContaining({ sectionKeys: ['fail'], costs: [] }));
    expect(warn).toHaveBeenCalledWith(expect.stringMatching(/^The costs of sections are not known: .*boom/), {
      error: expect.any(Error) as Error,
    });
  });

  test('SectionsRequested is published even if the estimator fails', async () => {
    expect(await requestOf(() => NaN)).toMatchObject({ sectionKeys: ['b', 'a'], costs: [] });
  });
});
