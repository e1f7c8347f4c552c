import { DeskParams } from '../../../samples/20-retail-desk/sections/DeskParams.js';
import { RetailDesk } from '../../../samples/20-retail-desk/RetailDesk.js';
import { Desk } from './Desk.js';

const lookups = [
  'calculate',
  'think',
  'find_user_id_by_email',
  'find_user_id_by_name_zip',
  'get_user_details',
  'list_all_product_types',
  'get_product_details',
  'get_order_details',
  'planning_read_plan',
];

describe('the prompt of the desk', () => {
  test('the prompt of the desk has the chapters of the policy, each with its tools', async () => {
    const { rendered } = await Desk.open();
    expect(rendered.text.split('\n').filter((line) => line.startsWith('#'))).toEqual([
      '## 1. Rules of the desk (rules)',
      '### 1.1. How the shop works (rules.facts)',
      '## 2. Customers (customers)',
      '## 3. Products (catalogue)',
      '## 4. Orders (orders)',
      '### 4.1. Pending orders (orders.pending)',
      '### 4.2. Delivered orders (orders.delivered)',
      '## 5. Planning (planning)',
    ]);
    expect(rendered.tools.map((tool) => `${tool.sectionPath}: ${tool.name}`)).toEqual([
      'rules: calculate',
      'rules: think',
      'rules: transfer_to_human_agents',
      'customers: find_user_id_by_email',
      'customers: find_user_id_by_name_zip',
      'customers: get_user_details',
      'customers: modify_user_address',
      'catalogue: list_all_product_types',
      'catalogue: get_product_details',
      'orders: get_order_details',
      'orders.pending: cancel_pending_order',
      'orders.pending: modify_pending_order_address',
      'orders.pending: modify_pending_order_payment',
      'orders.pending: modify_pending_order_items',
      'orders.delivered: return_delivered_order_items',
      'orders.delivered: exchange_delivered_order_items',
      'planning: planning_setup_plan',
      'planning: planning_add_step',
      'planning: planning_update_step',
      'planning: planning_read_plan',
    ]);
  });

  test('the prompt of the desk shows three chapters as a summary until they are opened, and keeps their tools back', async () => {
    const { app } = await Desk.open();
    const { text, tools, visibility } = await app.prompt(RetailDesk).render();
    const closed = Object.keys(visibility).filter((path) => visibility[path] === 'summary');
    expect(closed).toEqual(['catalogue', 'orders.pending', 'orders.delivered']);
    for (const path of closed) expect(text).toContain(`call \`open_sections\` with key "${path}"`);
    expect(tools.at(-1)?.name).toBe('open_sections');
    expect(tools.filter(({ sectionPath }) => closed.includes(sectionPath))).toEqual([]);
  });

  test('only tools that look something up are marked as read-only', async () => {
    const { rendered } = await Desk.open();
    const readOnly = rendered.tools.filter((tool) => tool.hints.readOnly).map((tool) => tool.name);
    expect(readOnly).toEqual(lookups);
  });

  test('the prompt of the desk says the name of the shop that it is bound to', async () => {
    const { app } = await Desk.open();
    const prompt = app.prompt(RetailDesk).bind(DeskParams, { storeName: 'the Harbour Store', timeZone: 'CET' });
    const { text } = await prompt.render();
    expect(text).toContain('support agent of the Harbour Store');
    expect(text).toContain('Times are CET');
  });

  test('the prompt of the desk renders the same bytes every time', async () => {
    const [one, other] = await Promise.all([Desk.open(), Desk.open()]);
    expect(one.rendered.text).toBe(other.rendered.text);
    expect(JSON.stringify(one.rendered.toolSchemas('openai'))).toBe(
      JSON.stringify(other.rendered.toolSchemas('openai')),
    );
  });
});
