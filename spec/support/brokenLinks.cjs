'use strict';

// Links have to work in the package, without the repository: each has to lead to a file of the package, and to a heading of that
// file if it names one. package-check.mjs looks at the tarball, spec/docs/shippedLinks.spec.ts at the tree.

const { readdirSync, readFileSync } = require('node:fs');
const { join, posix } = require('node:path');

const isPage = (path) => /\.(md|txt)$/.test(path);
const isCode = (path) => /\.(?:d\.)?[cm]?[jt]s$/.test(path);

/** The texts of all files below a folder, by path with slashes. */
function textsIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, '/').length));
  return new Map(paths.map((path) => [path.replaceAll('\\', '/'), readFileSync(join(folder, path), 'utf8')]));
}

/**
 * Broken links, one line each. Checks links of pages, and pages that the code names, such as docs/errors.md#e104. Error codes are
 * put into that name at run time, so all codes are passed.
 */
function brokenLinks(texts, codes = []) {
  const leads = (path, heading) =>
    texts.has(path) && (heading === undefined || !isPage(path) || anchorsOf(texts.get(path)).has(heading));
  const ofPages = [...texts.keys()].filter(isPage).flatMap((page) =>
    linksOf(texts.get(page))
      .filter((link) => {
        const [path, heading] = decodeURI(link).split('#');
        return !leads(path === '' ? page : posix.join(posix.dirname(page), path), heading);
      })
      .map((link) => `${page} leads to ${link}`),
  );
  const ofCode = [...texts.keys()].filter(isCode).flatMap((file) =>
    mentionsIn(texts.get(file))
      .filter((mention) => !leads(...mention.split('#')))
      .map((mention) => `${file} names ${mention}`),
  );
  const ofErrors = codes
    .filter((code) => !leads('docs/errors.md', code.toLowerCase()))
    .map((code) => `${code} is not in docs/errors.md`);
  return [...ofPages, ...ofCode, ...ofErrors];
}

/** The relative links of a page, code left out. */
function linksOf(text) {
  const links = withoutCode(text).matchAll(/\]\(<?([^)>\s]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)|\b(?:src|href)="([^"]+)"/gm);
  return [...links]
    .map(([, inline, reference, html]) => inline ?? reference ?? html)
    .filter((link) => !/^[a-z]+:/.test(link));
}

/** The pages that a text names from the root of the package. */
function mentionsIn(text) {
  const mentions = text.matchAll(/(?<![\w/.-])(?:docs|samples)\/[\w/.-]*\w(?:#(?:\w[\w-]*|\$\{))?/g);
  return [...new Set([...mentions].map(([mention]) => mention.replace(/#\$\{$/, '')))];
}

/** The anchors of a page's headings, as renderers of Markdown make them: the second of two equal ones gets a number. */
function anchorsOf(text) {
  const anchors = new Set();
  for (const [, heading] of text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} +(.+?) *#*$/gm)) {
    const slug = heading
      .replace(/\]\([^)]*\)/g, ']')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

function withoutCode(text) {
  return text.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/(`+)[^`\n]+\1/g, (code) => code.replace(/[[\]()]/g, ''));
}

module.exports = { brokenLinks, textsIn };
