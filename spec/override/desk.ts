import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  type Application,
  type BoundPrompt,
  type PromptOptions,
  type SectionOptions,
} from 'toolwright';
import { InMemoryOverridesStore, type OverridesStore } from 'toolwright/overrides';

/** A prompt with a store, and what was logged about it. */
export interface Desk {
  readonly app: Application;
  readonly prompt: BoundPrompt;
  readonly store: OverridesStore;
  readonly warnings: readonly string[];
}

class DeskParams {
  @Param('What the customer wants') objective = 'a refund';
  @Param('Name') name = 'Ada';
}

class GetParams {
  @Param('Order id') orderId!: string;
  @Param({ description: 'How many', integer: true }) limit = 10;
}

/** Orders with a tool `get_order`, then notes, which are closed to overrides; the declarations can be varied. */
export async function openDesk(
  change: { readonly orders?: Partial<SectionOptions>; readonly tool?: object } = {},
  store: OverridesStore = new InMemoryOverridesStore(),
  options: Pick<PromptOptions, 'disclosure'> = {},
): Promise<Desk> {
  const getOrder = defineTool({
    name: 'get_order',
    description: 'Get one order.',
    params: GetParams,
    result: String,
    examples: [{ description: 'The first', input: { orderId: '#1' }, output: 'open' }],
    handler: ({ orderId, limit }) => `${orderId} of ${String(limit)}`,
    ...change.tool,
  });
  const close = defineTool({ name: 'close', description: 'Close.', acceptsOverrides: false, handler: () => undefined });
  const Orders = defineSection({
    key: 'orders',
    title: 'Orders',
    params: DeskParams,
    template: 'Help ${name} with ${objective}.',
    tools: [getOrder, close],
    children: [defineSection({ key: 'refunds', title: 'Refunds', template: 'Within 30 days.' })],
    ...(change.orders as object),
  });
  const Notes = defineSection({
    key: 'notes',
    title: 'Notes',
    template: 'Be brief.',
    acceptsOverrides: false,
    tools: [defineTool({ name: 'note', description: 'Note.', handler: () => undefined })],
  });
  const Root = definePrompt({ ns: 'shop', key: 'desk', sections: [Orders, Notes], ...options });
  const warnings: string[] = [];
  const silent = (): void => undefined;
  const app = await createApplication({
    prompts: [Root],
    overrides: store,
    logger: { debug: silent, info: silent, warn: (message) => warnings.push(message), error: silent },
  });
  return { app, prompt: app.prompt(Root), store, warnings };
}
