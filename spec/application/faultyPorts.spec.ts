import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Session,
  type Application,
  type ApplicationOptions,
  type ToolContext,
} from 'toolwright';
import { InProcessEventBus, ToolInvoked, type EventBus } from 'toolwright/events';
import { silent } from '../support/silent.js';

class Note {
  constructor(readonly text: string) {}
}

let isJoined = false;

const write = defineTool({
  name: 'write',
  description: 'Writes.',
  handler: (_params: null, { session, resources }: ToolContext) => {
    session.dispatch(new Note('kept'));
    if (isJoined) resources.get(Store);
    return 'done';
  },
});

class Store {
  begin(): unknown {
    return this;
  }
  commit(): unknown {
    return undefined;
  }
  conflicts(): boolean {
    return false;
  }
}

async function callWith(options: Partial<ApplicationOptions>, isHeard = true) {
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [write] })] });
  isJoined = options.resources !== undefined;
  const errors: string[] = [];
  const logger = { ...silent, error: (message: string) => void errors.push(message) };
  const app: Application = await createApplication({ prompts: [Desk], logger, ...options });
  const events: ToolInvoked[] = [];
  const session = new Session();
  const rendered = await app.prompt(Desk).render({ session });
  const onEvent = (event: object): void => {
    if (event instanceof ToolInvoked) events.push(event);
  };
  const outcome = await app.callTool(
    rendered,
    { id: 'c1', name: 'write', arguments: {} },
    { session, onEvent: isHeard ? onEvent : undefined },
  );
  return { outcome, errors: errors.join('\n'), events, notes: session.slice(Note).all().length };
}

const thrown = (): never => {
  throw new Error('Broken.');
};
const nonsense: [string, () => unknown][] = [
  ['throws', thrown],
  ['gives undefined', () => undefined],
  ['gives NaN', () => NaN],
  ['gives an object', () => ({})],
  ['gives a promise that rejects', () => Promise.reject(new Error('Late.'))],
];

describe('TRACE-04 a small port', () => {
  test.each(nonsense)('E414 ids that %s: the call goes on, with ids of the default', async (_how, ids) => {
    const { outcome, errors, events, notes } = await callWith({ ids: ids as never });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(errors).toContain('E414 ids');
    expect(events).toMatchObject([{ kind: 'succeeded', id: expect.stringMatching(/^[\da-f-]{36}$/) as string }]);
    expect(notes).toBe(1);
  });

  test.each(nonsense)('E414 a clock that %s: the time is the system’s', async (_how, time) => {
    const { outcome, errors, events } = await callWith({ clock: { now: time, monotonic: time } as never });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(errors).toContain('E414 clock.now');
    expect(errors).toContain('E414 clock.monotonic');
    const [event] = events;
    expect(Math.abs(Number(event?.time) - Date.now())).toBeLessThan(60_000);
    expect(Number.isFinite(event?.durationMs)).toBe(true);
  });

  test.each(nonsense)(
    'E414 a redact that %s: the value that it should have redacted is hidden',
    async (_how, redact) => {
      const { outcome, errors, events } = await callWith({ redact: redact as never });
      expect(outcome).toMatchObject({ kind: 'succeeded', text: 'done' });
      expect(errors).toContain('E414 redact');
      expect(events).toMatchObject([{ kind: 'succeeded' }]);
      expect(JSON.stringify(events[0]?.result)).not.toContain('done');
    },
  );

  test('TRACE-04 a small port is reported once for each fault, however often it is asked', async () => {
    const { errors } = await callWith({ clock: { now: thrown, monotonic: () => 1 } });
    expect(errors.match(/E414/g)).toHaveLength(1);
  });
});

describe('TRACE-04 the event bus', () => {
  const busWith = (methods: Partial<Record<keyof EventBus, unknown>>): EventBus =>
    Object.assign(new InProcessEventBus(), methods);

  test.each<[string, Partial<Record<keyof EventBus, unknown>>]>([
    ['publish throws', { publish: thrown, reaches: () => true }],
    ['publish gives nothing', { publish: () => undefined, reaches: () => true }],
    ['publish rejects', { publish: () => Promise.reject(new Error('Late.')), reaches: () => true }],
  ])('E414 %s: the call succeeds, and the listener of the run has its event', async (_how, methods) => {
    const { outcome, errors, events, notes } = await callWith({ eventBus: busWith(methods) });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(errors).toContain('E414 eventBus');
    expect(events).toHaveLength(1);
    expect(notes).toBe(1);
  });

  test('E414 reaches throws: the event is published all the same', async () => {
    const bus = busWith({ reaches: thrown });
    const events: ToolInvoked[] = [];
    bus.subscribe(ToolInvoked, (event) => void events.push(event));
    const { outcome, errors } = await callWith({ eventBus: bus }, false);
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(errors).toContain('E414 eventBus.reaches');
    expect(events).toHaveLength(1);
  });

  test('flush throws: the application closes, and says so', async () => {
    const app = await createApplication({ prompts: [], logger: silent, eventBus: busWith({ flush: thrown }) }).catch(
      (error: unknown) => error as Error,
    );
    expect(app).not.toBeInstanceOf(Error);
    await expect((app as Application).close()).rejects.toMatchObject({
      code: 'E908',
      errors: [{ message: 'Broken.' }],
    });
  });
});

describe('TRACE-04 a logger', () => {
  test.each<[string, () => unknown]>([
    ['throws', thrown],
    ['rejects', () => Promise.reject(new Error('Late.'))],
  ])('TRACE-04 a logger that %s changes nothing', async (_how, log) => {
    const logger = { debug: log, info: log, warn: log, error: log } as never;
    const { outcome, notes } = await callWith({ logger, ids: thrown });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(notes).toBe(1);
  });
});

describe('TRACE-04 a resource', () => {
  const storeWith = (methods: object): Partial<ApplicationOptions> => ({
    resources: [bind(Store, { value: Object.assign(new Store(), methods) })],
  });

  test.each<[string, object, string]>([
    ['begin throws', { begin: thrown }, 'E913'],
    ['conflicts throws', { conflicts: thrown }, 'E915'],
    ['conflicts gives a text', { conflicts: () => 'no' }, 'E915'],
    ['commit throws', { commit: thrown }, ''],
  ])('%s: a failure with a code, one event, nothing kept', async (_how, methods, code) => {
    const { outcome, events, notes } = await callWith(storeWith(methods));
    expect(outcome.kind).toBe('failed');
    expect(events).toHaveLength(1);
    if (code !== '') expect(outcome).toMatchObject({ error: { code } });
    else expect(outcome.text).toContain('Broken.');
    expect(notes).toBe(0);
  });

  test('close throws: the call has succeeded, and the log says it', async () => {
    const resources = [
      bind(Store, { provide: () => Object.assign(new Store(), { close: thrown }), scope: 'toolCall' }),
    ];
    const { outcome, errors, notes } = await callWith({ resources });
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(errors).toContain('Store failed to close');
    expect(notes).toBe(1);
  });
});
