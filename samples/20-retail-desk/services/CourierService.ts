import { Service } from 'typedi';
import type { OrderRow } from '../store/rows.js';

/**
 * Books the collection of returned items. This service accepts every booking; a real one calls another company's system and may fail
 * at any moment, which main.ts demonstrates.
 */
@Service()
export class CourierService {
  async bookCollection(_order: OrderRow): Promise<void> {}
}
