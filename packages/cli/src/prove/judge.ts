import type { ToolHints, ToolOutcome } from 'toolwright';
import { getEffect } from 'toolwright/internal';
import type { World } from './Bench.js';
import type { FaultResult } from './ProofSheet.js';
import { compareSnapshots, writeTrace, type LeafChange } from './Snapshot.js';

/** The part of a result that a judgement decides. */
export type Judged = Omit<FaultResult, 'fault'>;

/** The changes between two states of the world. */
export interface Left {
  readonly inside: readonly LeafChange[];
  readonly outside: readonly LeafChange[];
}

export function compareWorlds(before: World, after: World): Left {
  return {
    inside: compareSnapshots(before.inside, after.inside),
    outside: compareSnapshots(before.outside, after.outside),
  };
}

export function isUntouched({ inside, outside }: Left): boolean {
  return inside.length === 0 && outside.length === 0;
}

/** Lists the changes as lines of a trace. */
export function listTrace({ inside, outside }: Left): readonly string[] {
  return writeTrace([...inside, ...outside]);
}

/** Judges the changes that remain after a call that did not succeed. @param outcome undefined if the call threw, as after a cancellation */
export function judgeFailure(left: Left, hints: ToolHints, outcome: ToolOutcome | undefined): Judged {
  const trace = listTrace(left);
  const failed = outcome?.kind === 'succeeded' ? undefined : outcome;
  const effect = failed?.effect ?? getEffect(hints);
  if (left.inside.length > 0 && failed?.rolledBack !== false) {
    const broken = 'a failed call leaves no changes of the session and of resources';
    return { mark: 'trace', note: 'The changes were not rolled back.', trace, broken };
  }
  if (isUntouched(left)) {
    if (effect === 'unknown')
      return { mark: 'unknown', note: 'No trace can be seen. The model reads to check first.', trace };
    return { mark: 'none', note: 'Nothing was changed.', trace };
  }
  if (failed?.rolledBack === false)
    return { mark: 'unknown', note: 'The outcome says that changes may remain.', trace };
  if (effect === 'none') {
    const broken = `${nameNoEffectHint(hints)}: a failed call leaves nothing outside`;
    return { mark: 'trace', note: 'The call failed, and its effect stayed.', trace, broken };
  }
  return effect === 'keyed'
    ? { mark: 'keyed', note: 'The effect stayed; the same call does not repeat it.', trace }
    : { mark: 'unknown', note: 'The effect stayed. The model reads to check first.', trace };
}

/** Judges a call that must change nothing. @param claim the reason why it must not */
export function judgeUntouched(left: Left, note: string, claim: string): Judged {
  const trace = listTrace(left);
  return isUntouched(left)
    ? { mark: 'none', note, trace }
    : { mark: 'trace', note: `${note} It left a trace.`, trace, broken: claim };
}

export function skip(note: string): Judged {
  return { mark: 'skipped', note, trace: [] };
}

export function nameNoEffectHint({ readOnly }: ToolHints): string {
  return readOnly === true ? 'readOnly: true' : 'openWorld: false';
}
