import { ExpressionError } from './ExpressionError.js';

/** As in Python, whole numbers (bigint) are exact, and become floating point only where an operation asks for it. */
export type Numeric = bigint | number;

// Far beyond any sum of money, and small enough that 9 ** 9 ** 9 cannot block the process.
const maxBits = 65_536;

export const add = lift(
  (a, b) => a + b,
  (a, b) => a + b,
);
export const subtract = lift(
  (a, b) => a - b,
  (a, b) => a - b,
);
export const multiply = lift(
  (a, b) => within(a * b),
  (a, b) => a * b,
);
export const divide = lift(
  (a, b) => divideIntegers(a, nonZero(b)),
  (a, b) => a / nonZero(b),
);
export const floorDivide = lift(
  (a, b) => floorDivideIntegers(a, nonZero(b)),
  (a, b) => floorDivideFloats(a, nonZero(b)),
);
export const power = lift(
  (a, b) => (b < 0n ? powerOfFloats(toFloat(a), toFloat(b)) : powerOfIntegers(a, b)),
  powerOfFloats,
);

export function negate(value: Numeric): Numeric {
  return typeof value === 'bigint' ? -value : -value;
}

export function toFloat(value: Numeric): number {
  const float = Number(value);
  if (typeof value === 'bigint' && !Number.isFinite(float)) throw new ExpressionError('a number is too large');
  return float;
}

function lift(
  integers: (a: bigint, b: bigint) => Numeric,
  floats: (a: number, b: number) => number,
): (a: Numeric, b: Numeric) => Numeric {
  return (a, b) => (typeof a === 'bigint' && typeof b === 'bigint' ? integers(a, b) : floats(toFloat(a), toFloat(b)));
}

function nonZero<T extends Numeric>(divisor: T): T {
  if (divisor === 0 || divisor === 0n) throw new ExpressionError('division by zero');
  return divisor;
}

function within(value: bigint): bigint {
  if (bitLength(value) > maxBits) throw new ExpressionError('a number is too large');
  return value;
}

function bitLength(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}

// The quotient of two whole numbers, rounded once. Dividing their floats would round three times when they are large.
function divideIntegers(a: bigint, b: bigint): number {
  const shift = Math.max(0, bitLength(b) - bitLength(a) + 66);
  const scaled = (a < 0n ? -a : a) << BigInt(shift);
  const divisor = b < 0n ? -b : b;
  // The lowest of at least 65 bits represents everything that was cut off, so that the one rounding takes it into account.
  const quotient = (scaled / divisor) | (scaled % divisor === 0n ? 0n : 1n);
  const magnitude = toFloat(quotient) / 2 ** Math.min(shift, 1023) / 2 ** Math.max(0, shift - 1023);
  return a < 0n === b < 0n ? magnitude : -magnitude;
}

function floorDivideIntegers(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}

// floor(a / b) would be wrong where the division rounds up to a whole number: 1 // 0.1 is 9, not 10.
function floorDivideFloats(a: number, b: number): number {
  const remainder = a % b;
  const quotient = (a - remainder) / b - (remainder !== 0 && b < 0 !== remainder < 0 ? 1 : 0);
  const floor = Math.floor(quotient);
  return quotient - floor > 0.5 ? floor + 1 : floor;
}

function powerOfIntegers(base: bigint, exponent: bigint): bigint {
  if (base === 0n || base === 1n) return exponent === 0n ? 1n : base;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (BigInt(bitLength(base) - 1) * exponent > BigInt(maxBits)) throw new ExpressionError('a power is too large');
  return within(base ** exponent);
}

function powerOfFloats(base: number, exponent: number): number {
  if (base === 0 && exponent < 0) throw new ExpressionError('zero cannot be raised to a negative power');
  if (base < 0 && !Number.isInteger(exponent) && Number.isFinite(exponent)) {
    throw new ExpressionError('a negative number has no real fractional power');
  }
  const result = base ** exponent;
  if (!Number.isFinite(result) && Number.isFinite(base) && Number.isFinite(exponent)) {
    throw new ExpressionError('a power is too large');
  }
  return result;
}
