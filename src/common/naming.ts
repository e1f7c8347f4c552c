/** Converts to snake case: `lookupEntity` → `lookup_entity`, `getURL` → `get_url`, `parseHTMLPage` → `parse_html_page`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** The default key of a section: `OrdersSection` → `orders`, `RefundPolicy` → `refund-policy`. */
export function keyFromClassName(name: string): string {
  return snakeCase(name.replace(/(?<=.)Section$/, '')).replaceAll('_', '-');
}
