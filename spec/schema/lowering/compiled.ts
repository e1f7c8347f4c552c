import type { ValidateFunction } from 'ajv/dist/2020';
import { schemaCompiler } from '../../support/schemaCompiler';

const formats = {
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[a-z]+@[a-z]+\.[a-z]+$/,
  uri: /^https:/,
  uuid: /^[0-9a-f-]{36}$/,
  ipv4: /^[\d.]+$/,
  ipv6: /^[\da-f:]+$/,
};
const options = { allowUnionTypes: true, ownProperties: true, allErrors: true, formats };
const lenient = schemaCompiler({ ...options, strict: false });
const pedantic = schemaCompiler({ ...options, strict: true });

/** A validator of draft 2020-12 that knows the formats of params. `strict` refuses what is legal and pointless, too. */
export function compiled(schema: object, { strict = false }: { readonly strict?: boolean } = {}): ValidateFunction {
  return strict ? pedantic(schema) : lenient(schema);
}
