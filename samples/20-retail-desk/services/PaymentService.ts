import { Service } from 'typedi';
import { ToolRefusal } from 'toolwright';
import type { PaymentMethodRow, UserRow } from '../store/rows.js';
import { MoneyService } from './MoneyService.js';

/**
 * Payments of one user. Only gift cards have a balance in the store, which changes at once. Payments by credit card or PayPal are
 * settled elsewhere and appear only in the order's payment history.
 */
@Service()
export class PaymentService {
  constructor(private readonly money: MoneyService) {}

  methodOf(user: UserRow, methodId: string): PaymentMethodRow {
    const methods = user.payment_methods;
    // The ids come from a model: "constructor" must not be found on the prototype.
    const method = Object.hasOwn(methods, methodId) ? methods[methodId] : undefined;
    if (method === undefined) {
      throw new ToolRefusal(
        `The customer has no payment method ${methodId}. They have: ${Object.keys(methods).join(', ') || 'none'}. ` +
          'Ask which of these to use.',
      );
    }
    return method;
  }

  /** Refuses a gift card that holds less than the amount. */
  requireCover(user: UserRow, methodId: string, amount: number): PaymentMethodRow {
    const method = this.methodOf(user, methodId);
    if (method.source === 'gift_card' && method.balance < amount) {
      throw new ToolRefusal(
        `Gift card ${methodId} holds ${this.money.format(method.balance)}, but ${this.money.format(amount)} is due. ` +
          'Nothing was changed. Ask the customer for another payment method.',
      );
    }
    return method;
  }

  /** Returns the user after paying the amount; a negative amount is a refund. */
  settle(user: UserRow, methodId: string, amount: number): UserRow {
    const method = this.requireCover(user, methodId, amount);
    if (method.source !== 'gift_card') return user;
    const balance = this.money.round(method.balance - amount);
    return { ...user, payment_methods: { ...user.payment_methods, [methodId]: { ...method, balance } } };
  }

  /**
   * Returns true for the id of a gift card. Only the id shows that: a payment history may name a card that the customer has removed
   * from the profile since.
   */
  isGiftCardId(methodId: string): boolean {
    return methodId.includes('gift_card');
  }
}
