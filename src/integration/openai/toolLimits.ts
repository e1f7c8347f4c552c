/** What the provider takes of functions, in both of its APIs. */
export const toolLimits = { count: 128, description: 1_024 } as const;
