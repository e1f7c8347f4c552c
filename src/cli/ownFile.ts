/** The URL of a file of this package: the source stands as many folders below it as the bundle. */
export function ownFile(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
