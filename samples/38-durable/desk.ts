// The desk that handles an order: five effects outside, in three services, and one approval.
import 'reflect-metadata';
import { Field, Param, Prompt, Section, Tool, ToolContext } from 'toolwright';
import { OutsideClient } from './OutsideClient.js';

/** A step that was done for the order. Part of the session, and so of the log. */
export class Milestone {
  @Field('Id of the order') readonly orderId: string;
  @Field('What was done') readonly text: string;

  constructor(orderId: string, text: string) {
    this.orderId = orderId;
    this.text = text;
  }
}

class OrderParams {
  @Param({ description: 'Id of the order, e.g. W7', pattern: /^W\d+$/ })
  orderId!: string;
}

@Section({ title: 'Warehouse', template: 'Reserve what was ordered, then have its label printed.' })
class Warehouse {
  @Tool({ description: 'Look an order up.', hints: { readOnly: true } })
  getOrder({ orderId }: OrderParams): string {
    return `${orderId}: a lamp for 49.00.`;
  }

  // The service takes the key of the call: a second request with it has no second effect.
  @Tool({ description: 'Reserve what was ordered.', hints: { idempotent: true } })
  reserve({ orderId }: OrderParams, context: ToolContext): Promise<string> {
    return this.#done('reserve', orderId, context);
  }

  // This tool does not declare that it may be repeated. So its beginning is recorded, and `onUnknown` decides.
  @Tool('Print the label of the parcel.')
  printLabel({ orderId }: OrderParams, context: ToolContext): Promise<string> {
    return this.#done('print', orderId, context);
  }

  async #done(what: string, orderId: string, context: ToolContext): Promise<string> {
    const text = await request('warehouse', what, orderId, context);
    context.session.dispatch(new Milestone(orderId, what));
    return text;
  }
}

@Section({ title: 'Bank', template: 'Charge the customer once a supervisor has approved, and send a receipt.' })
class Bank {
  @Tool({ description: 'Calculate what is to be paid.', hints: { readOnly: true } })
  quote({ orderId }: OrderParams): string {
    return `${orderId}: 53.90 with delivery.`;
  }

  @Tool({ description: 'Charge the customer.', hints: { idempotent: true }, requiresApproval: true })
  async charge({ orderId }: OrderParams, context: ToolContext): Promise<string> {
    const text = await request('bank', 'charge', orderId, context);
    context.session.dispatch(new Milestone(orderId, 'charge'));
    return text;
  }

  @Tool('Send a receipt.')
  sendReceipt({ orderId }: OrderParams, context: ToolContext): Promise<string> {
    return request('bank', 'receipt', orderId, context);
  }
}

@Section({ title: 'Courier', template: 'Book a courier at the end.' })
class Courier {
  @Tool({ description: 'Book a courier.', hints: { idempotent: true } })
  bookCourier({ orderId }: OrderParams, context: ToolContext): Promise<string> {
    return request('courier', 'courier', orderId, context);
  }

  @Tool({ description: 'Note that the order is on its way.', hints: { openWorld: false } })
  noteShipped({ orderId }: OrderParams, { session }: ToolContext): string {
    session.dispatch(new Milestone(orderId, 'shipped'));
    const done = session.slice(Milestone).where((milestone) => milestone.orderId === orderId);
    return done.map(({ text }) => text).join(', ');
  }
}

/** Sends a request. Its key is the same in every process, so that a repeated call has no second effect. */
function request(service: string, what: string, orderId: string, { call, resources }: ToolContext): Promise<string> {
  return resources.get(OutsideClient).request(service, { what, orderId, key: call.idempotencyKey });
}

@Prompt({ ns: 'samples', key: 'orders', sections: [Warehouse, Bank, Courier] })
export class Desk {}

/** The effects of each order, by service. */
export const effects = [
  ['warehouse', 'reserve'],
  ['bank', 'charge'],
  ['bank', 'receipt'],
  ['warehouse', 'print'],
  ['courier', 'courier'],
] as const;

/** The end of each order: the milestones of the session survived all processes. */
export const ending = 'Done: reserve, charge, print, shipped';
