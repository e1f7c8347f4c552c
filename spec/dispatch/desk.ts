import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  Session,
  type Application,
  type ApplicationOptions,
  type CallOptions,
  type Constructor,
  type RenderedPrompt,
  type ToolCall,
  type ToolContext,
  type ToolOutcome,
  type Transactional,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';

/** State of the session: one value a note. */
export class Note {
  constructor(readonly text: string) {}
}

/** A resource that is rolled back: an overlay is another ledger, and any commit since it was begun is a conflict. */
export class Ledger implements Transactional<Ledger> {
  readonly #seen: number;
  #version = 0;
  #written = false;

  constructor(
    public lines: readonly string[] = [],
    seen = 0,
  ) {
    this.#seen = seen;
    this.#version = seen;
  }

  write(line: string): void {
    this.lines = [...this.lines, line];
    this.#written = true;
  }

  begin(): Ledger {
    return new Ledger(this.lines, this.#version);
  }

  commit(overlay: Ledger): void {
    this.lines = overlay.lines;
    this.#version++;
  }

  conflicts(overlay: Ledger): boolean {
    return overlay.#seen !== this.#version;
  }

  changed(overlay: Ledger): boolean {
    return overlay.#written;
  }
}

/** One line that the application logged. */
interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** An application with one section, a session with one note, a ledger with one line, and ears on everything. */
export interface Desk {
  readonly app: Application;
  readonly rendered: RenderedPrompt;
  readonly session: Session;
  readonly ledger: Ledger;
  readonly events: ToolInvoked[];
  readonly logged: LogLine[];
  /** Calls a tool on the desk's session. */
  call(name: string, args?: ToolCall['arguments'], options?: CallOptions): Promise<ToolOutcome>;
  /** Everything that a rollback has to restore. */
  state(): { readonly notes: readonly string[]; readonly lines: readonly string[] };
}

/** The state of a new desk. */
export const UNTOUCHED = { notes: ['first'], lines: ['first'] };

export async function deskOf(
  tools: readonly Constructor[],
  options: Omit<Partial<ApplicationOptions>, 'prompts'> = {},
): Promise<Desk> {
  const section = defineSection({ key: 'desk', title: 'Desk', tools });
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [section] });
  const ledger = new Ledger(['first']);
  const logged: LogLine[] = [];
  const log = (level: LogLine['level']) => (message: string, fields?: LogLine['fields']) => {
    logged.push({ level, message, fields });
  };
  const app = await createApplication({
    prompts: [prompt],
    logger: { debug: log('debug'), info: log('info'), warn: log('warn'), error: log('error') },
    ...options,
    resources: [bind(Ledger, { value: ledger }), ...(options.resources ?? [])],
  });
  const rendered = await app.prompt(prompt).render();
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => {
    events.push(event);
  });
  const session = new Session();
  session.dispatch(new Note('first'));
  return {
    app,
    rendered,
    session,
    ledger,
    events,
    logged,
    call: (name, args = {}, callOptions = {}) => app.invoke(rendered, name, args, { session, ...callOptions }),
    state: () => ({
      notes: session
        .slice(Note)
        .all()
        .map(({ text }) => text),
      lines: ledger.lines,
    }),
  };
}

/** Leaves a trace in the session and in the ledger, which a rollback has to remove. */
export function writeBoth(context: ToolContext, text: string): void {
  context.session.dispatch(new Note(text));
  context.resources.get(Ledger).write(text);
}

/** The reason with which the promise rejects; fails the test when it does not. */
export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  const outcome = await promise.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  if (!('error' in outcome)) throw new Error(`nothing was thrown; the promise gave ${JSON.stringify(outcome.value)}`);
  return outcome.error;
}
