import { standingAreas } from './areas';
import { ConformanceFault } from './ConformanceFault';
import type { ConformanceCase } from './format';
import { laterNeedsOf } from './wordsOf';

/** A case that waits although its area is implemented, and what it waits for. */
export interface WaitingCase {
  readonly id: string;
  readonly waitsFor: string;
}

/** Pins the cases of our own files that wait, so that an implemented keyword cannot keep a case waiting unnoticed. */
export const waitingCases: readonly WaitingCase[] = [];

/** Areas of the cases about programs that wait for the part of the framework that they are about. */
export const waitingProgramAreas: ReadonlySet<string> = new Set();

/**
 * The parts that the case waits for: its area, or keywords that are not supported yet; undefined when it can run.
 *
 * @throws ConformanceFault C3
 */
export function waitsFor(testCase: ConformanceCase): string | undefined {
  if (!standingAreas.has(testCase.area)) return `the area ${testCase.area}`;
  try {
    const needs = laterNeedsOf(testCase);
    return needs.length === 0 ? undefined : needs.join(', ');
  } catch (error) {
    throw error instanceof ConformanceFault ? error.at(testCase.id) : error;
  }
}
