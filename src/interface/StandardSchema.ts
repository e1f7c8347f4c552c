// The shapes of Standard Schema and Standard JSON Schema (standardschema.dev), written down once more so that no package
// of theirs is needed: whatever has these members is taken, and what we give has them.

/** A key of a path, bare or as the member of an object. */
export type StandardPathElement = PropertyKey | { readonly key: PropertyKey };

/** What is wrong with a value, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly StandardPathElement[] | undefined;
}

/** What validating gives: the output, or issues. */
export type StandardResult<O> =
  { readonly value: O; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** Which dialect of JSON Schema is asked for. */
export interface JsonSchemaRequest {
  readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | ({} & string);
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/** Gives the JSON Schema of what a schema takes, and of what it gives. Throws for a dialect that it does not know. */
export interface JsonSchemaConverter {
  readonly input: (request: JsonSchemaRequest) => Record<string, unknown>;
  readonly output: (request: JsonSchemaRequest) => Record<string, unknown>;
}

/** What stands behind `~standard`; `A` is the form of its answers, which may be promises. */
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
 * A schema of any library that validates and gives a JSON Schema: zod from 4.2 on, arktype from 2.1.28 on, valibot's
 * `toStandardJsonSchema(schema)`, or `toStandardSchema(Class)`. `I` is what it takes, `O` what it gives.
 */
export interface StandardSchema<I = unknown, O = I> {
  readonly '~standard': StandardProps<I, O>;
}

/** The schema that a class stands for: it takes anything, gives an instance, and answers at once. */
export interface ClassSchema<T extends object> {
  readonly '~standard': StandardProps<unknown, T, StandardResult<T>>;
}
