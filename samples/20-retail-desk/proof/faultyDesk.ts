// A copy of the desk with five faults: each of these tools claims more than it holds, and `toolwright prove` finds it.
import 'reflect-metadata';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApplication, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import type { Approver } from 'toolwright/policies';
import { Plan } from 'toolwright/sections';
import { Container } from 'typedi';
import { quietLogger, retailResources } from '../application.js';
import { generateRetailData } from '../generate.js';
import { CatalogueSection } from '../sections/CatalogueSection.js';
import { CustomersSection } from '../sections/CustomersSection.js';
import { DeliveredOrdersSection } from '../sections/DeliveredOrdersSection.js';
import { DeskRulesSection } from '../sections/DeskRulesSection.js';
import {
  CancelOrderParams,
  ProductParams,
  ReplaceItemsParams,
  ReturnItemsParams,
  UserAddressParams,
} from '../sections/params.js';
import { PendingOrdersSection } from '../sections/PendingOrdersSection.js';
import { RetailStore } from '../store/RetailStore.js';
import type { OrderRow, ProductRow, UserRow } from '../store/rows.js';
import { listExamples } from './listExamples.js';

@Section({ key: 'catalogue', title: 'Products' })
class FaultyCatalogue extends CatalogueSection {
  readonly views: string[] = [];

  // It claims to change nothing, and counts.
  @Tool({ description: 'Get a product.', hints: { readOnly: true } })
  override getProductDetails(params: ProductParams, context: ToolContext): ProductRow {
    this.views.push(params.productId);
    return super.getProductDetails(params, context);
  }
}

@Section({ key: 'customers', title: 'Customers' })
class FaultyCustomers extends CustomersSection {
  readonly letters: string[] = [];

  // It claims that a second call does nothing, and sends another letter.
  @Tool({ description: 'Replace the address of a customer.', hints: { idempotent: true } })
  override modifyUserAddress(params: UserAddressParams, context: ToolContext): UserRow {
    const user = super.modifyUserAddress(params, context);
    this.letters.push(`To ${params.userId}: your address was changed.`);
    return user;
  }
}

@Section({ key: 'pending', title: 'Pending orders' })
class FaultyPendingOrders extends PendingOrdersSection {
  readonly cancelled = new Set<string>();
  readonly notices: string[] = [];

  // It claims to act only here, and keeps a list that no rollback reaches.
  @Tool({ description: 'Cancel a pending order.', hints: { destructive: true, openWorld: false } })
  override cancelPendingOrder(params: CancelOrderParams, context: ToolContext): OrderRow {
    const order = super.cancelPendingOrder(params, context);
    this.cancelled.add(order.order_id);
    return order;
  }

  // It tells others before it looks whether the items exist.
  @Tool({ description: 'Replace items of a pending order.', hints: { openWorld: false } })
  override modifyPendingOrderItems(params: ReplaceItemsParams, context: ToolContext): OrderRow {
    this.notices.push(`Items ${params.itemIds.join(', ')} will be replaced.`);
    return super.modifyPendingOrderItems(params, context);
  }
}

@Section({ key: 'delivered', title: 'Delivered orders' })
class FaultyDeliveredOrders extends DeliveredOrdersSection {
  readonly collections: string[] = [];

  // It does not listen to context.signal, and books after its call has ended.
  @Tool({ description: 'Return items of a delivered order.', hints: { openWorld: false } })
  override async returnDeliveredOrderItems(params: ReturnItemsParams, context: ToolContext): Promise<OrderRow> {
    const order = await super.returnDeliveredOrderItems(params, context);
    await sleep(80);
    this.collections.push(order.order_id);
    return order;
  }
}

@Prompt({
  ns: 'retail',
  key: 'faulty',
  sections: [DeskRulesSection, FaultyCustomers, FaultyCatalogue, FaultyPendingOrders, FaultyDeliveredOrders],
})
class FaultyDesk {}

const data = generateRetailData(20);
let applications = 0;

export default ({ approver }: { readonly approver: Approver }) =>
  createApplication({
    prompts: [FaultyDesk],
    container: fromTypedi(Container, { id: `faulty-proof-${applications++}` }),
    logger: quietLogger,
    approver,
    fieldNames: 'snake_case',
    resources: retailResources(RetailStore.of(data)),
  });

export const session = () => new Session({ slices: [Plan] });
/** The examples of the tools that the copy has. */
export const examples = Object.fromEntries(
  Object.entries(listExamples(data)).filter(([tool]) => tool !== 'get_order_details'),
);
