import { slug } from 'github-slugger';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { root } from '../scripts/process.mjs';
import { gathered, packagePages } from './gather.mjs';
import readPages from './readPages.cjs';
import { entries } from './writeApi.mjs';
import { clearEmptyHeaders, frameIndentedCode, nameSnippets, showTags } from './markdown.mjs';

const address = (path) => `/${path.replace(/\.md$/, '')}`;
const guide = readPages().map(({ title, pages }) => ({
  text: title,
  items: pages.map((page) => ({ text: page.title, link: address(page.path) })),
}));

export default defineConfig({
  title: 'Toolwright',
  description: 'A TypeScript class framework for the prompts and tools of LLM agents.',
  lang: 'en',
  srcDir: gathered,
  outDir: join(root, 'build/site'),
  cacheDir: join(root, 'build/site-cache'),
  cleanUrls: true,
  ignoreDeadLinks: 'localhostLinks',
  // The HTML of each page would hold the whole sidebar once more otherwise.
  metaChunk: true,
  srcExclude: ['public/**'],
  // The search index is one file, loaded by the first search.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  head: [['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }]],
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    // The links of docs/ have the anchors that GitHub makes.
    anchor: { slugify: slug, uniqueSlugStartIndex: 1 },
    headers: { slugify: slug },
    config: (md) => md.use(frameIndentedCode).use(nameSnippets).use(showTags).use(clearEmptyHeaders),
  },
  themeConfig: {
    siteTitle: 'Toolwright',
    outline: { level: [2, 3], label: 'On this page' },
    docFooter: { prev: 'Previous', next: 'Next' },
    externalLinkIcon: true,
    nav: [
      { text: 'Start', link: '/getting-started' },
      { text: 'All pages', link: '/pages' },
      { text: 'Options', link: '/options' },
      { text: 'Errors', link: '/errors' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: [
      ...guide,
      {
        text: 'Packages',
        link: '/packages/',
        collapsed: true,
        items: packagePages.map(({ title, path }) => ({ text: title, link: address(path) })),
      },
      {
        text: 'API reference',
        link: '/api/',
        collapsed: true,
        items: entries.map(({ specifier }) => ({ text: specifier, link: `/api/${specifier}/` })),
      },
    ],
    search: {
      provider: 'local',
      options: { _render: renderForSearch, miniSearch: { searchOptions: { boostDocument } } },
    },
  },
});

/** Renders the text that the search reads. Of an API page it reads the name and the first paragraph, so that the index stays small. */
function renderForSearch(source, env, md) {
  if (!env.relativePath.startsWith('api/')) return md.render(source, env);
  const [, title = '', about = ''] = /^# (.+)\n+(?:```[\s\S]*?```\n+)?([^\n#*|-][^\n]*)?/m.exec(source) ?? [];
  return md.render(`# ${title}\n\n${about}\n`, env);
}

/** Lets pages that explain come before the API reference, and the table of options before pages that use an option. */
function boostDocument(id) {
  if (id.startsWith('/options')) return 2;
  return id.startsWith('/api/') ? 0.5 : 1;
}
