import {
  bind,
  createApplication,
  Field,
  Param,
  Prompt,
  Reducer,
  Section,
  Session,
  SliceOps,
  Tool,
  ToolContext,
  type Application,
  type BoundPrompt,
  type SliceOp,
} from 'toolwright';
import { recordBundle } from 'toolwright/bundles';
import { TransactionalTable } from 'toolwright/resources';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';

/** Edits of the shop's sources, each planted alone. */
export interface Edits {
  readonly description?: string;
  readonly maxQuantity?: number;
  readonly listText?: string;
  readonly template?: string;
  readonly isListRemoved?: boolean;
  readonly factor?: number;
  readonly stockStep?: number;
  readonly letterText?: string;
  readonly isDeskRenamed?: boolean;
  readonly listHangs?: boolean;
  readonly areSlicesRemoved?: boolean;
  readonly quote?: (article: string) => string;
}

/** An application of a user, and its sessions, as the command loads them. */
export interface Shop {
  readonly app: Application;
  readonly session: () => Promise<Session>;
  readonly desk: BoundPrompt;
  readonly help: BoundPrompt;
  readonly tierParams: new () => { tier: string };
  /** The letters that were really sent. */
  readonly sent: readonly string[];
}

export async function createShop(edits: Edits = {}): Promise<Shop> {
  const sent: string[] = [];
  class OrderPlaced {
    @Field({ type: Number }) readonly quantity: number;
    constructor(quantity: number) {
      this.quantity = quantity;
    }
  }
  class Basket {
    @Field({ type: Number }) readonly total: number;
    constructor(total = 0) {
      this.total = total;
    }
    @Reducer(() => OrderPlaced)
    add({ quantity }: OrderPlaced): SliceOp<Basket> {
      return SliceOps.replace(new Basket(this.total + quantity * (edits.factor ?? 1)));
    }
  }
  class Stock extends TransactionalTable<string, number> {}
  class OrderParams {
    @Param({ description: 'Article', type: String }) article!: string;
    @Param({ description: 'Pieces', type: Number, max: edits.maxQuantity ?? 100 }) quantity!: number;
  }
  class LetterParams {
    @Param({ description: 'Text', type: String }) text!: string;
  }
  class TierParams {
    @Param({ description: 'Tier', type: String }) tier = 'silver';
  }
  class QuoteParams {
    @Param({ description: 'Article', type: String }) article!: string;
  }
  const listTool = Tool({
    name: 'list_orders',
    description: edits.description ?? 'Lists the orders.',
    hints: { readOnly: true },
  });
  const noTool = (): void => undefined;
  @Section({
    key: 'orders',
    title: 'Orders',
    template: edits.template ?? 'Take orders for ${tier} customers.',
    params: TierParams,
  })
  class Orders {
    @(edits.isListRemoved === true ? noTool : listTool)
    async listOrders(): Promise<string> {
      if (edits.listHangs === true) await new Promise(() => undefined);
      return edits.listText ?? 'No orders yet.';
    }
    @Tool({ name: 'place_order', description: 'Places an order.', hints: { openWorld: false } })
    placeOrder({ article, quantity }: OrderParams, { session, resources }: ToolContext): string {
      session.dispatch(new OrderPlaced(quantity));
      resources.get(Stock).set(article, 1_000 - quantity * (edits.stockStep ?? 1));
      return `Ordered ${String(quantity)} ${article}.`;
    }
    @Tool({ name: 'send_letter', description: 'Sends a letter.' })
    sendLetter({ text }: LetterParams, { session }: ToolContext): string {
      sent.push(text);
      session.dispatch(new OrderPlaced(1));
      return edits.letterText ?? `Sent ${text}.`;
    }
    @Tool({ name: 'quote', description: 'Quotes a price.', hints: { readOnly: true } })
    quote({ article }: QuoteParams): string {
      return (edits.quote ?? ((name) => `${name} costs 3.`))(article);
    }
  }
  @Section({ key: 'help', title: 'Help', template: 'Help with anything.' })
  class Help {}
  @Prompt({ ns: 'shop', key: edits.isDeskRenamed === true ? 'counter' : 'desk', sections: [Orders] })
  class Desk {}
  @Prompt({ ns: 'shop', key: 'help', sections: [Help] })
  class HelpDesk {}
  const logger = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
  const app = await createApplication({
    prompts: [Desk, HelpDesk],
    resources: [bind(Stock, { value: new Stock() })],
    logger,
  });
  const slices = edits.areSlicesRemoved === true ? [] : [Basket, OrderPlaced];
  return {
    app,
    session: () => Promise.resolve(new Session({ slices })),
    desk: app.prompt(Desk),
    help: app.prompt(HelpDesk),
    tierParams: TierParams,
    sent,
  };
}

/** A call of a script. */
export function call(name: string, args: Readonly<Record<string, unknown>> = {}): ScriptedTurn {
  return { toolCalls: [{ name, arguments: args }] };
}

/** Records one run for each script, each in a session and a bundle of its own. */
export async function recordRuns(
  shop: Shop,
  scripts: Readonly<Record<string, readonly ScriptedTurn[]>>,
  prompt: BoundPrompt = shop.desk,
): Promise<Readonly<Record<string, string>>> {
  const bundles: Record<string, string> = {};
  for (const [name, turns] of Object.entries(scripts)) {
    const recording = recordBundle(shop.app);
    const adapter = new ScriptedModel([...turns, { text: 'Done.' }]);
    await shop.app.evaluate(prompt, {
      adapter,
      session: await shop.session(),
      messages: [{ role: 'user', content: `Run ${name}` }],
    });
    recording.stop();
    bundles[name] = recording.text();
  }
  return bundles;
}
