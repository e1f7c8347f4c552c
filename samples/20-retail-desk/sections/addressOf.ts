import type { AddressRow } from '../store/rows.js';

/** The address among the arguments of a tool, and nothing else of them. */
export function addressOf({ address1, address2, city, state, country, zip }: AddressRow): AddressRow {
  return { address1, address2, city, state, country, zip };
}
