import { ReadBeforeWritePolicy, SequentialDependencyPolicy, type ToolPolicy } from 'toolwright/policies';
import type { PolicySpec } from '../format';

/** A policy of a case as one of the framework's own. */
export function policyOf({ read_before_write: read, sequential }: PolicySpec): ToolPolicy {
  return sequential === undefined
    ? new ReadBeforeWritePolicy({ mountPoint: read?.mount_point })
    : new SequentialDependencyPolicy(sequential);
}
