import { Field, Param, Prompt, Section, Tool, ToolContext, ToolRefusal } from 'toolwright';
import type { Approver } from 'toolwright/policies';
import { McpClient } from '@toolwright/mcp';

export class DeskParams {
  @Param('Which shop the desk belongs to') shop = 'the Harbour Store';
}

class OrderParams {
  @Param('Order id, with its leading #') orderId!: string;
}

class Order {
  @Field('Order id, with its leading #') orderId!: string;
  @Field('pending or delivered') status!: string;
}

/** A change of an order; kept only in the session, as this is a sample. */
class Cancelled {
  constructor(readonly orderId: string) {}
}

@Section({
  title: 'Cancelling',
  template: 'Only pending orders are cancelled.',
  summary: 'Cancelling orders.',
  visibility: 'summary',
})
class Cancelling {
  @Tool({ description: 'Cancel an order.', hints: { destructive: true }, requiresApproval: true })
  cancelOrder({ orderId }: OrderParams, { session }: ToolContext) {
    session.dispatch(new Cancelled(orderId));
    return `Cancelled ${orderId}.`;
  }
}

@Section({
  title: 'Orders',
  params: () => DeskParams,
  template: 'You work at ${shop}. Look an order up before you change it.',
  children: [Cancelling],
})
class Orders {
  @Tool({ description: 'Fetch one order.', result: Order, hints: { readOnly: true } })
  getOrder({ orderId }: OrderParams) {
    if (orderId !== '#W1') throw new ToolRefusal(`There is no order ${orderId}.`);
    return { orderId, status: 'pending' };
  }

  @Tool({ description: 'Pack an order.' })
  async packOrder({ orderId }: OrderParams, context: ToolContext) {
    for (const [step, message] of ['Picked.', 'Packed.', 'Labelled.'].entries())
      context.reportProgress({ fraction: (step + 1) / 3, message });
    await McpClient.of(context)?.log('info', `${orderId} is packed.`);
    return `${orderId} is packed.`;
  }
}

@Prompt({ ns: 'shop', key: 'desk', name: 'Support desk', sections: [Orders] })
export class Desk {}

/** Asks the user of the client, if the client supports it. */
export const userApproves: Approver = {
  async approve({ tool, params }, context) {
    const client = McpClient.of(context);
    if (client === undefined) return { kind: 'denied', reason: 'No client is there to approve it.' };
    const { orderId } = params as OrderParams;
    const { action } = await client.elicit(`May ${tool.name} run for ${orderId}?`, { type: 'object', properties: {} });
    return action === 'accept' ? { kind: 'approved' } : { kind: 'denied', reason: 'The user said no.' };
  },
};
