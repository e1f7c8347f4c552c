/** A check of params in the form that the SDK takes. */
export interface ParamsSchema {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (
      value: unknown,
    ) => { readonly value: object } | { readonly issues: readonly { readonly message: string }[] };
  };
}

/** Creates a check of params that does not copy them. @param findFault describes the fault of invalid params */
export function createParamsSchema(findFault: (params: unknown) => string | undefined): ParamsSchema {
  return {
    '~standard': {
      version: 1,
      vendor: 'toolwright',
      validate: (value) => {
        const message = findFault(value);
        return message === undefined ? { value: value as object } : { issues: [{ message }] };
      },
    },
  };
}
