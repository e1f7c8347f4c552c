// Gathers the sources of the site in site/pages: docs/, the pages of packages, the API reference and the home page.
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { slug } from 'github-slugger';
import packages from '../scripts/packages.cjs';
import { root } from '../scripts/process.mjs';
import readPages from './readPages.cjs';
import { writeApi } from './writeApi.mjs';

export const gathered = join(root, 'site/pages');

/** The pages of packages, in alphabetical order; the README of the repository is the page of the core. */
export const packagePages = packages
  .map(({ folder, manifest }) => ({
    title: manifest.name,
    about: manifest.description,
    path: `packages/${folder === '.' ? 'toolwright' : folder.replace('packages/', '')}.md`,
    source: join(root, folder, 'README.md'),
  }))
  .sort((left, right) => left.title.replace('@', '~').localeCompare(right.title.replace('@', '~')));

/** Gathers all pages anew. */
export async function gather() {
  rmSync(gathered, { recursive: true, force: true });
  await writeApi(join(gathered, 'api'));
  for (const path of readdirSync(join(gathered, 'api'), { recursive: true }).filter((each) => each.endsWith('.md')))
    editPage(join('api', path), (text) => linkMentions(text, path));
  gatherDocs();
}

/** Gathers the pages that are written by hand, which takes a few milliseconds. */
export function gatherDocs() {
  cpSync(join(root, 'docs'), gathered, { recursive: true, filter: (path) => !path.endsWith('docs/README.md') });
  for (const { path } of readPages().flatMap(({ pages }) => pages))
    write(path, linkMigrations(nameLinks(read(`docs/${path}`))).replaceAll('](README.md', '](pages.md'));
  write('options.md', linkTypes(readFileSync(join(gathered, 'options.md'), 'utf8')));
  write('pages.md', linkPages(read('docs/README.md')));
  for (const { path, source } of packagePages) write(path, linkPages(readFileSync(source, 'utf8'), '../'));
  const rows = packagePages.map(({ title, path, about }) => `- [${title}](${path.replace('packages/', '')}): ${about}`);
  write('packages/index.md', `# Packages\n\n${rows.join('\n')}\n`);
  write('index.md', fillHome(readFileSync(join(root, 'site/index.md'), 'utf8')));
  writeForModels();
}

/** Writes llms.txt, llms-full.txt and the Markdown of each page, which the site serves beside its HTML. */
function writeForModels() {
  const paths = readPages().flatMap(({ pages }) => pages.map(({ path }) => path));
  for (const path of paths) write(`public/${path}`, read(`docs/${path}`));
  write('public/README.md', linkPages(read('README.md')));
  write('public/llms.txt', linkPages(read('llms.txt')));
  cpSync(join(root, 'skills'), join(gathered, 'public/skills'), { recursive: true });
  const full = ['README.md', ...paths.map((path) => `docs/${path}`)].map((path) => `<!-- ${path} -->\n\n${read(path)}`);
  write('public/llms-full.txt', full.join('\n'));
}

/** Puts the code of README.md and the groups of pages into the home page. */
function fillHome(home) {
  const readme = read('README.md');
  const groups = readPages().map(({ title, pages }) => {
    const links = pages
      .slice(0, 6)
      .map((page) => `<li><a href="/${page.path.replace(/\.md$/, '')}">${page.title}</a></li>`);
    return `<div class="reader"><h3>${title}</h3><ul>${links.join('')}</ul></div>`;
  });
  return home
    .replace('<!-- README.md: the agent -->', () => /<!-- file: main\.ts -->\n(```ts\n[\s\S]*?\n```)/.exec(readme)[1])
    .replace('<!-- README.md: its output -->', () => /```text\n[\s\S]*?\n```/.exec(readme)[0])
    .replace('<!-- docs/README.md: the groups -->', () => groups.join('\n'));
}

/** Replaces names of files by titles: in the site, a page is known by its title. */
function nameLinks(text) {
  const titles = titlesOfPages();
  return text.replace(/\[([\w/-]+\.md)\]\(\1/g, (link, path) => `[${titles.get(path) ?? path}](${path}`);
}

/** Links the pages that the package does not ship, and that shipped pages therefore only mention. */
function linkMigrations(text) {
  return text.replace(/`docs\/(migration\/[\w-]+\.md)`/g, (_, path) => {
    const [, title] = /^# (.+)$/m.exec(read(`docs/${path}`));
    return `[${title}](${path})`;
  });
}

function titlesOfPages() {
  return new Map(readPages().flatMap(({ pages }) => pages.map(({ path, title }) => [path, title])));
}

/**
 * Makes links of a page outside docs/ lead to the pages of the site.
 *
 * @param up the path from the folder of the page to the root of the site
 */
function linkPages(text, up = '') {
  const titles = titlesOfPages();
  return text
    .replace(
      /`node_modules\/toolwright\/docs\/([\w/-]+\.md)`/g,
      (_, path) => `[${titles.get(path) ?? path}](${up}${path})`,
    )
    .replaceAll('](docs/README.md)', `](${up}pages.md)`)
    .replaceAll('](../README.md)', `](${up}packages/toolwright.md)`)
    .replaceAll('](docs/', `](${up}`)
    .replaceAll('](llms.txt)', '](/llms.txt)')
    .replace(/\[([^\]]+)\]\(LICENSE\)/g, '$1');
}

/** Links the type of each option to its page in the API reference, if it names exactly one type that has a page. */
function linkTypes(text) {
  const pages = readdirSync(join(gathered, 'api'), { recursive: true }).filter((path) => path.endsWith('.md'));
  const pagesOfTypes = new Map(pages.map((path) => [basename(path, '.md'), `api/${path}`]));
  return text.replace(/(?<=^### \w+\n\n)`[^`]+`/gm, (type) => {
    const found = [...new Set(type.match(/\b[A-Z]\w+/g) ?? [])].filter((name) => pagesOfTypes.has(name));
    return found.length === 1 ? `[${type}](${pagesOfTypes.get(found[0])})` : type;
  });
}

/** Turns mentions in docblocks, such as "docs/contract.md, 12", into links to the page or to its numbered section. */
function linkMentions(text, path) {
  const up = '../'.repeat(path.split('/').length);
  const link = (_, name, anchor, number) => {
    const section = number === undefined ? anchor : numberedSection(name, number);
    const shown = number === undefined ? name : `${name}, ${number}`;
    return `[${shown}](${up}${name}.md${section ?? ''})`;
  };
  return text
    .split(/(^```[\s\S]*?^```)/m)
    .map((part) =>
      part.startsWith('```')
        ? part
        : part.replace(/(?<![\w/[`]|\]\()docs\/([\w-]+)\.md(?:(#[\w-]+)|, (\d+(?:\.\d+)?)(?!\w))?/g, link),
    )
    .join('');
}

/** Finds the anchor of a section such as "12. Limits". Returns undefined when the page has no such number. */
function numberedSection(name, number) {
  const heading = new RegExp(`^#+ (${number.replace('.', '\\.')}\\.? .+)$`, 'm').exec(read(`docs/${name}.md`))?.[1];
  return heading === undefined ? undefined : `#${slug(heading)}`;
}

function editPage(path, edit) {
  const file = join(gathered, path);
  writeFileSync(file, edit(readFileSync(file, 'utf8')));
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}

/** Writes a gathered page. The links between pages of docs/ stay as they are, since the site has the same folders. */
function write(path, text) {
  const file = join(gathered, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
