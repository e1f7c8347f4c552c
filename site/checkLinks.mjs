// Follows every link within the built site. VitePress itself reports missing pages, but not missing anchors and files.
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/process.mjs';

const built = join(root, 'build/site');

/**
 * Checks the links, images and scripts of all built pages.
 *
 * @returns how many pages and different links there are, and a line for each link that leads nowhere
 */
export function checkLinks() {
  const pages = new Map(
    readdirSync(built, { recursive: true })
      .filter((path) => path.endsWith('.html'))
      .map((path) => [path, readBuiltPage(path)]),
  );
  const links = new Set();
  const broken = new Set();
  for (const [path, { hrefs }] of pages)
    for (const href of hrefs) {
      const { origin, pathname, hash } = new URL(href, `http://site/${path.replace(/(index)?\.html$/, '')}`);
      if (origin !== 'http://site') continue;
      links.add(pathname + hash);
      const target = findFile(decodeURIComponent(pathname));
      const anchor = decodeURIComponent(hash.slice(1));
      const leads = target !== undefined && (anchor === '' || pages.get(target)?.ids.has(anchor) === true);
      if (!leads) broken.add(`${path}: ${href} leads nowhere`);
    }
  return { pages: pages.size, links: links.size, faults: [...broken] };
}

function readBuiltPage(path) {
  const html = readFileSync(join(built, path), 'utf8');
  const valuesOf = (pattern) => [...html.matchAll(pattern)].map(([, value]) => value.replaceAll('&amp;', '&'));
  return {
    ids: new Set(valuesOf(/\sid="([^"]*)"/g)),
    hrefs: new Set(valuesOf(/<[a-z][^>]*\s(?:href|src)="([^"]*)"/g)),
  };
}

/** Finds the file that a server of static files answers with, as a path from the folder of the site. */
function findFile(pathname) {
  const path = pathname.slice(1);
  const candidates = path === '' || path.endsWith('/') ? [`${path}index.html`] : [path, `${path}.html`];
  return candidates.find((each) => existsSync(join(built, each)) && statSync(join(built, each)).isFile());
}
