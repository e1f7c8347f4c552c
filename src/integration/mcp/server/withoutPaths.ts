/** How an absolute path begins on either kind of system, also as a URL. */
const ROOT = String.raw`(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/])`;
/** Between quotes, as Node's errors name files: names may hold spaces there. */
const QUOTED = new RegExp(String.raw`(['"\x60])${ROOT}[\w.@+~-][^'"\x60\n]*\1`, 'g');
/** Two names or more: `/tmp` tells nothing, and `1/2` is none. */
const BARE = new RegExp(String.raw`(?<![\w/.:-])${ROOT}[\w.@+~-]+(?:[\\/][\w.@+~-]+)+`, 'g');

/** A text without the paths of the machine that it was written on. */
export function withoutPaths(text: string): string {
  return text.replace(QUOTED, '$1[path]$1').replace(BARE, '[path]');
}
