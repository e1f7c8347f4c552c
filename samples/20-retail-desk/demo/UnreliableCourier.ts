import { CourierService } from '../services/CourierService.js';
import type { OrderRow } from '../store/rows.js';

/** One booking, and whether it was answered. */
export interface Booking {
  readonly order: OrderRow;
  readonly taken: boolean;
}

/** A courier with a booking system that does not answer the first few requests. */
export class UnreliableCourier extends CourierService {
  readonly bookings: Booking[] = [];

  constructor(
    private failuresLeft: number,
    private readonly report: (booking: Booking) => void,
  ) {
    super();
  }

  override async bookCollection(order: OrderRow): Promise<void> {
    const booking = { order, taken: this.failuresLeft === 0 };
    this.bookings.push(booking);
    this.report(booking);
    if (booking.taken) return;
    this.failuresLeft -= 1;
    throw new CourierUnavailableError("the courier's booking system does not answer");
  }
}

class CourierUnavailableError extends Error {
  override readonly name = 'CourierUnavailableError';
}
