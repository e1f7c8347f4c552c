import { JsonCounter, MAX_VALUES, TimeSlice } from 'toolwright/internal';
import type { GuestValue } from '../Sandbox.js';

/** Characters of JSON that are counted in one turn. */
const PART_CHARS = 500_000;

/** Returns true if the value of a program holds too many values to check one by one. Counts a long text over several turns. */
export async function isTooWide(value: GuestValue): Promise<boolean> {
  if (value.kind !== 'json' || value.json === undefined) return false;
  const { json } = value;
  const counter = new JsonCounter({ values: MAX_VALUES, depth: Infinity });
  const slice = new TimeSlice();
  for (let at = 0; at < json.length && counter.excess === undefined; at += PART_CHARS) {
    // This turn has already copied the text of a long value.
    if (json.length > PART_CHARS && (at === 0 || slice.isOver)) await slice.next();
    counter.add(json.slice(at, at + PART_CHARS));
  }
  return counter.excess !== undefined;
}

/** Parses the value of a program; a long value gets its own turn, since parsing cannot be divided. */
export async function readValue(value: GuestValue | undefined): Promise<unknown> {
  if (value?.kind !== 'json') return value;
  const { json } = value;
  if (json === undefined) return undefined;
  if (json.length <= PART_CHARS) return JSON.parse(json);
  const slice = new TimeSlice();
  await slice.next();
  const parsed: unknown = JSON.parse(json);
  await slice.next();
  return parsed;
}
