import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import {
  createApplication,
  Field,
  Param,
  Prompt,
  type PromptResponse,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import {
  Conversation,
  type RunEntry,
  type LogPosition,
  type RunStore,
  type UnknownCallPolicy,
} from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { SqliteRuns } from '@toolwright/durable/sqlite';

class Line {
  @Field('Item') item!: string;
}

class Item {
  @Param('Item') item!: string;
}

/** The effects of handlers outside of every transaction: one line a run of a handler. */
function sideEffect(file: string, text: string): void {
  appendFileSync(file, `${text}\n`);
}

/** The moment at which a process ends: before or after its n-th entry is written, with those that are written at once. */
export interface Kill {
  readonly at: number;
  readonly when: 'before' | 'after';
}

/** A store that ends the process without warning. */
class Killing extends SqliteRuns {
  readonly #kill: Kill;

  constructor(path: string, kill: Kill) {
    super(path);
    this.#kill = kill;
  }

  override async append(position: LogPosition, entries: readonly RunEntry[]): Promise<void> {
    const { at, when } = this.#kill;
    const isMoment = position.after < at && position.after + entries.length >= at;
    if (isMoment && when === 'before') process.kill(process.pid, 'SIGKILL');
    await super.append(position, entries);
    if (isMoment) process.kill(process.pid, 'SIGKILL');
  }
}

export interface ShopOptions {
  readonly kill?: Kill | undefined;
  /** True if a repeated call has no other effect than the first: it is not recorded before it begins. */
  readonly idempotent?: boolean | undefined;
  readonly onUnknown?: UnknownCallPolicy | undefined;
  /** The first message of a run, and its id: those of the first run when left out. */
  readonly message?: string | undefined;
  readonly runId?: string | undefined;
}

/**
 * Two turns with three calls each, one of which fails, then the answer; everything in files of the folder.
 *
 * @param store that of the folder, if the caller has it open
 */
export async function shop(folder: string, options: ShopOptions = {}, store: RunStore = storeOf(folder, options)) {
  const { idempotent = false, onUnknown, message = 'Buy something.', runId = 'r-1' } = options;
  const effects = `${folder}/effects.txt`;
  @Section({ title: 'Basket', template: 'Fill the basket.' })
  class Basket {
    @Tool({ description: 'Put an item into the basket.', hints: { idempotent } })
    add(params: Item, context: ToolContext): string {
      sideEffect(effects, `${context.call.idempotencyKey} add ${params.item}`);
      context.session.dispatch(Object.assign(new Line(), { item: params.item }));
      if (params.item === 'brick') throw new Error('too heavy');
      return `${String(context.session.slice(Line).all().length)} items`;
    }
  }
  @Prompt({ ns: 'shop', key: 'basket', sections: [Basket] })
  class Shop {}
  const app = await createApplication({ prompts: [Shop], logger: { debug() {}, info() {}, warn() {}, error() {} } });
  const add = (item: string) => ({ name: 'add', arguments: { item } });
  const session = new Session({ slices: [Line] });
  // A model answers by what was said, not by how often this process has asked.
  const script = [
    { toolCalls: [add('apple'), add('brick'), add('bread')] },
    { toolCalls: [add('milk'), { name: 'drop', arguments: {} }, add('salt')] },
    { text: 'Done.' },
    { text: 'You are welcome.' },
  ];
  const adapter = {
    name: 'scripted (not a model)',
    complete: async (request: Parameters<ScriptedModel['complete']>[0]) => {
      const turn = request.messages.filter(({ role }) => role === 'assistant').length;
      sideEffect(effects, `asked ${String(turn + 1)}`);
      return new ScriptedModel(script.slice(turn, turn + 1)).complete(request);
    },
  };
  const conversation = await Conversation.open(store, 'shop');
  const response: PromptResponse = await app.evaluate(app.prompt(Shop), {
    adapter,
    session,
    conversation,
    onUnknown,
    runId,
    messages: [{ role: 'user', content: message }],
  });
  return {
    text: response.text,
    transcript: response.transcript,
    items: session
      .slice(Line)
      .all()
      .map(({ item }) => item),
  };
}

function storeOf(folder: string, { kill }: ShopOptions): SqliteRuns {
  const path = `${folder}/runs.db`;
  return kill === undefined ? new SqliteRuns(path) : new Killing(path, kill);
}
