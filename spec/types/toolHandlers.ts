// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { Ctx, Param, Tool, ToolContext, ToolResult } from 'toolwright';

class GetOrderParams {
  @Param('Order id') orderId!: string;
}
class CancelParams {
  @Param('Reason') reason!: string;
}
class Order {
  @Param('Order id') orderId = '#W1';
  @Param('Price') price = 1;
}
/** A row that is as good as an Order. */
interface OrderRow {
  readonly orderId: string;
  readonly price: number;
}
const row: OrderRow = { orderId: '#W1', price: 1 };

export class LegalSignatures {
  @Tool('Answers.') nothing() {}

  @Tool('Fetch.') params(params: GetOrderParams): string {
    return params.orderId;
  }

  @Tool('Fetch.') both(params: GetOrderParams, context: ToolContext): string {
    return `${params.orderId} ${context.call.name}`;
  }

  @Tool('Fetch.') context(context: ToolContext): string {
    return context.call.name;
  }

  @Tool('Fetch.') marked(@Ctx() context: ToolContext): string {
    return context.call.name;
  }

  @Tool('Fetch.') scalars(@Param('city', 'City') city: string, @Param('days', 'Days') days = 3): string {
    return `${city} ${String(days)}`;
  }

  @Tool('Fetch.') mixed(context: ToolContext, @Param('city', 'City') city: string, @Param('now', 'Now') now?: boolean) {
    return [context.call.name, city, now];
  }

  @Tool({ description: 'Fetch.', params: GetOrderParams }) given(params: GetOrderParams, context?: ToolContext) {
    return [params, context];
  }

  @Tool({ description: 'Fetch.', params: () => GetOrderParams }) thunk(params: GetOrderParams) {
    return params;
  }

  @Tool({ description: 'Fetch.', result: Order }) untyped(): ReturnType<typeof JSON.parse> {
    return JSON.parse('{}');
  }

  @Tool({ description: 'Fetch.', params: GetOrderParams }) structural(params: { readonly orderId: string }) {
    return params;
  }
}

export class WrongParams {
  // @ts-expect-error: the first parameter is not the params class
  @Tool({ description: 'Fetch.', params: GetOrderParams }) byClass(params: CancelParams) {
    return params;
  }

  // @ts-expect-error: the first parameter is not the params class
  @Tool({ description: 'Fetch.', params: () => GetOrderParams }) byThunk(params: CancelParams, context: ToolContext) {
    return [params, context];
  }

  // @ts-expect-error: it asks for more than the params class has
  @Tool({ description: 'Fetch.', params: GetOrderParams }) asksForMore(params: Order) {
    return params;
  }
}

export class WrongContext {
  // @ts-expect-error: the second parameter is no ToolContext
  @Tool('Fetch.') text(params: GetOrderParams, context: string) {
    return [params, context];
  }

  // @ts-expect-error: the second parameter is no ToolContext
  @Tool({ description: 'Fetch.', params: GetOrderParams }) another(params: GetOrderParams, context: CancelParams) {
    return [params, context];
  }

  // @ts-expect-error: the second parameter is no ToolContext, although it may be left out
  @Tool('Fetch.') optional(params: GetOrderParams, verbose = false) {
    return [params, verbose];
  }

  // @ts-expect-error: a ToolContext has no such member
  @Tool('Fetch.') invented(params: GetOrderParams, context: { readonly database: object }) {
    return [params, context];
  }
}

export class RightResults {
  @Tool({ description: 'Fetch.', result: Order }) plain(): OrderRow {
    return row;
  }

  @Tool({ description: 'Fetch.', result: Order }) async wrapped(): Promise<ToolResult<Order>> {
    return ToolResult.ok(new Order(), 'Found.');
  }

  @Tool({ description: 'Fetch.', result: Order }) either(params: GetOrderParams) {
    return params.orderId === '' ? ToolResult.error('No order.') : ToolResult.ok(row);
  }

  @Tool({ description: 'Fetch.', result: Order }) none(): Order | null {
    return null;
  }

  @Tool({ description: 'Fetch.', result: [Order] }) list(): readonly Order[] {
    return [];
  }

  @Tool({ description: 'Fetch.', result: { record: Number } }) record(): Record<string, number> {
    return {};
  }

  @Tool({ description: 'Fetch.', result: { tuple: [String, Number] } }) tuple(): readonly [string, number] {
    return ['apples', 2];
  }

  @Tool({ description: 'Fetch.', result: () => Order }) thunk(): Promise<Order> {
    return Promise.resolve(new Order());
  }

  @Tool('Anything.') undeclared(): unknown {
    return Symbol.iterator;
  }
}

export class WrongResults {
  // @ts-expect-error: a text is no Order
  @Tool({ description: 'Fetch.', result: Order }) text(): string {
    return '#W1';
  }

  // @ts-expect-error: the price is missing
  @Tool({ description: 'Fetch.', result: Order }) incomplete(): { readonly orderId: string } {
    return { orderId: '#W1' };
  }

  // @ts-expect-error: the result holds something else
  @Tool({ description: 'Fetch.', result: Order }) async wrapped(): Promise<ToolResult<number>> {
    return ToolResult.ok(1);
  }

  // @ts-expect-error: one Order is no list of them
  @Tool({ description: 'Fetch.', result: [Order] }) single(): Order {
    return new Order();
  }

  // @ts-expect-error: a list is no Order
  @Tool({ description: 'Fetch.', result: Order }) list(): readonly Order[] {
    return [];
  }

  // @ts-expect-error: the record holds numbers
  @Tool({ description: 'Fetch.', result: { record: Number } }) record(): Record<string, string> {
    return {};
  }

  // @ts-expect-error: the tuple is the wrong way round
  @Tool({ description: 'Fetch.', result: { tuple: [String, Number] } }) tuple(): readonly [number, string] {
    return [2, 'apples'];
  }
}

export class WrongPlaces {
  // @ts-expect-error: a property holds no handler that the prototype knows
  @Tool('Fetch.') property = (): string => 'no';

  // @ts-expect-error: a getter is no handler
  @Tool('Fetch.') get accessor(): string {
    return this.property();
  }

  // @ts-expect-error: a name alone is no handler
  @Tool('Fetch.') declare later: string;
}

@Tool({ name: 'cancel', description: 'Cancel.', params: CancelParams })
export class RightClassTool {
  handle(params: CancelParams, context: ToolContext): ToolResult<string> {
    return ToolResult.ok(`${params.reason} ${context.call.name}`);
  }
}

@Tool({ name: 'ping', description: 'Answers.' })
export class ClassToolWithoutParams {
  handle(): string {
    return 'pong';
  }
}

// @ts-expect-error: handle takes something else
@Tool({ name: 'cancel', description: 'Cancel.', params: CancelParams })
export class ClassToolWithWrongParams {
  handle(params: GetOrderParams): string {
    return params.orderId;
  }
}

// @ts-expect-error: handle returns something else
@Tool({ name: 'cancel', description: 'Cancel.', params: CancelParams, result: Number })
export class ClassToolWithWrongResult {
  handle(params: CancelParams): string {
    return params.reason;
  }
}

// @ts-expect-error: there is no handle
@Tool({ name: 'cancel', description: 'Cancel.', params: CancelParams })
export class ClassToolWithoutHandle {
  run(params: CancelParams): string {
    return params.reason;
  }
}

// @ts-expect-error: a tool needs a description
Tool({ name: 'cancel' });

// @ts-expect-error: there is no such option
Tool({ description: 'Cancel.', readOnly: true });

export class WrongOrder {
  // @ts-expect-error: the params come before the context
  @Tool('Fetch.') swapped(context: ToolContext, params: GetOrderParams) {
    return [params, context];
  }

  // @ts-expect-error: a third parameter
  @Tool('Fetch.') third(params: GetOrderParams, context: ToolContext, more: string) {
    return [params, context, more];
  }

  // @ts-expect-error: two contexts
  @Tool('Fetch.') twice(context: ToolContext, more: ToolContext) {
    return [context, more];
  }
}
