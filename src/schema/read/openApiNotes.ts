// Reads the options of `@ApiProperty` of @nestjs/swagger from the metadata that it writes.
import { isObject, type Fields } from '../../common/guards.js';
import { metadataOf } from '../../common/reflect.js';
import type { Constructor } from '../../common/types.js';
import type { ParamOptions } from '../../metadata/args/ParamMetadataArgs.js';

/** Lists the properties of a class that `@ApiProperty` names. */
export function readOpenApiProperties(type: Constructor): readonly string[] {
  const noted = metadataOf('swagger/apiModelPropertiesArray', type.prototype as object);
  if (!Array.isArray(noted)) return [];
  return noted.flatMap((name) => (typeof name === 'string' ? [name.replace(/^:/, '')] : []));
}

/** Reads the options of `@Param` from `@ApiProperty`: the description with the example, and the enum. */
export function readOpenApiOptions(type: Constructor, property: string): Pick<ParamOptions, 'description' | 'enum'> {
  const noted = metadataOf('swagger/apiModelProperties', type.prototype as object, property);
  if (!isObject(noted)) return {};
  const { description, example, enum: values } = noted as Fields;
  const said = typeof description === 'string' ? description.trim() : '';
  const shown = example === undefined ? undefined : JSON.stringify(example);
  const text = [said, shown === undefined ? '' : `(e.g. ${shown})`].filter((part) => part !== '').join(' ');
  return {
    ...(text === '' ? {} : { description: text }),
    ...(isEnum(values) ? { enum: values } : {}),
  };
}

function isEnum(values: unknown): values is readonly (string | number)[] {
  return Array.isArray(values) && values.every((value) => ['string', 'number'].includes(typeof value));
}
