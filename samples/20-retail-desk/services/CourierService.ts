import { Service } from 'typedi';
import type { OrderRow } from '../store/rows.js';

/**
 * Where the parcel service is told to collect what a customer sends back. This one takes every booking; a real one
 * calls another company's system and may fail at the worst moment, which main.ts plays through.
 */
@Service()
export class CourierService {
  async bookCollection(_order: OrderRow): Promise<void> {}
}
