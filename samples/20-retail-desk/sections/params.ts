import { Matches } from 'class-validator';
import { Param } from 'toolwright';
import type { CancelReason } from '../store/rows.js';

/** Arguments of the tools. A property `orderId` is `order_id` on the wire: see `fieldNames` in application.ts. */

const orderIdRule = { message: '"#W" and seven digits with the leading #, such as #W0000000' };
const methodDescription = 'Payment method id from the user details, such as gift_card_1234567 or paypal_1234567';

export class OrderParams {
  @Param('Order id with its leading #, such as #W0000000')
  @Matches(/^#W\d{7}$/, orderIdRule)
  orderId!: string;
}

export class CancelOrderParams extends OrderParams {
  @Param({ description: 'Why the customer cancels', enum: ['no longer needed', 'ordered by mistake'] })
  reason!: CancelReason;
}

export class OrderPaymentParams extends OrderParams {
  @Param(methodDescription)
  paymentMethodId!: string;
}

export class ReturnItemsParams extends OrderParams {
  @Param({ description: 'Ids of the items to send back; an id may stand twice', type: () => [String] })
  itemIds!: string[];

  @Param(`${methodDescription}; receives the refund`)
  paymentMethodId!: string;
}

export class ReplaceItemsParams extends OrderParams {
  @Param({ description: 'Ids of the items to replace; an id may stand twice', type: () => [String] })
  itemIds!: string[];

  @Param({
    description: 'Ids of the new items: each of the same product as the item at its position in item_ids',
    type: () => [String],
  })
  newItemIds!: string[];

  @Param(`${methodDescription}; pays or receives the price difference`)
  paymentMethodId!: string;
}

export class OrderAddressParams extends OrderParams {
  @Param('First line of the address, such as 12 Mill Lane')
  address1!: string;

  @Param('Second line of the address, such as Apt 1; may be empty')
  address2!: string;

  @Param('City')
  city!: string;

  @Param('State or province, such as CA')
  state!: string;

  @Param('Country, such as USA')
  country!: string;

  @Param('Zip code, such as 12345')
  zip!: string;
}

export class UserParams {
  @Param('User id, such as ada_lund_1234')
  userId!: string;
}

export class UserAddressParams extends UserParams {
  @Param('First line of the address, such as 12 Mill Lane')
  address1!: string;

  @Param('Second line of the address, such as Apt 1; may be empty')
  address2!: string;

  @Param('City')
  city!: string;

  @Param('State or province, such as CA')
  state!: string;

  @Param('Country, such as USA')
  country!: string;

  @Param('Zip code, such as 12345')
  zip!: string;
}

export class EmailParams {
  @Param('Email address of the customer')
  email!: string;
}

export class NameZipParams {
  @Param('First name of the customer')
  firstName!: string;

  @Param('Last name of the customer')
  lastName!: string;

  @Param('Zip code of the customer, such as 12345')
  zip!: string;
}

export class ProductParams {
  @Param('Product id, such as 1234567890; not an item id')
  productId!: string;
}

export class ExpressionParams {
  @Param('Digits, + - * / ( ) . and spaces, such as (19.99 + 5) * 2')
  expression!: string;
}

export class ThoughtParams {
  @Param('What to keep in mind')
  thought!: string;
}

export class TransferParams {
  @Param('What the customer wants and what was tried, for the colleague who takes over')
  summary!: string;
}
