/** The beginning of an absolute path on POSIX and Windows, also as a URL. */
const ROOT = String.raw`(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])`;
/** Paths in quotes, as in Node's errors, which may contain spaces. */
const QUOTED = new RegExp(String.raw`(['"\x60])${ROOT}[\w.@+~-][^'"\x60\n]*\1`, 'g');
/** Paths of two names or more: `/tmp` reveals nothing, and `1/2` is not a path. */
const BARE = new RegExp(String.raw`(?<![\w/.:-])${ROOT}[\w.@+~-]+(?:[\\/][\w.@+~-]+)+`, 'g');

/** Removes paths of the local machine from a text. */
export function withoutPaths(text: string): string {
  return text.replace(QUOTED, '$1[path]$1').replace(BARE, '[path]');
}
