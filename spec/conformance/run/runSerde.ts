import { dump, parse, ParseError, schemaOf } from 'toolwright/schema';
import { TypeCatalogue } from '../declare/TypeCatalogue';
import type { DumpInput, Outcome, ParseInput, SchemaInput } from '../format';
import { errorOutcome } from './errorOutcome';

/** Parses data into a record. */
export async function runParse({ types: specs, type, data, extra, coerce = true }: ParseInput): Promise<Outcome> {
  const types = new TypeCatalogue(specs);
  try {
    return { value: types.data(parse(types.classOf(type), data, { extra, coerce })) };
  } catch (error) {
    if (!(error instanceof ParseError)) return { error: errorOutcome(error) };
    return { issues: error.issues.map(({ kind, path }) => ({ kind, path })) };
  }
}

/** Writes a value as plain data. */
export async function runDump({ types: specs, value, exclude_none: excludeNone }: DumpInput): Promise<Outcome> {
  return { dump: dump(new TypeCatalogue(specs).value(value), { excludeNone }) };
}

/** Writes the JSON Schema of a record. */
export async function runSchema({ types: specs, type }: SchemaInput): Promise<Outcome> {
  const types = new TypeCatalogue(specs);
  try {
    return { schema: schemaOf(types.classOf(type)) };
  } catch (error) {
    return { error: errorOutcome(error) };
  }
}
