import type { OrderRow, RetailData, UserRow } from '../../../samples/20-retail-desk/store/rows.js';

const address = { address1: '1 Alder Way', address2: '', city: 'Reno', country: 'USA', state: 'NV', zip: '89501' };

const ada: UserRow = {
  name: { first_name: 'Ada', last_name: 'Novak' },
  address,
  email: 'ada.novak@example.com',
  payment_methods: {
    gift_card_1: { source: 'gift_card', id: 'gift_card_1', balance: 20.1 },
    credit_card_1: { source: 'credit_card', id: 'credit_card_1', brand: 'visa', last_four: '1234' },
    paypal_1: { source: 'paypal', id: 'paypal_1' },
  },
  orders: ['#W0000001', '#W0000002'],
};

const bruno: UserRow = {
  name: { first_name: 'Bruno', last_name: 'Sato' },
  address: { ...address, zip: '55801', city: 'Duluth', state: 'MN' },
  email: 'Bruno.Sato@example.com',
  payment_methods: { gift_card_2: { source: 'gift_card', id: 'gift_card_2', balance: 500 } },
  orders: ['#W0000003'],
};

const small = { item_id: '11', options: { size: 'S' }, available: true, price: 10.1 };
const large = { item_id: '12', options: { size: 'L' }, available: true, price: 30.3 };
const gone = { item_id: '13', options: { size: 'XL' }, available: false, price: 12 };
const lamp = { item_id: '21', options: { shade: 'linen' }, available: true, price: 58 };
const jacket = { name: 'Rain Jacket', product_id: '1' };

const order: OrderRow = {
  order_id: '#W0000001',
  user_id: 'ada_novak_1',
  address,
  items: [
    { ...jacket, item_id: '11', price: 10.1, options: { size: 'S' } },
    { ...jacket, item_id: '12', price: 30.3, options: { size: 'L' } },
  ],
  fulfillments: [],
  status: 'pending',
  payment_history: [{ transaction_type: 'payment', amount: 40.4, payment_method_id: 'credit_card_1' }],
};

/**
 * A shop small enough to see at a glance: Ada has a pending and a delivered order of two jackets, paid by credit
 * card, and little on her gift card; Bruno has a pending order paid with his.
 */
export const shop: RetailData = {
  orders: {
    '#W0000001': order,
    '#W0000002': { ...order, order_id: '#W0000002', status: 'delivered' },
    '#W0000003': {
      ...order,
      order_id: '#W0000003',
      user_id: 'bruno_sato_2',
      payment_history: [{ transaction_type: 'payment', amount: 40.4, payment_method_id: 'gift_card_2' }],
    },
  },
  products: {
    '1': { ...jacket, variants: { '11': small, '12': large, '13': gone } },
    '2': { name: 'Lamp', product_id: '2', variants: { '21': lamp } },
  },
  users: { ada_novak_1: ada, bruno_sato_2: bruno },
};
