// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { IsEmail } from 'class-validator';
import { SliceOps, ToolContext, ToolResult, type SliceOp } from 'toolwright';
import { Field, Param, Prompt, Reducer, Section, Tool } from 'toolwright/es';
import type { StandardSchema } from 'toolwright/schema';
import { Unit, Warehouse } from './shared.js';

class FindParams {
  @Param({ description: 'Customer', type: String, decorators: [IsEmail()] }) customer!: string;
}
class Other {
  @Param('Reason') reason = '';
}
class Order {
  @Field({ description: 'Order id', type: String }) orderId!: string;
}
declare const schema: StandardSchema<unknown, { readonly city: string }>;

export class LegalSignatures {
  @Tool('Answers.') nothing() {}

  @Tool({ description: 'Fetch.', params: FindParams }) params(params: FindParams): string {
    return params.customer;
  }

  @Tool({ description: 'Fetch.', params: () => FindParams }) async both(params: FindParams, context: ToolContext) {
    return `${params.customer} ${context.call.name}`;
  }

  @Tool({ description: 'Fetch.', params: schema }) schema({ city }: { readonly city: string }, context: ToolContext) {
    return `${city} ${context.call.name}`;
  }

  @Tool({ description: 'Fetch.', params: FindParams, inject: [] }) alone(params: FindParams) {
    return params;
  }

  @Tool({ description: 'Fetch.', inject: [ToolContext] }) context(context: ToolContext) {
    return context.call.name;
  }

  @Tool({ description: 'Fetch.', params: FindParams, result: Order }) order(): ToolResult<Order> {
    return ToolResult.ok(new Order());
  }

  @Tool({ description: 'Fetch.', params: FindParams }) structural(params: { readonly customer: string }) {
    return params;
  }
}

export class IllegalSignatures {
  // @ts-expect-error the params are not named
  @Tool('Fetch.') unnamed(params: FindParams) {
    return params;
  }

  // @ts-expect-error the context is not injected
  @Tool('Fetch.') context(context: ToolContext) {
    return context;
  }

  // @ts-expect-error other params
  @Tool({ description: 'Fetch.', params: Other }) other(params: FindParams) {
    return params;
  }

  // @ts-expect-error the context comes second
  @Tool({ description: 'Fetch.', params: FindParams }) swapped(context: ToolContext, params: FindParams) {
    return [context, params];
  }

  // @ts-expect-error the context is left out
  @Tool({ description: 'Fetch.', params: FindParams, inject: [] }) left(params: FindParams, context: ToolContext) {
    return [context, params];
  }

  // @ts-expect-error a handler gets no services
  @Tool({ description: 'Fetch.', inject: [Warehouse] }) service(warehouse: Warehouse) {
    return warehouse;
  }

  // @ts-expect-error another result
  @Tool({ description: 'Fetch.', result: Order }) result(): number {
    return 1;
  }

  // @ts-expect-error a static method
  @Tool('Fetch.') static shared() {}

  // @ts-expect-error a private method
  @Tool('Fetch.') #hidden() {}

  // @ts-expect-error a field is no method
  @Tool('Fetch.') field = () => this.#hidden();
}

@Tool({ description: 'Fetch.', params: FindParams, inject: [Warehouse, () => Other] })
export class ClassTool {
  constructor(
    readonly warehouse: Warehouse,
    readonly other: Other,
  ) {}

  handle(params: FindParams, context: ToolContext) {
    return [params, context];
  }
}

// @ts-expect-error the constructor takes another class
@Tool({ description: 'Fetch.', inject: [Other] })
export class WrongService {
  constructor(readonly warehouse: Warehouse) {}

  handle() {}
}

// @ts-expect-error handle takes other params
@Tool({ description: 'Fetch.', params: Other })
export class WrongParams {
  handle(params: FindParams) {
    return params;
  }
}

// @ts-expect-error there is no handle
@Tool('Fetch.')
export class Headless {}

@Section({ title: 'S', params: Other, template: 'For ${reason}.', inject: [Warehouse] })
export class LegalSection {
  constructor(readonly warehouse: Warehouse) {}

  enabled({ params }: { readonly params: Other }): boolean {
    return params.reason !== '';
  }
}

// @ts-expect-error the constructor takes more
@Section({ title: 'S', inject: [] })
export class TakesMore {
  constructor(readonly warehouse: Warehouse) {}
}

// @ts-expect-error the hook returns a text
@Section({ title: 'S', params: Other })
export class WrongHook {
  enabled() {
    return 'yes';
  }
}

@Prompt({ ns: 'n', key: 'k', sections: [LegalSection], output: Order })
export class LegalPrompt {
  declare readonly output: Order;
}

// @ts-expect-error another output
@Prompt({ ns: 'n', key: 'k', sections: [LegalSection], output: Order })
export class WrongPrompt {
  declare readonly output: Other;
}

export class Fields {
  @Param({ description: 'Optional', type: String, optional: true }) optional?: string;
  @Param({ description: 'Unit', enum: Unit }) unit!: Unit;
  @Param({ description: 'Default', type: Number, default: 1 }) number!: number;
  // @ts-expect-error an optional field without `optional`
  @Param({ description: 'Silent', type: String }) silent?: string;
  // @ts-expect-error a union without its values
  @Param({ description: 'Union', type: String }) union!: 'a' | 'b';
  // @ts-expect-error a default of another type
  @Param({ description: 'Default', default: 'one' }) wrong!: number;
  // @ts-expect-error a static field
  @Param('Static') static shared = 1;
  // @ts-expect-error a private field
  @Param('Private') #hidden = 1;
  // @ts-expect-error a method is no field
  @Param('Method') method() {
    return this.#hidden;
  }
}

class Added {
  declare readonly line: string;
}
export class Lines {
  constructor(readonly lines: readonly string[]) {}

  @Reducer(() => Added) add(event: Added): SliceOp<Lines> {
    return SliceOps.replace(new Lines([event.line]));
  }

  // @ts-expect-error another event
  @Reducer(() => Added) wrong(event: Order): SliceOp<Lines> {
    return SliceOps.replace(new Lines([event.orderId]));
  }

  // @ts-expect-error another state
  @Reducer(() => Added) other(event: Added): SliceOp<Other> {
    return SliceOps.replace(Object.assign(new Other(), { reason: event.line }));
  }
}
