import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import type { ParamIssue } from '../error/toolErrors.js';
import type { ClassShape } from '../metadata/ClassShape.js';

/**
 * What class-transformer makes of the fields that need it, by property. It sees the whole value, since a transformation
 * may look at its neighbours.
 *
 * @throws whatever a `@Transform` throws
 */
export function convert(
  shape: ClassShape,
  source: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  if (!shape.fields.some(({ conversion }) => conversion !== undefined)) return {};
  const named = shape.fields
    .filter(({ wireName }) => Object.hasOwn(source, wireName))
    .map(({ libraryName, wireName }) => [libraryName, source[wireName]] as const);
  const type = shape.type as ClassConstructor<Readonly<Record<string, unknown>>>;
  return plainToInstance(type, Object.fromEntries(named), { exposeDefaultValues: true });
}

/** Has class-validator judge the instance, and reports what it says of the fields whose rules are conditional. */
export function conditionIssues(shape: ClassShape, instance: object, path: string): readonly ParamIssue[] {
  const conditional = new Map(
    shape.fields.flatMap((field) => (field.condition === undefined ? [] : [[field.property, field.wireName] as const])),
  );
  if (conditional.size === 0) return [];
  return validateSync(instance, { forbidUnknownValues: false })
    .filter(({ property }) => conditional.has(property))
    .flatMap((error) => issuesOf(error, path, conditional.get(error.property)));
}

/** What class-validator says of a converted value, down to its leaves. */
export function convertedIssues(value: object, path: string): readonly ParamIssue[] {
  return validateSync(value, { forbidUnknownValues: false }).flatMap((error) => issuesOf(error, path));
}

function issuesOf(error: ValidationError, path: string, name: string = error.property): readonly ParamIssue[] {
  const at = path === '' ? name : /^\d+$/.test(name) ? `${path}[${name}]` : `${path}.${name}`;
  const own = Object.values(error.constraints ?? {}).map((message) => ({
    kind: 'constraint' as const,
    path: at,
    message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => issuesOf(child, at))];
}
