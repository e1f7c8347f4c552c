/** Who makes a tool call: the model (or a host, or a handler), or a program that the model wrote. */
export type ToolCaller = 'direct' | 'program';

/** Those who may call a tool that does not say. */
export const everyCaller: readonly ToolCaller[] = Object.freeze(['direct', 'program']);
