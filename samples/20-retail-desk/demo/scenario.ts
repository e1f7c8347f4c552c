import type {
  GiftCardRow,
  OrderItemRow,
  OrderRow,
  PaymentMethodRow,
  RetailData,
  UserRow,
  VariantRow,
} from '../store/rows.js';

/** A customer who wants something more expensive than their gift card can pay, and has another way to pay. */
export interface Scenario {
  readonly userId: string;
  readonly user: UserRow;
  readonly order: OrderRow;
  readonly item: OrderItemRow;
  readonly wanted: VariantRow;
  readonly giftCard: GiftCardRow;
  readonly otherMethod: PaymentMethodRow;
}

/** Returns the first such customer of the data; the generated data has several. */
export function findScenario(data: RetailData): Scenario | undefined {
  for (const order of Object.values(data.orders)) {
    const user = data.users[order.user_id];
    if (order.status !== 'delivered' || user === undefined) continue;
    const methods = Object.values(user.payment_methods);
    const giftCard = methods.find((method) => method.source === 'gift_card');
    const otherMethod = methods.find((method) => method.source !== 'gift_card');
    if (giftCard === undefined || otherMethod === undefined) continue;
    const swap = dearerSwap(order, data, giftCard.balance);
    if (swap !== undefined) return { userId: order.user_id, user, order, ...swap, giftCard, otherMethod };
  }
  return undefined;
}

function dearerSwap(order: OrderRow, data: RetailData, balance: number): Pick<Scenario, 'item' | 'wanted'> | undefined {
  for (const item of order.items) {
    const variants = Object.values(data.products[item.product_id]?.variants ?? {});
    const wanted = variants.find(({ available, price }) => available && price - item.price > balance);
    if (wanted !== undefined) return { item, wanted };
  }
  return undefined;
}

/** Describes options as a customer would: "sleeps 3, colour sand". */
export function describeOptions({ options }: Pick<VariantRow, 'options'>): string {
  return Object.entries(options)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
