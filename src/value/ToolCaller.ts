/** The caller of a tool: `direct` is the model, a host or a handler; `program` is a program that the model wrote. */
export type ToolCaller = 'direct' | 'program';

/** The callers allowed by default. */
export const everyCaller: readonly ToolCaller[] = Object.freeze(['direct', 'program']);
