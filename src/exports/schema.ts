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
export { dump } from '../schema/write/createSerialiser.js';
export { parse } from '../schema/parse/parse.js';
export { parseOutput } from '../schema/parse/parseOutput.js';
export { schemaOf, type SchemaOfOptions } from '../schema/emit/schemaOf.js';
export type { ParseOptions } from '../schema/parse/ParseOptions.js';
export { toStandardSchema } from '../schema/standard/toStandardSchema.js';
