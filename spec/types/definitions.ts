// Checked by the compiler only (`npm run typecheck`): code under @ts-expect-error must not compile, the rest must.
import { definePrompt, defineSection, defineTool, Field, Param, Section, ToolResult } from 'toolwright';

class DeskParams {
  @Param('Tool to try first') primaryTool = 'get_order';
}
class OrderLine {
  @Field('Item id') itemId!: string;
}

export class RightParams {
  @Param('Order id') orderId!: string;
  @Param({ description: 'How many', integer: true, min: 1 }) count = 1;
  @Param({ type: () => [OrderLine] }) lines!: readonly OrderLine[];
  @Param({ enum: ['C', 'F'] }) unit!: 'C' | 'F';
  @Param({ record: Number, optional: true }) stock?: Record<string, number>;
  @Param({ oneOf: [String, Number], nullable: true }) id!: string | number | null;
  weather(@Param('city', 'City') city: string, @Param('days', { integer: true }) days: number) {
    return [city, days];
  }
}

export class WrongParams {
  // @ts-expect-error: on a property there is no name
  @Param('orderId', 'Order id') orderId!: string;

  // @ts-expect-error: a field has no name, either
  @Field('orderId', 'Order id') fieldId!: string;

  // @ts-expect-error: there is no such option
  @Param({ descripton: 'Order id' }) misspelt!: string;

  // @ts-expect-error: a minimum is a number
  @Param({ min: '1' }) count!: number;

  // @ts-expect-error: on a parameter the name comes first
  weather(@Param('City') city: string) {
    return city;
  }

  // @ts-expect-error: on a parameter the name comes first
  forecast(@Param({ description: 'City' }) city: string) {
    return city;
  }

  // @ts-expect-error: @Field is for properties
  report(@Field('City') city: string) {
    return city;
  }
}

@Section({ title: 'Orders', params: DeskParams, enabled: ({ params }) => params.primaryTool !== '' })
export class HookSeesParams {}

@Section({ title: 'Orders', params: DeskParams, defaults: { primaryTool: 'ping' } })
export class RightDefaults {}

// @ts-expect-error: the params have no such property
@Section({ title: 'Orders', params: DeskParams, enabled: ({ params }) => params.primryTool !== '' })
export class HookSeesOnlyParams {}

// @ts-expect-error: the params have no such property
@Section({ title: 'Orders', params: DeskParams, defaults: { primryTool: 'ping' } })
export class WrongDefaults {}

// @ts-expect-error: a section needs a title
@Section({ key: 'orders' })
export class WithoutTitle {}

// @ts-expect-error: there is no such option
@Section({ title: 'Orders', childern: [] })
export class MisspeltOption {}

export const tools = [
  defineTool({ name: 'ping', description: 'Answers.', handler: () => 'pong' }),
  defineTool({ name: 'later', description: 'Not here yet.', handler: null }),
  defineTool({
    name: 'first',
    description: 'Names the first tool.',
    params: DeskParams,
    result: String,
    handler: ({ primaryTool }, { call }) => ToolResult.ok(`${primaryTool} ${call.name}`),
  }),
  defineTool({
    name: 'wrong_params',
    description: 'Reads what is not there.',
    params: DeskParams,
    // @ts-expect-error: the params have no such property
    handler: ({ primryTool }) => String(primryTool),
  }),
  defineTool({
    name: 'wrong_result',
    description: 'Gives something else.',
    result: Number,
    // @ts-expect-error: a text is no number
    handler: () => 'five',
  }),
  // @ts-expect-error: a defined tool needs a name
  defineTool({ description: 'Answers.', handler: null }),
  // @ts-expect-error: a defined tool says whether it has a handler
  defineTool({ name: 'ping', description: 'Answers.' }),
];

// @ts-expect-error: a defined section needs a key
defineSection({ title: 'Orders' });

// @ts-expect-error: a prompt has sections
definePrompt({ ns: 'support', key: 'desk' });

// @ts-expect-error: an instance is no section
definePrompt({ ns: 'support', key: 'desk', sections: [new RightParams()] });
