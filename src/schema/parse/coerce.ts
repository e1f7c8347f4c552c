import type { TypeShape } from '../../metadata/ClassShape.js';
import { exactNumber } from './exactNumber.js';

/** Converts the value to the wanted type if nothing is lost by it; otherwise returns the value unchanged. */
export function coerced(type: TypeShape, value: unknown): unknown {
  switch (type.kind) {
    case 'number':
    case 'integer':
      return typeof value === 'string' ? numeric(value) : value;
    case 'boolean':
      return truth(value);
    case 'string':
      return written(value);
    case 'enum': {
      const readings = [value, typeof value === 'string' ? numeric(value) : value, truth(value), written(value)];
      return readings.find((reading) => (type.values as readonly unknown[]).includes(reading)) ?? value;
    }
    case 'array':
      return typeof value === 'object' || value === undefined ? value : [value];
    default:
      return value;
  }
}

function truth(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}

function written(value: unknown): unknown {
  // An integer beyond those has lost digits before it came here.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** The number that the text represents; the text itself if it is not a number, or one that a double cannot hold. */
function numeric(text: string): unknown {
  return exactNumber(text.trim()) ?? text;
}
