import type { TypeShape } from '../metadata/ClassShape.js';

const NUMERIC = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

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
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** The number that the text represents; the text itself if it is not a number, or an integer that a double cannot hold. */
function numeric(text: string): unknown {
  if (!NUMERIC.test(text.trim())) return text;
  const value = Number(text);
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value;
}
