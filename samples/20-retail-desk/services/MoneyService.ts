import { Service } from 'typedi';

/** Amounts of money: doubles, rounded to cents wherever they are stored. */
@Service()
export class MoneyService {
  /**
   * Rounds to two places from the exact binary value: 2.675 is stored a little below itself and becomes 2.67.
   * Only odd multiples of 1/8 lie exactly between two cents; they go to the even cent.
   */
  round(amount: number): number {
    // Above 2 ** 52 a double has no fraction, and toFixed gives up on large numbers.
    if (!Number.isFinite(amount) || Math.abs(amount) >= 2 ** 52) return amount;
    const text = amount.toFixed(2);
    const fraction = Math.abs(amount) % 1;
    // toFixed sends ties away from zero: .125 to .13 and .625 to .63 are the two that end on an odd cent.
    const isOddTie = fraction === 0.125 || fraction === 0.625;
    const rounded = Number(isOddTie ? `${text.slice(0, -1)}2` : text);
    return rounded === 0 ? 0 : rounded;
  }

  format(amount: number): string {
    return `$${this.round(amount).toFixed(2)}`;
  }
}
