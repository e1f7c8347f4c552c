import {
  createApplication,
  definePrompt,
  type ModelAdapter,
  type ModelRequest,
  type ModelResponse,
  Param,
  Section,
  Tool,
  ToolContext,
} from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import type { RunDelta, RunEntry, ShownEntry } from 'toolwright/conversations';
import { type DurableStore, openRuns, type Runs, type RunsOptions } from '@toolwright/durable';
import { silent } from '../../../../spec/support/silent';
import { HandEngine } from '../durable/HandEngine';
import { deskKeys } from './desk';

/** One answer of a model, in pieces. An empty list of calls ends the run. */
export interface Answer {
  readonly reasoning?: readonly string[];
  readonly text?: readonly string[];
  readonly calls?: readonly { readonly name: string; readonly item: string }[];
}

/** Is awaited before each piece and each call; resolves when the model or the tool may go on. */
export type Pace = (place: string) => Promise<void> | void;

/** A model whose answers come in pieces, at a pace. Places are `turn.piece`, such as `1.0`, and `turn.last` before the response. */
export class PieceModel implements ModelAdapter {
  readonly name = 'scripted (not a model)';
  readonly answers: readonly Answer[];
  readonly #pace: Pace;

  constructor(answers: readonly Answer[], pace: Pace = () => undefined) {
    this.answers = answers;
    this.#pace = pace;
  }

  complete(): Promise<ModelResponse> {
    return Promise.reject(new TypeError('The run did not stream.'));
  }

  async *stream({ messages, signal }: ModelRequest, pace = this.#pace): AsyncGenerator<ModelPart, void> {
    const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
    const { reasoning = [], text = [], calls = [] } = this.answers[turn - 1] ?? {};
    const toolCalls = calls.map(({ name, item }, index) => {
      const id = `call-${String(turn)}-${String(index)}`;
      return { id, name, arguments: JSON.stringify({ item }) };
    });
    const inputs = toolCalls.flatMap(({ id, name, arguments: given }) =>
      (given.match(/.{1,4}/gs) ?? []).map((piece) => ({ kind: 'tool_input', id, name, text: piece }) as const),
    );
    const parts: readonly ModelPart[] = [
      ...reasoning.map((piece) => ({ kind: 'reasoning', text: piece }) as const),
      ...text.map((piece) => ({ kind: 'text', text: piece }) as const),
      ...inputs,
    ];
    for (const [index, part] of parts.entries()) {
      await pace(`${String(turn)}.${String(index)}`);
      signal.throwIfAborted();
      yield part;
    }
    await pace(`${String(turn)}.last`);
    signal.throwIfAborted();
    const finishReason = toolCalls.length > 0 ? 'tool_calls' : 'stop';
    yield { kind: 'response', response: { text: text.join('') || null, toolCalls, finishReason, usage: undefined } };
  }
}

class Item {
  @Param('Item') item!: string;
}

class Secret {
  @Param({ description: 'Item', secret: true }) item!: string;
}

export interface StreamDesk {
  readonly runs: Runs;
  readonly engine: HandEngine;
}

/**
 * Runs that a test carries out by hand, as those of one process. Tools wait at their pace, such as `look apple`.
 *
 * @param adapter returns the model of a run
 */
export async function openStreamDesk(
  store: DurableStore,
  adapter: () => ModelAdapter,
  options: Partial<Omit<RunsOptions, 'store' | 'prepare'>> & { readonly pace?: Pace } = {},
): Promise<StreamDesk> {
  const { pace = () => undefined, ...settings } = options;
  const done = async (name: string, item: string): Promise<string> => {
    await pace(`${name} ${item}`);
    return `${name} ${item}`;
  };
  @Section({ key: 'desk', title: 'Desk' })
  class Desk {
    @Tool({ description: 'Looks.', hints: { readOnly: true } })
    look({ item }: Item): Promise<string> {
      return done('look', item);
    }

    @Tool({ description: 'Stamps.', hints: { idempotent: true } })
    stamp({ item }: Item): Promise<string> {
      return done('stamp', item);
    }

    @Tool({ description: 'Pays.' })
    pay({ item }: Item): Promise<string> {
      return done('pay', item);
    }

    @Tool({ description: 'Ships.', hints: { idempotent: true }, requiresApproval: true })
    ship({ item }: Item): Promise<string> {
      return done('ship', item);
    }

    @Tool({ description: 'Counts, and reports it.', hints: { readOnly: true } })
    async count({ item }: Item, context: ToolContext): Promise<string> {
      for (let number = 1; number <= 3; number++) {
        context.reportProgress({ fraction: number / 3, message: `${item} ${String(number)}` });
        await pace(`count ${String(number)}`);
      }
      return done('count', item);
    }

    @Tool({ description: 'Hides.', hints: { idempotent: true } })
    hide({ item }: Secret): Promise<string> {
      return done('hide', item);
    }
  }
  const prompt = definePrompt({ ns: 'test', key: 'stream', sections: [Desk] });
  const approver = { approve: () => ({ kind: 'later' as const }) };
  const app = await createApplication({ prompts: [prompt], logger: silent, approver, keys: deskKeys });
  const engine = new HandEngine();
  const runs = await openRuns(app, {
    store,
    engine,
    pollMs: 20,
    ...settings,
    prepare: () => ({ prompt, adapter: adapter() }),
  });
  await runs.work();
  return { runs, engine };
}

/** A gate that holds whoever comes to a place until the test opens it. */
export class Gate {
  readonly #open = new Set<string>();
  readonly #arrived = new Set<string>();
  #change: () => void = () => undefined;
  #changed = Promise.resolve();
  readonly #isHeld: (place: string) => boolean;

  /** @param places the places that are closed; all when left out */
  constructor(...places: readonly string[]) {
    this.#isHeld = (place) => places.length === 0 || places.includes(place);
    this.#renew();
  }

  readonly pace: Pace = async (place) => {
    this.#arrived.add(place);
    this.#renew();
    while (this.#isHeld(place) && !this.#open.has(place)) await this.#changed;
  };

  open(...places: readonly string[]): void {
    for (const place of places) this.#open.add(place);
    this.#renew();
  }

  /** Resolves once somebody has come to the place. */
  async arrived(place: string): Promise<void> {
    while (!this.#arrived.has(place)) await this.#changed;
  }

  #renew(): void {
    this.#change();
    this.#changed = new Promise((resolve) => (this.#change = resolve));
  }
}

export type StreamedEvent = ShownEntry | RunDelta;

/** True for an entry of the log; the other events of a stream are not in it. */
export function isEntry(event: StreamedEvent): event is ShownEntry {
  const kinds: readonly RunEntry['kind'][] = ['answer', 'outcome', 'note', 'steering', 'question', 'reply', 'end'];
  return (kinds as readonly string[]).includes(event.kind);
}

/** Reads all events. */
export async function readAll<T>(events: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** Returns an event as a short line. */
export function sketch(event: StreamedEvent): string {
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      return `${event.kind} ${event.text}`;
    case 'tool_input':
      return `tool_input ${event.name} ${event.text}`;
    case 'progress':
      return `progress ${event.call} ${event.value.message ?? ''}`;
    case 'begun':
    case 'outcome':
      return `${event.kind} ${event.call}`;
    default:
      return event.kind;
  }
}
