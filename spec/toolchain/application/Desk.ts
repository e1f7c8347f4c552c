// Declared as users do it: the compiler's metadata says what it can, and only the rest is named.
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsOptional, IsString, Matches, ValidateNested } from 'class-validator';
import { Field, md, Param, Prompt, Section, Tool, ToolContext, ToolResult, type HookInput } from 'toolwright';
import { Ordered, Unit, Warehouse } from './shared.js';

class Address {
  @Field({ description: 'Street and number', minLength: 3 })
  street!: string;

  @Field('Town')
  town = 'Ulm';
}

class Line {
  @Field('Name of the item')
  item!: string;

  @Field({ description: 'How many', integer: true, min: 1 })
  count = 1;
}

class OrderParams {
  @Param('Customer number')
  @Matches(/^C\d+$/)
  customer!: string;

  @Param({ description: 'What is ordered', minItems: 1 })
  @Type(() => Line)
  @ValidateNested({ each: true })
  lines!: Line[];

  @Param({ description: 'Unit of the counts', enum: Unit })
  unit!: Unit;

  @Param({ description: 'Where to send it', optional: true })
  address?: Address;

  @Param({ description: 'Not before this moment', optional: true })
  @Expose({ name: 'not_before' })
  @IsOptional()
  notBefore?: Date;

  @Param('Labels')
  @Transform(({ value }) => (Array.isArray(value) ? value.map((label) => String(label).trim()) : (value as unknown)))
  @IsString({ each: true })
  labels: string[] = [];

  @Param('Wrap it as a gift')
  gift = false;

  @Param({ description: 'Discount in percent', max: 50 })
  discount = 0;
}

class Receipt {
  @Field('The line that was noted')
  line!: string;

  @Field('When it may leave')
  notBefore!: Date;

  @Exclude()
  costs = 7;
}

class GuideParams {
  @Param('Tool to try first')
  first = 'count';
}

/** A tool that is a class, with a service of its own. */
@Tool({ name: 'list_items', description: 'List the items.', params: GuideParams, hints: { readOnly: true } })
class ListTool {
  constructor(private readonly warehouse: Warehouse) {}

  handle({ first }: GuideParams): string {
    return `${first}: ${String(this.warehouse.count('apple'))} apples, ${String(this.warehouse.count('flour'))} flour`;
  }
}

@Section({ title: 'Hints', template: md`Ask ${'first'} before you order.` })
class HintsSection {
  enabled({ params }: HookInput<GuideParams>): boolean {
    return params.first !== '';
  }
}

@Section({
  title: 'Orders',
  params: GuideParams,
  template: md`
    Orders go to the warehouse.
      Use ${'first'} first; it costs 0 $$.
  `,
  tools: [ListTool],
  children: [HintsSection],
})
class OrdersSection {
  constructor(private readonly warehouse: Warehouse) {}

  @Tool({ description: 'Count an item.', hints: { readOnly: true } })
  count(
    @Param('item', 'Name of the item') item: string,
    @Param('unit', { description: 'Unit', enum: Unit, default: Unit.Piece }) unit: Unit,
    @Param('times', { description: 'Counted how often', default: 1, integer: true }) times = 1,
  ): string {
    return `${String(this.warehouse.count(item) * times)} ${unit}`;
  }

  @Tool({ description: 'Order items.', result: Receipt })
  order(params: OrderParams, context: ToolContext): ToolResult<Receipt> {
    if (params.lines.some(({ item, count }) => this.warehouse.count(item) < count))
      return ToolResult.error('There is not enough of it.');
    const what = params.lines.map(({ item, count }) => `${String(count)} ${params.unit} ${item}`).join(', ');
    const line = `${params.customer}: ${what} to ${params.address?.street ?? '-'} in ${params.address?.town ?? '-'}`;
    context.session.dispatch(new Ordered(line));
    const notBefore = params.notBefore ?? new Date(0);
    const kinds = [params, params.lines[0], params.address].map((value) => value?.constructor.name ?? 'none');
    return ToolResult.ok(
      Object.assign(new Receipt(), { line, notBefore }),
      `Ordered (${kinds.join(', ')}; labels ${params.labels.join('+')}).`,
    );
  }

  @Tool('Say which call this is.')
  whoAmI(context: ToolContext): string {
    return `${context.call.name} of ${String(context.prompt.sections.length)} sections`;
  }

  @Tool('Answer.')
  ping(): string {
    return 'pong';
  }
}

@Prompt({ ns: 'toolchain', key: 'desk', sections: [OrdersSection] })
export class Desk {}

export const container = undefined;
