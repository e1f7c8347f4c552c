import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Section, Tool, ToolContext } from 'toolwright';
import { Database } from './Database.js';
import { OrderParams } from './OrdersService.js';
import { Roles, User } from './people.js';

interface Invoice {
  readonly id: string;
  readonly cents: number;
  readonly paid: boolean;
}

@Injectable()
@Section({
  key: 'invoices',
  title: 'Invoices',
  template: 'Amounts are in cents.',
  // Tools that a user may not use are not even shown; the guards below apply in any case.
  enabled: ({ session }) => session.slice(User).latest()?.roles.includes('accounts') === true,
})
@Roles('accounts')
export class InvoicesService {
  /** The progress of each round of reminders, and whether it was aborted. */
  readonly rounds: { sent: number; givenUp: boolean }[] = [];

  constructor(private readonly database: Database) {}

  @Tool({ description: 'The invoices of an order.', hints: { readOnly: true } })
  invoicesOf({ orderId }: OrderParams) {
    return this.database.rows<Invoice>('select id, cents, paid from invoices where order_id = $1 order by id', orderId);
  }

  @Tool('Write an invoice off.')
  @Roles('chief')
  async writeOff({ orderId }: OrderParams): Promise<string> {
    await this.database.rows('update invoices set paid = true where order_id = $1', orderId);
    return `Wrote the invoices of ${orderId} off.`;
  }

  @Tool('Remind everybody who has not paid. Takes a while.')
  async remindAll({ signal }: ToolContext): Promise<string> {
    const open = await this.database.rows<Invoice>('select id from invoices where not paid');
    const round = { sent: 0, givenUp: false };
    this.rounds.push(round);
    try {
      for (const _ of open) {
        // Aborted when the client goes away, the host shuts down, or the call takes too long.
        await sleep(2_000, undefined, { signal });
        round.sent += 1;
      }
      return `Sent ${String(round.sent)} reminders.`;
    } catch (error) {
      round.givenUp = true;
      throw error;
    }
  }
}
