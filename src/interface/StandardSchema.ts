// The interfaces of Standard Schema and Standard JSON Schema (standardschema.dev), repeated here to avoid a dependency.
// Any object with these members is accepted, and Toolwright's schemas have them.

/** An element of a path: a key, or an object that holds it. */
export type StandardPathElement = PropertyKey | { readonly key: PropertyKey };

/** A problem with a value, and its path. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly StandardPathElement[] | undefined;
}

/** The result of validation: the output, or issues. */
export type StandardResult<O> =
  { readonly value: O; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** The requested dialect of JSON Schema. */
export interface JsonSchemaRequest {
  readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | ({} & string);
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** Returns the JSON Schema of the input and of the output of a schema. Throws for an unknown dialect. */
export interface JsonSchemaConverter {
  readonly input: (request: JsonSchemaRequest) => Record<string, unknown>;
  readonly output: (request: JsonSchemaRequest) => Record<string, unknown>;
}

/** The value of `~standard`. `A` is the return type of `validate`, which may be a promise. */
export interface StandardProps<I, O, A = StandardResult<O> | Promise<StandardResult<O>>> {
  readonly version: 1;
  /** The library that the schema comes from. */
  readonly vendor: string;
  /** For the compiler only. */
  readonly types?: { readonly input: I; readonly output: O } | undefined;
  readonly validate: (value: unknown) => A;
  readonly jsonSchema: JsonSchemaConverter;
}

/**
 * A schema of any library that validates and provides a JSON Schema: zod from 4.2 on, arktype from 2.1.28 on, valibot's
 * `toStandardJsonSchema(schema)`, or `toStandardSchema(Class)`. `I` is its input type, `O` its output type.
 */
export interface StandardSchema<I = unknown, O = I> {
  readonly '~standard': StandardProps<I, O>;
}

/** The schema of a class. Its input is unknown, its output is an instance, and it validates synchronously. */
export interface ClassSchema<T extends object> {
  readonly '~standard': StandardProps<unknown, T, StandardResult<T>>;
}
