import { createApplication, Param, Prompt, Section, Session, Tool } from 'toolwright';
import { ReplayModel, ScriptedModel } from 'toolwright/testing';
import { serveMcp } from '@toolwright/mcp';
import { programs } from '@toolwright/programs';
import { recordBundle } from 'toolwright/bundles';
import { silent } from '../support/silent';

/** Puts a property on every object while `work` runs. */
async function polluted<T>(name: string, value: unknown, work: () => T | Promise<T>): Promise<T> {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true });
  try {
    return await work();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

function house() {
  let opened = 0;
  class Params {
    @Param('The name') name!: string;
  }
  @Section({ title: 'Doors', template: 'Doors.' })
  class Doors {
    @Tool({ description: 'Open a door.', requiresApproval: true }) openDoor({ name }: Params): string {
      opened++;
      return `Opened ${name}.`;
    }
    @Tool('Ring.') ring(): string {
      return 'It rang.';
    }
  }
  @Prompt({ ns: 'test', key: 'doors', sections: [Doors] })
  class House {}
  return { House, opened: () => opened };
}

const call = { id: '1', name: 'open_door', arguments: { name: 'front' } };

describe('a property of Object.prototype is not an option', () => {
  test('an inherited approver is not an option of createApplication', async () => {
    const { House, opened } = house();
    await polluted('approver', { approve: () => ({ kind: 'approved' }) }, async () => {
      const app = await createApplication({ prompts: [House], logger: silent });
      const session = new Session();
      const outcome = await app.callTool(await app.prompt(House).render({ session }), call, { session });
      expect(outcome.kind).not.toBe('succeeded');
    });
    expect(opened()).toBe(0);
  });

  test('redact of createApplication and of recordings is not read from Object.prototype', async () => {
    const { House } = house();
    await polluted(
      'redact',
      () => 'owned',
      async () => {
        const app = await createApplication({ prompts: [House], logger: silent });
        const recording = recordBundle(app);
        const session = new Session();
        const messages = [{ role: 'user', content: 'Hello.' }] as const;
        const { transcript } = await app.evaluate(app.prompt(House), {
          adapter: new ScriptedModel([{ text: 'Hi.' }]),
          session,
          messages,
        });
        expect(recording.text()).toContain('Hello.');
        expect(recording.text()).not.toContain('owned');
        const replay = new ReplayModel(transcript);
        await app.evaluate(app.prompt(House), { adapter: replay, session: new Session(), messages });
      },
    );
  });

  test.each(['readOnly', 'idempotent', 'destructive', 'openWorld'])(
    'the hint %s of a tool is not read from Object.prototype',
    async (hint) => {
      const { House } = house();
      await polluted(hint, true, async () => {
        const app = await createApplication({ prompts: [House], logger: silent });
        const rendered = await app.prompt(House).render({ session: new Session() });
        expect((rendered.tool('ring')?.hints as Record<string, unknown>)[hint]).toBeUndefined();
      });
    },
  );

  test.each([
    ['requiresApproval', true],
    ['feedback', [{ name: 'owned', trigger: { everyCalls: 1 }, provide: () => 'owned' }]],
    ['callers', ['program']],
  ])('an inherited %s is not an option of a tool', async (option, value) => {
    await polluted(option, value, async () => {
      const { House } = house();
      const app = await createApplication({ prompts: [House], logger: silent });
      const session = new Session();
      const ring = { id: '1', name: 'ring', arguments: {} };
      const outcome = await app.callTool(await app.prompt(House).render({ session }), ring, { session });
      expect(outcome.kind).toBe('succeeded');
    });
  });

  test('secret of a param is not read from Object.prototype', async () => {
    await polluted('secret', true, async () => {
      const { House } = house();
      const app = await createApplication({ prompts: [House], logger: silent });
      const heard = recordBundle(app);
      const session = new Session();
      await app.callTool(await app.prompt(House).render({ session }), call, { session });
      expect(heard.text()).toContain('front');
    });
  });

  test('approver and offer of programs are not read from Object.prototype', async () => {
    await polluted('offer', 'instead', async () => {
      const { House } = house();
      const app = await createApplication({ prompts: [House], logger: silent });
      expect(programs({ check: 'off' }).name).toBe('programs');
      const rendered = await app.prompt(House).render({ session: new Session() });
      expect(rendered.tool('ring')).toBeDefined();
    });
  });

  test.each([
    ['allowedHosts', ['evil.example']],
    ['http', { allowedHosts: ['evil.example'] }],
  ])('%s of an MCP server is not read from Object.prototype', async (option, value) => {
    const { House } = house();
    const app = await createApplication({ prompts: [House], logger: silent });
    await polluted(option, value, async () => {
      const server = serveMcp(app, app.prompt(House));
      const response = await server.fetch(new Request('http://evil.example/mcp', { method: 'POST', body: '{}' }));
      expect(response.status).toBe(403);
      await server.close();
    });
  });
});
