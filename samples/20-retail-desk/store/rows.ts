/** The rows of the three tables, with the field names that they have in the JSON files. */

export interface AddressRow {
  readonly address1: string;
  readonly address2: string;
  readonly city: string;
  readonly country: string;
  readonly state: string;
  readonly zip: string;
}

export type ItemOptions = Readonly<Record<string, string>>;

export interface OrderItemRow {
  readonly name: string;
  readonly product_id: string;
  readonly item_id: string;
  readonly price: number;
  readonly options: ItemOptions;
}

interface FulfillmentRow {
  readonly tracking_id: readonly string[];
  readonly item_ids: readonly string[];
}

export interface TransactionRow {
  readonly transaction_type: 'payment' | 'refund';
  readonly amount: number;
  readonly payment_method_id: string;
}

export type OrderStatus =
  | 'pending'
  | 'pending (item modified)'
  | 'processed'
  | 'delivered'
  | 'cancelled'
  | 'exchange requested'
  | 'return requested';

export type CancelReason = 'no longer needed' | 'ordered by mistake';

export interface OrderRow {
  readonly order_id: string;
  readonly user_id: string;
  readonly address: AddressRow;
  readonly items: readonly OrderItemRow[];
  readonly fulfillments: readonly FulfillmentRow[];
  readonly status: OrderStatus;
  readonly payment_history: readonly TransactionRow[];
  readonly cancel_reason?: CancelReason | undefined;
  readonly exchange_items?: readonly string[] | undefined;
  readonly exchange_new_items?: readonly string[] | undefined;
  readonly exchange_payment_method_id?: string | undefined;
  readonly exchange_price_difference?: number | undefined;
  readonly return_items?: readonly string[] | undefined;
  readonly return_payment_method_id?: string | undefined;
}

export interface VariantRow {
  readonly item_id: string;
  readonly options: ItemOptions;
  readonly available: boolean;
  readonly price: number;
}

export interface ProductRow {
  readonly name: string;
  readonly product_id: string;
  readonly variants: Readonly<Record<string, VariantRow>>;
}

export interface GiftCardRow {
  readonly source: 'gift_card';
  readonly id: string;
  readonly balance: number;
}

interface CreditCardRow {
  readonly source: 'credit_card';
  readonly id: string;
  readonly brand: string;
  readonly last_four: string;
}

interface PaypalRow {
  readonly source: 'paypal';
  readonly id: string;
}

export type PaymentMethodRow = GiftCardRow | CreditCardRow | PaypalRow;

export interface UserRow {
  readonly name: { readonly first_name: string; readonly last_name: string };
  readonly address: AddressRow;
  readonly email: string;
  readonly payment_methods: Readonly<Record<string, PaymentMethodRow>>;
  readonly orders: readonly string[];
}

/** The whole data set: one record of rows for each table, keyed by id. */
export interface RetailData {
  readonly orders: Readonly<Record<string, OrderRow>>;
  readonly products: Readonly<Record<string, ProductRow>>;
  readonly users: Readonly<Record<string, UserRow>>;
}

export type TableName = keyof RetailData;

export const tableNames: readonly TableName[] = ['orders', 'products', 'users'];
