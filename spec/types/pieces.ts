// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import {
  defineTool,
  Field,
  Param,
  Prompt,
  Section,
  Tool,
  ToolResult,
  type Constructor,
  type Ref,
  type ToolContext,
  type ToolExample,
  type ToolHandler,
} from 'toolwright';
import type { ParamsData, ToolRenderableResult } from 'toolwright/types';
import { sectionWith } from '../../src/decorator/sectionWith.js';

class PlanningParams {
  @Param({ description: 'Strategy', enum: ['react', 'plan'] }) strategy: 'react' | 'plan' = 'react';
}

@Section({ key: 'planning', title: 'Planning', params: PlanningParams, template: 'Strategy: ${strategy}.' })
class PlanningSection {
  static with(params: ParamsData<PlanningParams>): Constructor {
    return sectionWith(PlanningSection, params);
  }
}

@Prompt({ ns: 'support', key: 'desk', sections: [PlanningSection.with({ strategy: 'plan' }), PlanningSection] })
export class SupportDesk {}

// @ts-expect-error: there is no such strategy
PlanningSection.with({ strategy: 'hope' });

// @ts-expect-error: there is no such property
PlanningSection.with({ strateg: 'plan' });

// @ts-expect-error: an instance is no section
sectionWith(new PlanningSection(), new PlanningParams());

/** `Ref<T>` is `T` to the compiler, also for a class that is declared later. */
@Section({ title: 'Orders' })
export class OrdersSection {
  @Tool({ description: 'Fetch one order.', params: () => OrderParams })
  getOrder(params: Ref<OrderParams>): string {
    return params.orderId.toUpperCase();
  }

  // @ts-expect-error: it is no other class, either
  @Tool({ description: 'Fetch one order.', params: () => OrderParams })
  wrong(params: Ref<PlanningParams>): string {
    return params.strategy;
  }
}

class OrderParams {
  @Param('Order id') orderId!: string;
}
class Order implements ToolRenderableResult {
  @Field('Order id') orderId = '#W1';
  render(): string {
    return this.orderId;
  }
}

const handler: ToolHandler<OrderParams, Order> = ({ orderId }, { call }) =>
  orderId === call.id ? ToolResult.ok(new Order()) : new Order();
const example: ToolExample<OrderParams, Order> = {
  description: 'One.',
  input: Object.assign(new OrderParams(), { orderId: '#W1' }),
  output: new Order(),
};

export const tools = [
  defineTool({ name: 'get', description: 'Fetch.', params: OrderParams, result: Order, handler, examples: [example] }),
  defineTool({ name: 'get', description: 'Fetch.', returnSchema: { type: 'string' }, handler: () => 'x' }),
  // @ts-expect-error: the result is declared twice
  defineTool({ name: 'get', description: 'Fetch.', result: Order, returnSchema: { type: 'object' }, handler: null }),
  // @ts-expect-error: a JSON Schema is an object
  defineTool({ name: 'get', description: 'Fetch.', returnSchema: 'string', handler: null }),
];

export class ReturnSchemas {
  @Tool({ description: 'Fetch.', returnSchema: { type: 'object', properties: { id: { type: 'string' } } } })
  any(): object {
    return { id: '#W1' };
  }

  // @ts-expect-error: the result is declared twice
  @Tool({ description: 'Fetch.', result: String, returnSchema: { type: 'string' } }) both(): string {
    return '#W1';
  }
}

/** An abstract class may declare what its subclasses handle. */
@Tool({ name: 'lookup', description: 'Looks up.', params: OrderParams })
export abstract class LookupTool {
  abstract handle(params: OrderParams, context: ToolContext): string;
}

// @ts-expect-error: handle takes something else
@Tool({ name: 'lookup', description: 'Looks up.', params: OrderParams })
export abstract class WrongLookupTool {
  abstract handle(params: PlanningParams): string;
}

/** Anything but an options object does not compile; JavaScript is checked when the application is created. */
export const refused = [
  // @ts-expect-error: there are no options
  Tool(),
  // @ts-expect-error: there are no options
  Section(),
  // @ts-expect-error: there are no options
  Prompt(),
  // @ts-expect-error: a description is a text
  Param(5),
  // @ts-expect-error: a prompt has sections
  Prompt({ ns: 'support', key: 'desk' }),
];
