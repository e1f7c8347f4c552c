import { join } from 'node:path';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  type ModelAdapter,
  Param,
  type ToolContext,
} from 'toolwright';
import { openRuns, type DurableStore } from '@toolwright/durable';
import { HandEngine } from '../durable/HandEngine';
import { silent } from '../../../../spec/support/silent';
import { sqliteRuns } from '../support/sqliteRuns';

class Payment {
  @Param('The amount') amount!: number;
  @Param('The card') card!: string;
}

class Paid {
  @Field('The amount') amount!: number;
}

/** What one unit costs, which others may change. */
export const market = { price: 1 };

/** Options of a desk. */
export interface TillOptions {
  readonly store?: DurableStore;
  /** Makes `prepare` of this process fail. */
  readonly failsToPrepare?: boolean;
}

/** A process whose engine is told by hand what to do. `paid` has the payments that its handlers made. */
export async function openTill(
  folder: string,
  { store = sqliteRuns(join(folder, 'runs.db')), failsToPrepare }: TillOptions = {},
) {
  const paid: string[] = [];
  const buy = defineTool({
    name: 'buy',
    description: 'Buys.',
    params: Payment,
    hints: { openWorld: false },
    requiresApproval: true,
    handler: ({ amount }: Payment, { session, call }: ToolContext) => {
      session.dispatch(Object.assign(new Paid(), { amount: amount * market.price }));
      paid.push(`${call.idempotencyKey} ${String(amount * market.price)}`);
      return `paid ${String(amount * market.price)}`;
    },
  });
  const section = defineSection({ key: 'till', title: 'Till', template: 'Pay.', tools: [buy] });
  const Till = definePrompt({ ns: 'shop', key: 'till', sections: [section] });
  const app = await createApplication({
    prompts: [Till],
    logger: silent,
    keys: ['a key of the desk, for specs alone'],
    approver: { approve: () => ({ kind: 'later' }) },
    redact: (text) => text.replaceAll('4111', '****'),
  });
  const engine = new HandEngine();
  const runs = await openRuns(app, {
    store,
    engine,
    prepare: () => {
      if (failsToPrepare === true) throw new TypeError('no model here');
      return { prompt: Till, adapter: model, slices: [Paid] };
    },
  });
  await runs.work();
  return { runs, engine, store, paid };
}

/** Calls `buy` with each amount that the last message of the user names, one after the other, and then answers. */
const model: ModelAdapter = {
  name: 'scripted (not a model)',
  complete: ({ messages }) => {
    const last = messages.map(({ role }) => role).lastIndexOf('user');
    const turn = messages.slice(last).filter(({ role }) => role === 'assistant').length;
    const amount = (messages[last]?.content ?? '').split(' ').slice(1)[turn];
    const call = { id: `call-${String(turn)}`, name: 'buy', arguments: { amount: Number(amount), card: '4111-1' } };
    const answer =
      amount === undefined
        ? { text: 'Done.', toolCalls: [], finishReason: 'stop' as const }
        : { text: null, toolCalls: [call], finishReason: 'tool_calls' as const };
    return Promise.resolve({ ...answer, usage: undefined });
  },
};

/** A desk with a run that waits. */
export async function waiting(folder: string, options?: TillOptions, content = 'Pay 30') {
  const desk = await openTill(folder, options);
  await desk.runs.start({ id: 'r', conversation: 'c', messages: [{ role: 'user', content }] });
  await desk.engine.carry('c');
  return { ...desk, folder, question: await openQuestion(desk) };
}

type Till = Pick<Awaited<ReturnType<typeof openTill>>, 'runs'>;

/** The id of the open question of a run. */
export async function openQuestion({ runs }: Till, run = 'r'): Promise<string> {
  const [question] = await runs.questions({ run });
  if (question === undefined) throw new TypeError('no question is open');
  return question.id;
}

/** The texts of the calls that ended, as the model reads them. */
export const outcomes = async (store: DurableStore): Promise<readonly string[]> =>
  (await store.entries('c')).flatMap((entry) => (entry.kind === 'outcome' ? [entry.message.content] : []));
