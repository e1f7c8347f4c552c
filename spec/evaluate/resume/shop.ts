import 'reflect-metadata';
import { appendFileSync } from 'node:fs';
import {
  createApplication,
  Field,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  type PromptResponse,
} from 'toolwright';
import { FileJournal, type Journal, type JournalEntry } from 'toolwright/journal';
import { ScriptedModel } from 'toolwright/testing';

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

/** A journal that ends the process without warning: before or after its n-th entry is written. */
class Killing implements Journal {
  #written = 0;

  constructor(
    readonly inner: Journal,
    readonly at: number,
    readonly when: 'before' | 'after',
  ) {}

  entries(): readonly JournalEntry[] {
    return this.inner.entries();
  }

  append(entry: JournalEntry): void {
    this.#written++;
    if (this.#written === this.at && this.when === 'before') process.kill(process.pid, 'SIGKILL');
    this.inner.append(entry);
    if (this.#written === this.at) process.kill(process.pid, 'SIGKILL');
  }
}

/** Two turns with three calls each, one of which fails, then the answer; everything in files of the folder. */
export async function shop(folder: string, kill?: { readonly at: number; readonly when: 'before' | 'after' }) {
  const effects = `${folder}/effects.txt`;
  @Section({ title: 'Basket', template: 'Fill the basket.' })
  class Basket {
    @Tool('Put an item into the basket.')
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
  ];
  const adapter = {
    name: 'scripted (not a model)',
    complete: async (request: Parameters<ScriptedModel['complete']>[0]) => {
      const turn = request.messages.filter(({ role }) => role === 'assistant').length;
      sideEffect(effects, `asked ${String(turn + 1)}`);
      return new ScriptedModel(script.slice(turn, turn + 1)).complete(request);
    },
  };
  const file = new FileJournal(`${folder}/journal.jsonl`);
  const journal = kill === undefined ? file : new Killing(file, kill.at, kill.when);
  const response: PromptResponse = await app.evaluate(app.prompt(Shop), { adapter, session, journal, resume: true });
  return {
    text: response.text,
    transcript: response.transcript,
    items: session
      .slice(Line)
      .all()
      .map(({ item }) => item),
  };
}
