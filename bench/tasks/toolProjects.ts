// Generates projects with equal numbers of tools, params and results, as each library declares them. tsc checks each file.
/** The number of tools in one file. */
const TOOLS_EACH = 5;

/** Writes the text of file number `index`, with its share of the tools. */
export type FileText = (index: number) => string;

const ids = (file: number): readonly string[] =>
  Array.from({ length: TOOLS_EACH }, (_, index) => `${String(file)}x${String(index)}`);

/** Decorators without types, to measure the cost of Toolwright's types. */
export const looseDecorators = `import { ToolContext, ToolResult } from 'toolwright';
export { ToolContext, ToolResult };
export declare function Tool(options: unknown): any;
export declare function Param(options: unknown): any;
export declare function Field(options: unknown): any;
export declare function Section(options: unknown): any;
`;

/** Decorators with types that ignore their properties, to measure the cost of comparing both. */
export const separateDecorators = `import type { ParamOptions } from 'toolwright';
export { Section, Tool, ToolContext, ToolResult } from 'toolwright';
type PropertyDecorator = (prototype: object, property: string) => void;
type ParameterDecorator = (prototype: object, member: string | symbol | undefined, index: number) => void;
export declare function Param(description: string | ParamOptions): PropertyDecorator;
export declare function Param(name: string, description: string | ParamOptions): ParameterDecorator;
export declare function Field(description: string | ParamOptions): PropertyDecorator;
`;

/**
 * The fewest types that compare at all: each decorator looks at the type of its property, and a handler's params and result are compared
 * with the declared classes. They find other faults than Toolwright's types, which also compare options such as `optional` and `enum`.
 */
export const leastDecorators = `import { ToolContext, ToolResult } from 'toolwright';
export { ToolContext, ToolResult };
type Constructor<T> = new () => T;
type Decorate<T> = <K extends string>(prototype: { [P in K]?: T }, property: K) => void;
type Value = string | number | boolean | readonly string[];
interface FieldOptions {
  readonly description: string;
  readonly optional?: boolean;
}
export declare function Param(options: FieldOptions & { readonly integer: boolean; readonly min: number }): Decorate<number>;
export declare function Param(options: FieldOptions & { readonly type: readonly [StringConstructor] }): Decorate<readonly string[]>;
export declare function Param(options: string | FieldOptions): Decorate<Value>;
export declare function Field(description: string): Decorate<Value>;
export declare function Section(options: { readonly key: string; readonly title: string; readonly template: string }): (type: Constructor<object>) => void;
export declare function Tool<P, R>(options: {
  readonly name: string;
  readonly description: string;
  readonly params: () => Constructor<P>;
  readonly result: Constructor<R>;
}): (
  prototype: object,
  member: string,
  method: TypedPropertyDescriptor<(params: P, context: ToolContext) => Promise<ToolResult<R>>>,
) => void;
`;

/** The same types, except that decorators of properties do not compare their property. */
export const leastSeparateDecorators = leastDecorators.replace(
  '<K extends string>(prototype: { [P in K]?: T }, property: K) => void',
  '(prototype: object, property: string, value?: T) => void',
);

/** A class for the params of each tool, one for its result, and one for the tools of a file. */
export const inClasses =
  (from: string): FileText =>
  (file) => `import { Field, Param, Section, Tool, ToolContext, ToolResult } from '${from}';
${ids(file)
  .map(
    (id) => `
export class Params${id} {
  @Param('Order id') orderId!: string;
  @Param({ description: 'How many', integer: true, min: 1 }) count = 1;
  @Param({ description: 'Note', optional: true }) note?: string;
  @Param({ description: 'Tags', type: [String] }) tags!: string[];
}
export class Result${id} {
  @Field('Order id') orderId!: string;
  @Field('Total') total!: number;
}
`,
  )
  .join('')}
@Section({ key: 's${String(file)}', title: 'Section', template: 'Text.' })
export class Section${String(file)} {${ids(file)
    .map(
      (id) => `
  @Tool({ name: 'tool_${id}', description: 'Does it.', params: () => Params${id}, result: Result${id} })
  async tool${id}(params: Params${id}, context: ToolContext): Promise<ToolResult<Result${id}>> {
    context.signal.throwIfAborted();
    return ToolResult.ok({ orderId: params.orderId, total: params.count });
  }`,
    )
    .join('\n')}
}
`;

const zodFields = `orderId: z.string().describe('Order id'),
  count: z.int().min(1).default(1).describe('How many'),
  note: z.string().optional().describe('Note'),
  tags: z.array(z.string()).describe('Tags'),`;

/** `server.registerTool`, with schemas for arguments and results. */
export const asMcpTools: FileText = (file) => `import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
${ids(file)
  .map(
    (id) => `
const params${id} = z.object({
  ${zodFields}
});
const result${id} = z.object({
  orderId: z.string().describe('Order id'),
  total: z.number().describe('Total'),
});`,
  )
  .join('')}

export function register${String(file)}(server: McpServer): void {${ids(file)
  .map(
    (id) => `
  server.registerTool(
    'tool_${id}',
    { description: 'Does it.', inputSchema: params${id}, outputSchema: result${id} },
    async (params, { signal }) => {
      signal.throwIfAborted();
      const structuredContent = { orderId: params.orderId, total: params.count };
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );`,
  )
  .join('')}
}
`;

/** `tool({ … })`, with schemas for arguments and results. */
export const asAiTools: FileText = (file) => `import { tool } from 'ai';
import { z } from 'zod';

export const tools${String(file)} = {${ids(file)
  .map(
    (id) => `
  tool_${id}: tool({
    description: 'Does it.',
    inputSchema: z.object({
  ${zodFields}
    }),
    outputSchema: z.object({
      orderId: z.string().describe('Order id'),
      total: z.number().describe('Total'),
    }),
    execute: async (params, { abortSignal }) => {
      abortSignal?.throwIfAborted();
      return { orderId: params.orderId, total: params.count };
    },
  }),`,
  )
  .join('')}
};
`;

/** `tool(…)` of LangChain, with a schema for arguments; it has none for results. */
export const asLangChainTools: FileText = (file) => `import { tool } from '@langchain/core/tools';
import { z } from 'zod';
${ids(file)
  .map(
    (id) => `
export const tool${id} = tool(
  async ({ orderId, count }, { signal }) => {
    signal?.throwIfAborted();
    return { orderId, total: count };
  },
  {
    name: 'tool_${id}',
    description: 'Does it.',
    schema: z.object({
  ${zodFields}
    }),
  },
);`,
  )
  .join('')}
`;

/** Routes of Nest, with DTO classes for arguments and results. Nest's decorators compare nothing. */
export const asNestRoutes: FileText = (file) => `import { Body, Controller, Post } from '@nestjs/common';
import { IsArray, IsInt, IsNumber, IsOptional, IsString, Min } from 'class-validator';
${ids(file)
  .map(
    (id) => `
export class Params${id} {
  @IsString() orderId!: string;
  @IsInt() @Min(1) count = 1;
  @IsOptional() @IsString() note?: string;
  @IsArray() @IsString({ each: true }) tags!: string[];
}
export class Result${id} {
  @IsString() orderId!: string;
  @IsNumber() total!: number;
}
`,
  )
  .join('')}
@Controller('s${String(file)}')
export class Section${String(file)} {${ids(file)
  .map(
    (id) => `
  @Post('tool_${id}')
  async tool${id}(@Body() params: Params${id}): Promise<Result${id}> {
    return { orderId: params.orderId, total: params.count };
  }`,
  )
  .join('\n')}
}
`;
