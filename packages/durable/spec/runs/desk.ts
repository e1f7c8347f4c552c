import 'reflect-metadata';
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createApplication,
  Field,
  type ModelAdapter,
  type ModelResponse,
  Param,
  Prompt,
  PromptEvaluationError,
  Section,
  Tool,
  ToolContext,
} from 'toolwright';
import { fallback } from 'toolwright/adapters';
import { type DurableStore, openRuns, type Runs, type RunsOptions } from '@toolwright/durable';
import type { EventBus } from 'toolwright/events';

export class Line {
  @Field('Item') item!: string;
}

class Item {
  @Param('Item') item!: string;
}

export type Input = { readonly tenant?: string } | null;

export interface DeskOptions extends Partial<Omit<RunsOptions<Input>, 'store' | 'prepare'>> {
  /** The text of the section, another one in another version of the prompt. */
  readonly template?: string;
  readonly eventBus?: EventBus;
  /** The keys of the application; all desks have the same ones when left out. */
  readonly keys?: readonly string[];
  /** The texts that the application warns with. */
  readonly warnings?: string[];
  /** The description of `ship`, another one in another version of the tool. */
  readonly ships?: string;
  /** Who acts, as `runMetadata.principal` has it. */
  readonly principal?: string;
  /** Goes on with a second model from the second turn on; the process is killed at the given moment. */
  readonly falls?: { readonly killedAt?: FallbackMoment };
}

/**
 * The first model gets the request that it will not answer; it has failed; the handover is stored, and the second model gets the
 * request; the second model has answered, and gets the next request.
 */
export type FallbackMoment = 'asked' | 'failed' | 'stored' | 'answered';

/** Keys as every process of a deployment has them. */
export const deskKeys: readonly string[] = ['a key of the desk, for specs alone'];

const call = (name: string, item = 'apple') => ({ name, arguments: { item } });

/** What the model does, by the last message of the user: the calls of each turn, and then the answer. */
const plans: Readonly<Record<string, readonly (readonly ReturnType<typeof call>[])[]>> = {
  buy: [[call('look')], [call('pay'), call('stamp')], [call('look')]],
  ship: [[call('look')], [call('ship')]],
  slow: [[call('stamp')], [call('hold')], [call('stamp')]],
  crash: [[call('crash')]],
  fall: [[call('pay')], [call('pay', 'pear')]],
  hello: [],
};

/**
 * A desk whose handlers write each of their runs as a line of `effects.txt` in the folder. `hold` waits until the file `go` is there;
 * `crash` ends the process unless the file `sound` is there.
 */
export async function openDesk(folder: string, store: DurableStore, options: DeskOptions = {}): Promise<Runs<Input>> {
  const { template = 'Sell things.', eventBus, keys = deskKeys, warnings, ships = 'Ships.', ...rest } = options;
  const { principal, falls, ...settings } = rest;
  const at = (moment: FallbackMoment): void => {
    if (falls?.killedAt === moment) process.kill(process.pid, 'SIGKILL');
  };
  const effect = (text: string): void => appendFileSync(`${folder}/effects.txt`, `${text}\n`);
  const done = (name: string, { item }: Item, context: ToolContext): string => {
    effect(`${context.call.idempotencyKey} ${name} ${item}`);
    context.session.dispatch(Object.assign(new Line(), { item: `${name} ${item}` }));
    return `${name} ${item}: ${String(context.session.slice(Line).all().length)} lines`;
  };
  @Section({ title: 'Desk', template })
  class Desk {
    @Tool({ description: 'Looks at an item.', hints: { readOnly: true } })
    look(params: Item): string {
      effect(`looked at ${params.item}`);
      return 'There is one.';
    }

    @Tool({ description: 'Pays.' })
    pay(params: Item, context: ToolContext): string {
      return done('pay', params, context);
    }

    @Tool({ description: 'Stamps.', hints: { idempotent: true } })
    stamp(params: Item, context: ToolContext): string {
      return done('stamp', params, context);
    }

    @Tool({ description: ships, hints: { idempotent: true }, requiresApproval: true })
    ship(params: Item, context: ToolContext): string {
      return done('ship', params, context);
    }

    @Tool({ description: 'Holds.', hints: { idempotent: true } })
    async hold(params: Item, context: ToolContext): Promise<string> {
      effect('holding');
      while (!existsSync(`${folder}/go`)) {
        context.signal.throwIfAborted();
        await sleep(5);
      }
      return done('hold', params, context);
    }

    @Tool({ description: 'Crashes.', hints: { idempotent: true } })
    crash(params: Item, context: ToolContext): string {
      effect('crashing');
      if (!existsSync(`${folder}/sound`)) process.kill(process.pid, 'SIGKILL');
      return done('crash', params, context);
    }
  }
  @Prompt({ ns: 'test', key: 'desk', sections: [Desk] })
  class Shop {}
  const warn = (text: string): void => {
    warnings?.push(text);
    // The last thing that is said before the handover is stored.
    if (text.includes(' is asked instead of ')) at('failed');
  };
  const quiet = { debug() {}, info() {}, warn, error() {} };
  const approver = { approve: () => ({ kind: 'later' as const }) };
  const app = await createApplication({ prompts: [Shop], logger: quiet, approver, eventBus, keys });
  const runs = await openRuns<Input>(app, {
    store,
    pollMs: 20,
    ...settings,
    prepare: ({ input }) => {
      if (existsSync(`${folder}/unprepared`)) throw new TypeError('not now');
      const runMetadata = principal === undefined ? undefined : { principal };
      const adapter =
        falls === undefined ? modelOf(folder, input?.tenant) : fallback([failing(folder, at), following(folder, at)]);
      return { prompt: Shop, adapter, slices: [Line], runMetadata };
    },
  });
  return runs;
}

function modelOf(folder: string, tenant = 'nobody'): ModelAdapter {
  return {
    name: 'scripted (not a model)',
    async complete({ messages }): Promise<ModelResponse> {
      const last = messages.map(({ role }) => role).lastIndexOf('user');
      const wish = messages[last]?.content ?? '';
      if (wish === 'fail') throw new TypeError('The model is out of order.');
      const turn = messages.slice(last).filter(({ role }) => role === 'assistant').length;
      appendFileSync(`${folder}/effects.txt`, `asked ${wish} ${String(turn + 1)}\n`);
      const calls = plans[wish]?.[turn] ?? [];
      const toolCalls = calls.map((one, index) => ({ ...one, id: `${wish}-${String(turn)}-${String(index)}` }));
      return calls.length > 0
        ? { text: null, toolCalls, finishReason: 'tool_calls', usage: undefined }
        : { text: `${wish} is done for ${tenant}.`, toolCalls: [], finishReason: 'stop', usage: undefined };
    },
  };
}

/** A model that answers the first turn, and no other. */
function failing(folder: string, at: (moment: FallbackMoment) => void): ModelAdapter {
  const model = modelOf(folder);
  return {
    name: 'first',
    complete: (request) => {
      if (!request.messages.some(({ role }) => role === 'assistant')) return model.complete(request);
      appendFileSync(`${folder}/effects.txt`, 'the first one failed\n');
      at('asked');
      return Promise.reject(new PromptEvaluationError('no host', { phase: 'request', failure: 'down' }));
    },
  };
}

/** The model that goes on. */
function following(folder: string, at: (moment: FallbackMoment) => void): ModelAdapter {
  const model = modelOf(folder);
  return {
    name: 'second',
    complete: (request) => {
      const answers = request.messages.filter(({ role }) => role === 'assistant').length;
      at(answers === 1 ? 'stored' : 'answered');
      return model.complete(request);
    },
  };
}

export function effectsOf(folder: string): readonly string[] {
  const path = `${folder}/effects.txt`;
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').slice(0, -1) : [];
}

/** Resolves once the condition holds. */
export async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const start = Date.now();
  while (!(await condition())) {
    if (Date.now() - start > 20_000) throw new TypeError(`It took too long: ${what}.`);
    await sleep(5);
  }
}

/** The id of the only question of a run that waits. */
export async function questionOf(runs: Pick<Runs<Input>, 'questions'>, run: string): Promise<string> {
  const questions = await runs.questions({ run });
  if (questions[0] === undefined || questions.length > 1)
    throw new TypeError(`The run ${run} has ${String(questions.length)} questions.`);
  return questions[0].id;
}

export const said = (content: string) => [{ role: 'user', content }] as const;
