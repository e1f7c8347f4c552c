import type { AddressRow } from '../store/rows.js';

/** Returns the address fields among the arguments of a tool. */
export function addressOf({ address1, address2, city, state, country, zip }: AddressRow): AddressRow {
  return { address1, address2, city, state, country, zip };
}
