import { plainToInstance, type ClassConstructor } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import { messageOf } from '../common/text.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { ClassShape } from '../metadata/ClassShape.js';

/**
 * The instance by class-transformer and class-validator themselves, for classes with decorators that only these
 * understand. Missing and extra keys were reported before.
 */
export function instantiate(shape: ClassShape, source: object, path: string, issues: ParamIssue[]): unknown {
  let instance: object;
  try {
    instance = plainToInstance(shape.type as ClassConstructor<object>, source, { exposeDefaultValues: true });
  } catch (error) {
    issues.push({ kind: 'type', path, message: `could not be converted: ${messageOf(error)}` });
    return undefined;
  }
  for (const error of validateSync(instance, { forbidUnknownValues: false })) collect(error, path, shape, issues);
  return instance;
}

function collect(error: ValidationError, path: string, shape: ClassShape | undefined, issues: ParamIssue[]): void {
  const wire = shape?.fields.find(({ property }) => property === error.property)?.wireName ?? error.property;
  const inArray = /^\d+$/.test(wire);
  const at = path === '' ? wire : inArray ? `${path}[${wire}]` : `${path}.${wire}`;
  for (const message of Object.values(error.constraints ?? {})) issues.push({ kind: 'constraint', path: at, message });
  for (const child of error.children ?? []) collect(child, at, undefined, issues);
}
