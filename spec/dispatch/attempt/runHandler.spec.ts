import 'reflect-metadata';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext, ToolRefusal } from 'toolwright';
import { type ContainedHandler, type ContainerAdapter, PlainContainer } from 'toolwright/adapters';
import type { ToolPolicy } from 'toolwright/policies';
import { InMemoryOverridesStore } from 'toolwright/overrides';
import { silent } from '../../support/silent.js';

class Said {}

class WordParams {
  @Param('A word') word!: string;
}

function desk() {
  @Section({ title: 'Words' })
  class Words {
    readonly kind: string = 'singleton';
    @Tool('Say.')
    say({ word }: WordParams, { session }: ToolContext): string {
      session.dispatch(new Said());
      return `${word} by the ${this.kind}`;
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Words] })
  class Desk {}
  return { Words, Desk };
}

/** A container that is the plain one but for what is given. */
function container(more: Pick<ContainerAdapter, 'run' | 'policies'>): ContainerAdapter {
  const plain = new PlainContainer();
  return { get: (type) => plain.get(type), ...more };
}

test('a container runs the handler, on another instance and with other params when it likes', async () => {
  const { Words, Desk } = desk();
  const seen: ContainedHandler[] = [];
  const run: ContainerAdapter['run'] = (handler, params, context) => {
    seen.push(handler);
    expect(context.runMetadata).toEqual({ tenant: 'a' });
    const ofCall = Object.assign(new Words(), { kind: 'call' });
    return handler.invoke(ofCall, { word: (params as WordParams).word.toUpperCase() });
  };
  const app = await createApplication({ prompts: [Desk], container: container({ run }), logger: silent });
  const rendered = await app.prompt(Desk).render();
  const outcome = await app.invoke(rendered, 'say', { word: 'hello' }, { runMetadata: { tenant: 'a' } });

  expect(outcome.text).toBe('HELLO by the call');
  expect(seen).toEqual([
    expect.objectContaining({
      type: Words,
      member: 'say',
      paramsType: WordParams,
      instance: expect.any(Words) as unknown,
    }),
  ]);
});

test('an error from the run of a container counts as one of the handler: the call is rolled back', async () => {
  const { Desk } = desk();
  const run: ContainerAdapter['run'] = async (handler, params) => {
    await handler.invoke(handler.instance, params);
    throw new ToolRefusal('Not today.');
  };
  const app = await createApplication({ prompts: [Desk], container: container({ run }), logger: silent });
  const session = new Session();
  const outcome = await app.invoke(await app.prompt(Desk).render(), 'say', { word: 'hello' }, { session });

  expect(outcome).toMatchObject({ kind: 'failed', text: 'Not today.' });
  expect(session.slice(Said).all()).toEqual([]);
});

test('a context runs the tools of a rendering with overridden texts, too', async () => {
  const { Desk } = desk();
  const app = await createApplication({
    prompts: [Desk],
    container: container({ run: () => 'run by the container' }),
    overrides: new InMemoryOverridesStore(),
    logger: silent,
  });
  const prompt = app.prompt(Desk);
  await prompt.overrides.write({ tools: { say: { description: 'Say it.' } } });
  const rendered = await prompt.render();
  expect(rendered.tools[0]?.description).toBe('Say it.');
  expect((await app.invoke(rendered, 'say', { word: 'hello' })).text).toBe('run by the container');
});

test('policies of the rendering are asked after the declared ones', async () => {
  const asked: string[] = [];
  const policy = (name: string, allowed = true): ToolPolicy => ({
    name,
    check: () => {
      asked.push(name);
      return allowed ? { allowed } : { allowed, reason: `${name} says no.` };
    },
  });
  @Section({ title: 'Words' })
  class Words {
    @Tool({ description: 'Say.', policies: [policy('of the tool')] })
    say(): string {
      return 'said';
    }
  }
  @Prompt({ ns: 'shop', key: 'desk', sections: [Words], policies: [policy('of the prompt')] })
  class Desk {}
  const policies = [policy('of the container', false)];
  const app = await createApplication({ prompts: [Desk], container: container({ policies }), logger: silent });
  const outcome = await app.invoke(await app.prompt(Desk).render(), 'say', {});

  expect(outcome.kind).toBe('denied');
  expect(outcome.text).toContain('of the container says no.');
  expect(asked).toEqual(['of the tool', 'of the prompt', 'of the container']);
});
