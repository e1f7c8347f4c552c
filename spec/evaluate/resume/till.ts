import 'reflect-metadata';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import {
  ApprovalPendingError,
  createApplication,
  Field,
  Param,
  type PendingCall,
  Prompt,
  PromptEvaluationError,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { type ApprovalDecision, type Approver, PolicyRecord, RateLimitPolicy } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { SqliteRuns } from '@toolwright/durable/sqlite';

class Amount {
  @Param('Amount') amount!: number;
}

class Paid {
  @Field({ description: 'Amount', type: Number }) readonly amount: number;
  constructor(amount: number) {
    this.amount = amount;
  }
}

/** A till whose payments are approved later. */
async function till(folder: string) {
  const effects = `${folder}/effects.txt`;
  const note = (text: string): void => {
    appendFileSync(effects, `${text}\n`);
  };
  const limit = new RateLimitPolicy({ maxCalls: 2, perSeconds: 1e6 });
  @Section({ title: 'Till', template: 'Pay what is due.' })
  class Till {
    @Tool({ description: 'Count the money.', hints: { readOnly: true } })
    count(context: ToolContext): string {
      note('counted');
      return `${String(context.session.slice(Paid).all().length)} payments`;
    }

    @Tool({ description: 'Pay.', requiresApproval: ({ amount }: Amount) => amount > 10, policies: [limit] })
    pay({ amount }: Amount, context: ToolContext): string {
      note(`${context.call.idempotencyKey} paid ${String(amount)}`);
      context.session.dispatch(new Paid(amount));
      return `paid ${String(amount)}`;
    }
  }
  @Prompt({ ns: 'shop', key: 'till', sections: [Till] })
  class Desk {}
  const approver: Approver = {
    approve: (_call, { call: { idempotencyKey } }) => {
      note(`${idempotencyKey} asked`);
      return { kind: 'later' };
    },
  };
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [Desk], approver, logger: quiet });
  return { app, prompt: app.prompt(Desk), slices: [Paid, PolicyRecord] };
}

/**
 * One process of a run: to its end, or until it waits for an approval, which is in `pending.json`.
 *
 * @param decision the reply to its question, if there is one by now
 */
async function run(folder: string, decision?: ApprovalDecision): Promise<unknown> {
  const { app, prompt, slices } = await till(folder);
  const session = new Session({ slices });
  const pay = (amount: number) => ({ name: 'pay', arguments: { amount } });
  const script = [
    { toolCalls: [pay(3), pay(30), { name: 'count', arguments: {} }] },
    { toolCalls: [pay(4)] },
    { text: 'Done.' },
  ];
  const adapter = {
    name: 'scripted (not a model)',
    complete: async (request: Parameters<ScriptedModel['complete']>[0]) => {
      const turn = request.messages.filter(({ role }) => role === 'assistant').length;
      appendFileSync(`${folder}/effects.txt`, `model ${String(turn + 1)}\n`);
      return new ScriptedModel(script.slice(turn, turn + 1)).complete(request);
    },
  };
  await using store = new SqliteRuns(`${folder}/runs.db`);
  const conversation = await Conversation.open(store, 'till');
  const replies: string[] = [];
  if (decision !== undefined)
    for (const { id } of conversation.questions) {
      replies.push(await conversation.reply(id, decision), await conversation.reply(id, { kind: 'approved' }));
    }
  try {
    const { text, transcript } = await app.evaluate(prompt, { adapter, session, conversation });
    const said = transcript.flatMap((message) => (message.role === 'tool' ? [message.content.split('\n')[0]] : []));
    return {
      text,
      said,
      replies,
      paid: session
        .slice(Paid)
        .all()
        .map(({ amount }) => amount),
    };
  } catch (error) {
    if (error instanceof PromptEvaluationError && error.code === 'E731')
      return { waits: error.code, questions: conversation.questions };
    if (!(error instanceof ApprovalPendingError)) throw error;
    writeFileSync(`${folder}/pending.json`, JSON.stringify(error.pending));
    return {
      waits: error.pending.tool,
      paid: session
        .slice(Paid)
        .all()
        .map(({ amount }) => amount),
    };
  }
}

/** A single call in one process, up to the question. */
async function ask(folder: string): Promise<{ readonly waits: PendingCall }> {
  const { app, prompt, slices } = await till(folder);
  const session = new Session({ slices });
  const rendered = await prompt.render({ session });
  await app.invoke(rendered, 'pay', { amount: 3 }, { session });
  const waiting = await app.invoke(rendered, 'pay', ' {"amount": 30}', { session }).catch((error: unknown) => error);
  if (!(waiting instanceof ApprovalPendingError)) throw new TypeError('it did not wait');
  writeFileSync(`${folder}/pending.json`, JSON.stringify({ pending: waiting.pending, session }));
  return { waits: waiting.pending };
}

/** The same call in another one, with its answer. */
async function answer(folder: string, decision: ApprovalDecision): Promise<unknown> {
  const { app, prompt, slices } = await till(folder);
  const kept = JSON.parse(readFileSync(`${folder}/pending.json`, 'utf8')) as {
    readonly pending: PendingCall;
    readonly session: unknown;
  };
  const session = Session.fromJSON(kept.session, { slices });
  const rendered = await prompt.render({ session });
  const { kind, text } = await app.continueCall(rendered, kept.pending, decision, { session });
  const after = await app.invoke(rendered, 'pay', { amount: 5 }, { session });
  return {
    kind,
    text,
    after: after.kind,
    paid: session
      .slice(Paid)
      .all()
      .map(({ amount }) => amount),
  };
}

/** The work of one process. */
export const steps = { run, ask, answer };
