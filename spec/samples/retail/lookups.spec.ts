import { Desk } from './Desk.js';
import { shop } from './fixture.js';

describe('finding a customer', () => {
  test.each(['ada.novak@example.com', 'ADA.Novak@Example.com'])(
    'a customer is found by the email %s',
    async (email) => {
      const desk = await Desk.open();
      expect(await desk.value('find_user_id_by_email', { email })).toBe('ada_novak_1');
    },
  );

  test('a customer is found by an email that the data holds in capitals', async () => {
    const desk = await Desk.open();
    expect(await desk.value('find_user_id_by_email', { email: 'bruno.sato@example.com' })).toBe('bruno_sato_2');
  });

  test.each(['', 'ada', ' ada.novak@example.com'])('no customer is found by the email "%s"', async (email) => {
    const desk = await Desk.open();
    expect(await desk.refusal('find_user_id_by_email', { email })).toContain('find_user_id_by_name_zip');
  });

  test('a customer is found by name in any case, and zip code', async () => {
    const desk = await Desk.open();
    const args = { first_name: 'ADA', last_name: 'novak', zip: '89501' };
    expect(await desk.value('find_user_id_by_name_zip', args)).toBe('ada_novak_1');
  });

  test.each([
    { first_name: 'Ada', last_name: 'Novak', zip: '55801' },
    { first_name: 'Ada', last_name: 'Sato', zip: '89501' },
    { first_name: 'Bruno', last_name: 'Novak', zip: '89501' },
  ])('no customer is found when one of the three is wrong: %j', async (args) => {
    const desk = await Desk.open();
    expect(await desk.refusal('find_user_id_by_name_zip', args)).toContain('Ask for the spelling');
  });

  test('a zip code is text', async () => {
    const desk = await Desk.open();
    const args = { first_name: 'Ada', last_name: 'Novak', zip: 89501 };
    expect(await desk.refusal('find_user_id_by_name_zip', args)).toContain('zip');
  });
});

describe('records', () => {
  test.each([
    ['get_user_details', { user_id: 'ada_novak_1' }, shop.users['ada_novak_1']],
    ['get_order_details', { order_id: '#W0000001' }, shop.orders['#W0000001']],
    ['get_product_details', { product_id: '1' }, shop.products['1']],
  ])('%s returns the record as it is, to the model too', async (name, args, record) => {
    const desk = await Desk.open();
    const outcome = await desk.call(name, args);
    expect(outcome.result.value).toEqual(record);
    expect(JSON.parse(outcome.text)).toEqual(record);
    expect(desk.changedIds()).toEqual({ orders: [], products: [], users: [] });
  });

  test.each([
    ['get_user_details', { user_id: 'ada' }, 'find_user_id_by_email'],
    ['get_user_details', { user_id: '__proto__' }, 'There is no user'],
    ['get_order_details', { order_id: '#W9999999' }, 'get_user_details'],
    ['get_product_details', { product_id: '11' }, 'An item id is not a product id'],
    ['get_product_details', { product_id: 'constructor' }, 'There is no product'],
  ])('%s %j is refused with a hint', async (name, args, hint) => {
    const desk = await Desk.open();
    expect(await desk.refusal(name, args)).toContain(hint);
  });

  test('an order id without its # is refused before anything is looked up', async () => {
    const desk = await Desk.open();
    const outcome = await desk.call('get_order_details', { order_id: 'W0000001' });
    expect(outcome.kind).toBe('rejected');
    expect(outcome.text).toContain('#W0000000');
  });

  test('the camelCase name of an argument is not its wire name', async () => {
    const desk = await Desk.open();
    const outcome = await desk.call('get_order_details', { orderId: '#W0000001' });
    expect(outcome.kind).toBe('rejected');
    expect(outcome.text).toContain('order_id');
  });
});

describe('list_all_product_types', () => {
  test('list_all_product_types returns product ids by name, names in order', async () => {
    const desk = await Desk.open();
    const types = await desk.value('list_all_product_types');
    expect(types).toEqual({ Lamp: '2', 'Rain Jacket': '1' });
    expect(Object.keys(types as object)).toEqual(['Lamp', 'Rain Jacket']);
  });

  test('list_all_product_types takes no arguments', async () => {
    const desk = await Desk.open();
    expect(await desk.refusal('list_all_product_types', { page: 2 })).toContain('page');
  });
});

describe('desk helpers', () => {
  test('think changes nothing and returns nothing', async () => {
    const desk = await Desk.open();
    expect(await desk.value('think', { thought: 'two rules meet here' })).toBe('');
    expect(desk.changedIds()).toEqual({ orders: [], products: [], users: [] });
  });

  test('think needs a thought', async () => {
    const desk = await Desk.open();
    expect(await desk.refusal('think')).toContain('thought');
  });

  test('transfer_to_human_agents says that it is done', async () => {
    const desk = await Desk.open();
    const outcome = await desk.call('transfer_to_human_agents', { summary: 'wants to speak to a person' });
    expect(outcome).toMatchObject({ kind: 'succeeded', text: 'Transfer successful' });
  });

  test('transfer_to_human_agents needs a summary', async () => {
    const desk = await Desk.open();
    expect(await desk.refusal('transfer_to_human_agents', { reason: 'x' })).toContain('summary');
  });
});

describe('modify_user_address', () => {
  const address = {
    address1: '2 Dune Road',
    address2: 'Apt 3',
    city: 'Köln',
    state: 'NW',
    country: 'DE',
    zip: '50667',
  };

  test('modify_user_address replaces the address and returns the user', async () => {
    const desk = await Desk.open();
    const user = await desk.value('modify_user_address', { user_id: 'ada_novak_1', ...address });
    expect(user).toEqual({ ...shop.users['ada_novak_1'], address });
    expect(desk.store.users.get('ada_novak_1')).toEqual(user);
    expect(desk.changedIds()).toEqual({ orders: [], products: [], users: ['ada_novak_1'] });
  });

  test('an unknown user is refused', async () => {
    const desk = await Desk.open();
    expect(await desk.refusal('modify_user_address', { user_id: 'nobody', ...address })).toContain('no user nobody');
  });

  test('all wrong arguments are named at once', async () => {
    const desk = await Desk.open();
    const text = await desk.refusal('modify_user_address', { user_id: 'ada_novak_1', ...address, zip: 1, city: null });
    expect(text).toContain('zip');
    expect(text).toContain('city');
  });
});
