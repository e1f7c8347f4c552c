/** The provider's limits for functions, in both of its APIs. */
export const toolLimits = { count: 128, description: 1_024 } as const;
