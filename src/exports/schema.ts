// Classes as schemas and parsers, outside of an application.
export type { InvalidOutput } from '../error/OutputParseError.js';
export { ParseError } from '../error/ParseError.js';
export type {
  ClassSchema,
  JsonSchemaConverter,
  JsonSchemaRequest,
  StandardIssue,
  StandardPathElement,
  StandardProps,
  StandardResult,
  StandardSchema,
} from '../interface/StandardSchema.js';
export { dump } from '../schema/dump.js';
export { parse } from '../schema/parse.js';
export { parseOutput } from '../schema/parseOutput.js';
export { schemaOf, type SchemaOfOptions } from '../schema/schemaOf.js';
export type { ParseOptions } from '../schema/ParseOptions.js';
export { toStandardSchema } from '../schema/standard/toStandardSchema.js';
