import { combinationsOf, productTypes } from './generator/catalogue.js';
import { firstNames, lastNames, places, streets } from './generator/people.js';
import { Random } from './generator/Random.js';
import { MoneyService } from './services/MoneyService.js';
import type {
  AddressRow,
  OrderItemRow,
  OrderRow,
  OrderStatus,
  PaymentMethodRow,
  ProductRow,
  RetailData,
  TransactionRow,
  UserRow,
} from './store/rows.js';

/** Sizes of the generated data. */
export interface RetailSize {
  readonly users: number;
  readonly orders: number;
}

interface Customer extends Omit<UserRow, 'orders'> {
  readonly id: string;
  readonly orders: string[];
}

// Weights by repetition: most orders are pending or delivered, since those can be changed.
const statuses: readonly OrderStatus[] = [
  ...Array<OrderStatus>(4).fill('pending'),
  ...Array<OrderStatus>(4).fill('delivered'),
  'processed',
  'cancelled',
];

/** Returns a fictional shop in the format of the public data. The same seed generates the same bytes. */
export function generateRetailData(seed: number, size: RetailSize = { users: 60, orders: 150 }): RetailData {
  return new Generator(new Random(seed)).generate(size);
}

class Generator {
  private readonly money = new MoneyService();
  private readonly used = new Set<string>();

  constructor(private readonly random: Random) {}

  generate(size: RetailSize): RetailData {
    const products = productTypes.map((type) => this.product(type.name, type.price, combinationsOf(type.options)));
    const customers = Array.from({ length: size.users }, () => this.customer());
    const orders = Array.from({ length: size.orders }, () => this.order(this.random.pick(customers), products));
    return {
      orders: Object.fromEntries(orders.map((order) => [order.order_id, order])),
      products: Object.fromEntries(products.map((product) => [product.product_id, product])),
      users: Object.fromEntries(customers.map(({ id, ...user }) => [id, user])),
    };
  }

  private product(name: string, price: number, combinations: ReturnType<typeof combinationsOf>): ProductRow {
    const variants = this.random.sample(combinations, this.random.integer(4, 9)).map((options) => ({
      item_id: this.unique((digits) => digits, 10),
      options,
      available: this.random.chance(0.7),
      price: this.money.round(price * (0.85 + this.random.next() * 0.3)),
    }));
    return {
      name,
      product_id: this.unique((digits) => digits, 10),
      variants: Object.fromEntries(variants.map((variant) => [variant.item_id, variant])),
    };
  }

  private customer(): Customer {
    const [first_name, last_name] = [this.random.pick(firstNames), this.random.pick(lastNames)];
    const id = this.unique((digits) => `${first_name}_${last_name}_${digits}`.toLowerCase(), 4);
    return {
      id,
      name: { first_name, last_name },
      address: this.address(),
      email: this.unique((digits) => `${first_name}.${last_name}${digits}@example.com`.toLowerCase(), 4),
      payment_methods: this.paymentMethods(),
      orders: [],
    };
  }

  private address(): AddressRow {
    const { city, state, zip } = this.random.pick(places);
    return {
      address1: `${this.random.digits(3)} ${this.random.pick(streets)}`,
      address2: this.random.chance(0.5) ? `Apt ${this.random.integer(1, 40)}` : '',
      city,
      country: 'USA',
      state,
      zip: `${zip}${this.random.integer(0, 9)}${this.random.integer(0, 9)}`,
    };
  }

  private paymentMethods(): Readonly<Record<string, PaymentMethodRow>> {
    const sources = this.random.sample(['gift_card', 'credit_card', 'paypal'] as const, this.random.integer(1, 3));
    const methods = sources.map((source): PaymentMethodRow => {
      const id = this.unique((digits) => `${source}_${digits}`, 7);
      if (source === 'paypal') return { source, id };
      if (source === 'gift_card') return { source, balance: this.random.integer(0, 100), id };
      return { source, brand: this.random.pick(['visa', 'mastercard']), last_four: this.random.digits(4), id };
    });
    return Object.fromEntries(methods.map((method) => [method.id, method]));
  }

  private order(customer: Customer, products: readonly ProductRow[]): OrderRow {
    const items = this.random.sample(products, this.random.integer(1, 4)).map((product) => this.item(product));
    // Some orders contain two of the same kind.
    const bought = items[0] !== undefined && this.random.chance(0.1) ? [...items, items[0]] : items;
    const status = this.random.pick(statuses);
    const order_id = this.unique((digits) => `#W${digits}`, 7);
    customer.orders.push(order_id);
    return {
      order_id,
      user_id: customer.id,
      address: this.random.chance(0.9) ? customer.address : this.address(),
      items: bought,
      fulfillments:
        status === 'pending'
          ? []
          : [{ tracking_id: [this.random.digits(12)], item_ids: bought.map((item) => item.item_id) }],
      status,
      payment_history: this.payments(customer, bought, status),
    };
  }

  private item({ name, product_id, variants }: ProductRow): OrderItemRow {
    const { item_id, price, options } = this.random.pick(Object.values(variants));
    return { name, product_id, item_id, price, options };
  }

  private payments(customer: Customer, items: readonly OrderItemRow[], status: OrderStatus): readonly TransactionRow[] {
    const amount = this.money.round(items.reduce((total, item) => total + item.price, 0));
    const payment_method_id = this.random.pick(Object.keys(customer.payment_methods));
    const payment: TransactionRow = { transaction_type: 'payment', amount, payment_method_id };
    return status === 'cancelled' ? [payment, { ...payment, transaction_type: 'refund' }] : [payment];
  }

  private unique(idOf: (digits: string) => string, length: number): string {
    for (;;) {
      const id = idOf(this.random.digits(length));
      if (this.used.has(id)) continue;
      this.used.add(id);
      return id;
    }
  }
}
