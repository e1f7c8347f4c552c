// docs/README.md is the only list of pages: the sidebar, the home page, llms.txt, llms-full.txt and the walk follow it.
'use strict';

const { readFileSync } = require('node:fs');
const { join } = require('node:path');

/**
 * Reads the groups of pages, in order.
 *
 * @returns groups with their title and pages; each page has its path from docs/ with its extension, its title and its description
 */
module.exports = function readPages() {
  const [, ...groups] = readFileSync(join(__dirname, '../docs/README.md'), 'utf8').split(/^## /m);
  return groups.flatMap((group) => {
    const pages = [...group.matchAll(/^- \[([^\]]+)\]\(([\w/-]+\.md)\): (.+(?:\n  .+)*)/gm)];
    if (pages.length === 0) return [];
    const [title] = group.split('\n');
    return {
      title,
      pages: pages.map(([, name, path, about]) => ({ path, title: name, about: about.replace(/\s+/g, ' ') })),
    };
  });
};
