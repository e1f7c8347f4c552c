/** Converts to snake case: `lookupEntity` → `lookup_entity`, `getURL` → `get_url`, `parseHTMLPage` → `parse_html_page`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** The endings of class names that say what a class is, and nothing of what it is about. */
const ROLES = /(?<=.)(?:Section|Service|Tools|Toolkit|Provider|Controller)$/;

/** The default key of a section: `OrdersSection` and `OrdersService` → `orders`, `RefundPolicy` → `refund-policy`. */
export function keyFromClassName(name: string): string {
  return snakeCase(name.replace(ROLES, '')).replaceAll('_', '-');
}
