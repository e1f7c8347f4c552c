/** `lookupEntity` → `lookup_entity`, `getURL` → `get_url`, `parseHTMLPage` → `parse_html_page`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** `OrdersSection` → `orders`, `RefundPolicy` → `refund-policy`: the key of a section that names none. */
export function keyFromClassName(name: string): string {
  return snakeCase(name.replace(/(?<=.)Section$/, '')).replaceAll('_', '-');
}
