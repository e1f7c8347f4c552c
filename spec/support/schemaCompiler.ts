import Ajv2020, { type Options, type ValidateFunction } from 'ajv/dist/2020';

/**
 * Compiles schemas of draft 2020-12 with these options. A validator compiles the meta-schema first, which costs more
 * than most schemas: there is one for all. It forgets each schema, so that equal ids do not meet.
 */
export function schemaCompiler(options: Options = {}): (schema: object) => ValidateFunction {
  const ajv = new Ajv2020(options);
  return (schema) => {
    try {
      return ajv.compile(schema);
    } finally {
      ajv.removeSchema(schema);
    }
  };
}
