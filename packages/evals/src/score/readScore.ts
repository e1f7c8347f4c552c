import { cut, describeValue, isRecord } from 'toolwright/internal/light';
import { EvalError } from '../EvalError.js';
import type { Score } from '../Eval.js';
import { MAX_REASON_CHARS } from '../limits.js';
import type { ScoreResult } from '../results/TaskResult.js';

/** Reads the value that a scorer returned. @throws EvalError E996 */
export function readScore(given: Score | boolean | number, scorer: string): ScoreResult {
  if (typeof given === 'boolean') return { pass: given, value: given ? 1 : 0 };
  if (typeof given === 'number') return { value: requireValueOf(given, scorer) };
  if (!isRecord(given)) throw createScoreError(describeValue(given), scorer);
  const { pass, value, reason } = given;
  if (pass === undefined && value === undefined) throw createScoreError('a score without pass and value', scorer);
  if (pass !== undefined && typeof pass !== 'boolean') throw createScoreError(`pass as ${describeValue(pass)}`, scorer);
  if (reason !== undefined && typeof reason !== 'string')
    throw createScoreError(`reason as ${describeValue(reason)}`, scorer);
  return {
    ...(pass === undefined ? {} : { pass }),
    value: value === undefined ? Number(pass) : requireValueOf(value, scorer),
    ...(reason === undefined ? {} : { reason: cut(reason, MAX_REASON_CHARS) }),
  };
}

function requireValueOf(value: unknown, scorer: string): number {
  if (typeof value === 'number' && value >= 0 && value <= 1) return value;
  throw createScoreError(`the value ${describeValue(value)}`, scorer);
}

function createScoreError(got: string, scorer: string): EvalError {
  return new EvalError(`it returned ${got}`, { code: 'E996', place: `scorer ${scorer}` });
}
