/** The path of a key below another path, as issues name it. */
export function pathBelow(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
