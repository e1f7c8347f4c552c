import { Tool, type Constructor, type ToolOptions } from 'toolwright';

type MemberDecorator = (prototype: object, member: string, descriptor: PropertyDescriptor | undefined) => void;

/** `@Tool` on a member the way esbuild and tsx apply it: as a function, and without any emitted type. */
export function decorateTool(type: Constructor, member: string, options: string | ToolOptions): void {
  const prototype = type.prototype as object;
  (Tool(options) as unknown as MemberDecorator)(prototype, member, Object.getOwnPropertyDescriptor(prototype, member));
}
