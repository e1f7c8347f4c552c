// The desk of a shop: orders, and a section about returns that is closed until the model opens it.
import 'reflect-metadata';
import { Param, Prompt, Section, Tool, ToolContext, ToolResult } from 'toolwright';

/** A change of an order. Part of the session, and so of the record of the conversation. */
export class OrderChanged {
  constructor(
    readonly orderId: string,
    readonly status: string,
  ) {}
}

class OrderParams {
  @Param({ description: 'Id of the order, e.g. W7', pattern: /^W\d+$/ })
  orderId!: string;
}

@Section({ title: 'Orders', template: 'Look an order up before you say anything about it.' })
class Orders {
  @Tool({ description: 'Look an order up.', hints: { readOnly: true } })
  getOrder({ orderId }: OrderParams, { session }: ToolContext): string {
    const changes = session.slice(OrderChanged).where((change) => change.orderId === orderId);
    return `${orderId}: a lamp for 49.00, ${changes.at(-1)?.status ?? 'delivered'}.`;
  }
}

@Section({
  key: 'returns',
  title: 'Returns',
  visibility: 'summary',
  summary: 'How orders come back, and how they are paid back.',
  template: 'Orders come back within 30 days. Announce a return before you pay an order back.',
})
class Returns {
  @Tool('Announce that an order comes back.')
  announceReturn({ orderId }: OrderParams, { session }: ToolContext): ToolResult {
    session.dispatch(new OrderChanged(orderId, 'on its way back'));
    return ToolResult.ok(null, `The return of ${orderId} is announced.`);
  }

  // A person decides.
  @Tool({ description: 'Pay an order back.', requiresApproval: true })
  payBack({ orderId }: OrderParams, { session }: ToolContext): ToolResult {
    session.dispatch(new OrderChanged(orderId, 'paid back'));
    return ToolResult.ok(null, `${orderId} is paid back.`);
  }
}

@Prompt({ ns: 'samples', key: 'conversation', sections: [Orders, Returns] })
export class Desk {}
