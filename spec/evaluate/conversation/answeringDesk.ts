import { Min } from 'class-validator';
import {
  ApprovalPendingError,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  type ApplicationOptions,
  type PromptResponse,
  type ToolContext,
} from 'toolwright';
import { Conversation, type QuestionReply, type RunEntry } from 'toolwright/conversations';
import type { Logger } from 'toolwright';
import { ScriptedModel } from 'toolwright/testing';

class Payment {
  @Min(1)
  @Param('The amount')
  amount!: number;

  @Param({ description: 'The account', enum: ['a', 'b'], optional: true })
  account?: 'a' | 'b';
}

class SecretPayment {
  @Param({ description: 'The amount', secret: true })
  amount!: number;
}

type Script = ConstructorParameters<typeof ScriptedModel>[0];

/** Options of a desk. */
export interface DeskOptions extends Partial<Pick<ApplicationOptions, 'approver' | 'redact' | 'repair'>> {
  /** True for a version of `pay` with a secret amount. */
  readonly hasSecrets?: boolean;
  /** False for a version of `pay` that needs no approval. */
  readonly requiresApproval?: boolean;
  /** The largest amount that the policy of `pay` allows. */
  readonly most?: number;
  /** The description of `pay`, another one in another version of the tool. */
  readonly pays?: string;
  /** Called by the handler of `pay`, and may throw. */
  readonly onPay?: (amount: number) => void;
}

/** Calls `pay` once. */
export const pay = (given: Readonly<Record<string, unknown>> | string) => ({
  toolCalls: [{ name: 'pay', arguments: given as never }],
});
const said = (content: string) => [{ role: 'user', content } as const];

/**
 * A till whose tool `pay` waits for an approval. `paid` has each payment with its idempotency key, `judged` the amounts that its policy
 * was asked about.
 */
export async function openDesk({
  hasSecrets,
  requiresApproval = true,
  most = 1_000,
  pays = 'Pays.',
  onPay,
  ...options
}: DeskOptions = {}) {
  const paid: { readonly amount: number; readonly account: unknown; readonly key: string }[] = [];
  const judged: number[] = [];
  const warnings: string[] = [];
  let asked = 0;
  const policy = {
    name: 'most',
    check: ({ params }: { readonly params: unknown }) => {
      const { amount } = params as Payment;
      judged.push(amount);
      return amount <= most
        ? { allowed: true as const }
        : { allowed: false as const, reason: `at most ${String(most)}` };
    },
  };
  const tool = defineTool({
    name: 'pay',
    description: pays,
    params: hasSecrets === true ? SecretPayment : Payment,
    requiresApproval,
    policies: [policy],
    handler: ({ amount, account }: { readonly amount: number; readonly account?: unknown }, { call }: ToolContext) => {
      onPay?.(amount);
      paid.push({ amount, account, key: call.idempotencyKey });
      return `paid ${String(amount)}`;
    },
  });
  const look = defineTool({ name: 'look', description: 'Looks.', hints: { readOnly: true }, handler: () => 'seen' });
  const section = defineSection({ key: 'till', title: 'Till', template: 'Pay.', tools: [tool, look] });
  const Till = definePrompt({ ns: 'spec', key: 'till', sections: [section] });
  const approver = {
    approve: () => {
      asked++;
      return { kind: 'later' as const };
    },
  };
  const warn = (text: string): void => void warnings.push(text);
  const logger: Logger = { debug: () => {}, info: () => {}, warn, error: warn };
  const app = await createApplication({ prompts: [Till], logger, approver, ...options });
  const events: object[] = [];
  const run = (conversation: Conversation, script: Script, text?: string, rest: object = {}): Promise<PromptResponse> =>
    app.evaluate(app.prompt(Till), {
      adapter: new ScriptedModel(script),
      session: new Session(),
      conversation,
      ...(text === undefined ? {} : { messages: said(text) }),
      onEvent: (event: object) => void events.push(event),
      ...rest,
    });
  /** A conversation that waits for the approval of a call of `pay` with these arguments. */
  const park = async (given: Readonly<Record<string, unknown>> | string): Promise<Conversation> => {
    const conversation = new Conversation();
    await parks(run(conversation, [pay(given)], 'Pay.'));
    return conversation;
  };
  return { app, Till, paid, judged, warnings, events, run, park, asked: () => asked };
}

/** Waits for a run to park. */
export async function parks(run: Promise<unknown>): Promise<ApprovalPendingError> {
  const error: unknown = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ApprovalPendingError) return error;
  throw new TypeError(`the run did not park: ${String(error)}`);
}

/** Answers the open question. */
export async function answer(conversation: Conversation, reply: QuestionReply): Promise<string> {
  const [question] = conversation.questions;
  if (question === undefined) throw new TypeError('no question is open');
  expect(await conversation.reply(question.id, reply)).toBe('taken');
  return question.id;
}

/** The conversation as another process reads it. */
export const reread = (conversation: Conversation): Conversation =>
  Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));

/** The entries of one kind. */
export function entriesOf<K extends RunEntry['kind']>(conversation: Conversation, kind: K): readonly RunEntry<K>[] {
  return conversation.toJSON().entries.filter((entry): entry is RunEntry<K> => entry.kind === kind);
}

/** The texts of the calls that ended, as the model reads them. */
export const outcomesOf = (conversation: Conversation): readonly string[] =>
  entriesOf(conversation, 'outcome').map(({ message }) => message.content);
