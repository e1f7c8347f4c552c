/** Kept by identity: another library may use any vendor name. A schema of a second build of this package is only checked with a limit. */
const complete = new WeakSet();

/**
 * Marks a Standard Schema whose JSON Schema says everything that it checks: it runs no code of others, and its patterns are matched in
 * linear time. How long a check takes then follows from that schema.
 */
export function markComplete<S extends object>(schema: S): S {
  complete.add(schema);
  return schema;
}

/** True for a Standard Schema that `markComplete` has marked. */
export function isComplete(schema: object): boolean {
  return complete.has(schema);
}
