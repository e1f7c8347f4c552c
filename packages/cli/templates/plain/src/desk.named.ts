import 'reflect-metadata';
import { Ctx, Param, Prompt, Section, Tool, ToolContext, ToolRefusal } from 'toolwright';

/** State of a conversation: what was ordered. */
export class Order {
  @Param({ description: 'Article', type: String }) readonly article: string;
  @Param({ description: 'Pieces', type: Number }) readonly count: number;

  constructor(article: string, count: number) {
    this.article = article;
    this.count = count;
  }
}

export class PlaceOrderParams {
  @Param({ description: 'The article, such as tea', type: String })
  article!: string;

  @Param({ description: 'How many', integer: true, type: Number })
  count!: number;
}

@Section({ key: 'orders', title: 'Orders', template: 'Take orders for tea and cake. Ask how many.' })
export class Orders {
  @Tool({ description: 'List what was ordered.', hints: { readOnly: true } })
  listOrders(@Ctx() { session }: ToolContext): readonly Order[] {
    return session.slice(Order).all();
  }

  @Tool({ description: 'Place an order.', params: PlaceOrderParams, hints: { openWorld: false } })
  placeOrder({ article, count }: PlaceOrderParams, { session }: ToolContext): string {
    if (!['tea', 'cake'].includes(article)) throw new ToolRefusal(`There is no ${article}.`);
    session.dispatch(new Order(article, count));
    return `Ordered: ${count} ${article}.`;
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Orders] })
export class ShopDesk {}
