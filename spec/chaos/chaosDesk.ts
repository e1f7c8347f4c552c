import {
  type Application,
  bind,
  type BoundPrompt,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  SliceOps,
  type ToolContext,
} from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';
import { InProcessEventBus, ToolInvoked } from 'toolwright/events';
import type { FaultPlan } from './faultsOfPorts.js';

/** Every place at which user code is asked. */
export const POINTS = [
  ...['clock.now', 'clock.monotonic', 'ids', 'random', 'redact', 'estimator', 'logger', 'onEvent'],
  ...['bus.publish', 'bus.reaches', 'subscriber', 'enabled', 'visibility', 'renderBody'],
  ...['policy.appliesTo', 'policy.check', 'policy.onResult', 'requiresApproval', 'approver', 'feedback', 'checker'],
  ...['aroundRun', 'aroundModel', 'aroundCall', 'aroundTool', 'reducer', 'retry.on', 'handler', 'inner'],
  ...['provide', 'closeResource', 'begin', 'commit', 'conflicts', 'changed', 'rollback', 'snapshot', 'restore'],
  'complete',
] as const;

class Booked {
  constructor(readonly id: string) {}
}

/** The bookings that succeeded, by the id of their call. */
export class Ledger {
  constructor(readonly ids: readonly string[] = []) {}
}

class Rows extends TransactionalTable<string, string> {}

/** A list that is changed in place. */
class Shelf {
  ids: string[] = [];
  #before: readonly string[] = [];
  constructor(readonly plan: FaultPlan) {}
  put(id: string): void {
    this.ids.push(id);
  }
  snapshot(): unknown {
    const save = (): unknown => (this.#before = [...this.ids]);
    return this.plan.effect('snapshot', save)();
  }
  restore(): unknown {
    const putBack = (): unknown => (this.ids = [...this.#before]);
    return this.plan.effect('restore', putBack)();
  }
}

/** A resource whose transactions take time, over a set of ids. */
class Store {
  readonly ids = new Set<string>();
  constructor(readonly plan: FaultPlan) {}
  begin(): unknown {
    return this.plan.at('begin', () => Promise.resolve({ added: new Set<string>() }))();
  }
  commit(overlay: { readonly added: ReadonlySet<string> }): unknown {
    return this.plan.effect('commit', () => {
      for (const id of overlay.added) this.ids.add(id);
      return Promise.resolve();
    })();
  }
  conflicts(): boolean {
    return this.plan.at('conflicts', () => false)();
  }
  changed(overlay: { readonly added: ReadonlySet<string> }): boolean {
    return this.plan.at('changed', () => overlay.added.size > 0)();
  }
  rollback(): unknown {
    return this.plan.at('rollback', () => Promise.resolve())();
  }
}

class Ticket {}

class BookParams {
  @Param('What to book.') seat!: string;
}

export interface ChaosDesk {
  readonly app: Application;
  readonly prompt: BoundPrompt;
  readonly session: Session;
  readonly rows: Rows;
  readonly shelf: Shelf;
  readonly store: { readonly ids: ReadonlySet<string> };
  /** The ids of the calls whose handler began. */
  readonly begun: Set<string>;
  /** What a sound listener of the bus received. */
  readonly events: ToolInvoked[];
}

function toolsOf(plan: FaultPlan, begun: Set<string>) {
  const note = defineTool({
    name: 'note',
    description: 'Notes.',
    handler: plan.at('inner', () => 'noted'),
  });
  const book = defineTool({
    name: 'book',
    description: 'Books a seat.',
    params: BookParams,
    hints: { idempotent: true },
    retry: { attempts: 2, on: plan.at('retry.on', () => true) },
    requiresApproval: plan.at('requiresApproval', () => true),
    handler: async ({ seat }: BookParams, context: ToolContext) => {
      const { id } = context.call;
      begun.add(id);
      await context.resources.resolve(Ticket);
      context.session.dispatch(new Booked(id));
      context.resources.get(Rows).set(id, seat);
      context.resources.get(Shelf).put(id);
      const store = (await context.resources.resolve(Store)) as unknown as { readonly added: Set<string> };
      store.added.add(id);
      await context.callTool({ id: `${id}n`, name: 'note', arguments: {} });
      return plan.at('handler', () => `Booked ${seat}.`)();
    },
  });
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    hints: { readOnly: true },
    handler: (_params: null, { resources }: ToolContext) => resources.get(Rows).size,
  });
  return [note, book, look];
}

/** An application in which everything that a host may bring is there, and fails where the plan says so. */
export async function chaosDesk(plan: FaultPlan): Promise<ChaosDesk> {
  const begun = new Set<string>();
  const [rows, shelf, store] = [new Rows(), new Shelf(plan), new Store(plan)];
  const hooked = defineSection({
    key: 'h',
    title: 'H',
    summary: 'H.',
    enabled: plan.at('enabled', () => true),
    visibility: plan.at('visibility', () => 'full' as const),
    renderBody: plan.at('renderBody', () => 'Text.'),
  });
  const policy = {
    name: 'policy',
    appliesTo: plan.at('policy.appliesTo', () => true),
    check: plan.at('policy.check', () => ({ allowed: true }) as const),
    onResult: plan.at('policy.onResult', () => undefined),
  };
  const Desk = definePrompt({
    ns: 'chaos',
    key: 'desk',
    sections: [defineSection({ key: 's', title: 'S', tools: toolsOf(plan, begun) }), hooked],
    policies: [policy],
    feedback: [{ name: 'feedback', trigger: { everyCalls: 1 }, provide: plan.at('feedback', () => 'Go on.') }],
    completion: [{ name: 'checker', check: plan.at('checker', () => ({ complete: true }) as const) }],
  });
  const log = plan.at('logger', () => undefined);
  const bus = new InProcessEventBus();
  const events: ToolInvoked[] = [];
  bus.subscribe(ToolInvoked, (event) => void events.push(event));
  bus.subscribe(
    ToolInvoked,
    plan.at('subscriber', () => undefined),
  );
  const around = (point: string) => plan.at(point, (_subject: unknown, next: () => Promise<unknown>) => next());
  const session = new Session({ slices: [{ type: Ledger, initial: () => new Ledger() }] });
  const reducer = plan.at('reducer', (ids: readonly string[], { id }: Booked) =>
    SliceOps.replace(new Ledger([...ids, id])),
  );
  session.slice(Ledger).register(Booked, (view, event) => reducer(view.latest()?.ids ?? [], event));
  const app = await createApplication({
    prompts: [Desk],
    logger: { debug: log, info: log, warn: log, error: log },
    clock: {
      now: plan.at('clock.now', () => Date.now()),
      monotonic: plan.at('clock.monotonic', () => performance.now()),
    },
    ids: plan.at('ids', () => crypto.randomUUID()),
    random: plan.at('random', () => 0.5),
    redact: plan.at('redact', (text: string) => text),
    tokenEstimator: plan.at('estimator', (text: string) => text.length),
    eventBus: Object.assign(bus, {
      publish: plan.at('bus.publish', bus.publish.bind(bus)),
      reaches: plan.at('bus.reaches', bus.reaches.bind(bus)),
    }),
    approver: { approve: plan.at('approver', () => ({ kind: 'approved' }) as const) },
    interceptors: [
      {
        aroundRun: around('aroundRun'),
        aroundModel: around('aroundModel'),
        aroundCall: around('aroundCall'),
        aroundTool: around('aroundTool'),
      },
    ],
    resources: [
      bind(Rows, { value: rows }),
      bind(Shelf, { value: shelf }),
      bind(Store, { value: store }),
      bind(Ticket, {
        scope: 'toolCall',
        provide: plan.at('provide', () => new Ticket()),
        close: plan.at('closeResource', () => undefined),
      }),
    ],
  });
  return { app, prompt: app.prompt(Desk), session, rows, shelf, store, begun, events };
}
