/** Shows the file of a block of code, which the comment above it names: `<!-- samples/01-first-tool/main.ts -->`. */
export function nameSnippets(md) {
  md.core.ruler.push('name-snippets', ({ tokens, Token }) => {
    for (const [index, token] of tokens.entries()) {
      const file = /^<!-- (?:file: )?([\w@./-]+\.\w+) -->\s*$/.exec(token.content)?.[1];
      if (token.type !== 'html_block' || file === undefined || tokens[index + 1]?.type !== 'fence') continue;
      const text = Object.assign(new Token('text', '', 0), { content: file });
      const [open, close] = [new Token('paragraph_open', 'p', 1), new Token('paragraph_close', 'p', -1)];
      open.attrSet('class', 'snippet-file');
      const inline = Object.assign(new Token('inline', '', 0), { content: file, children: [text] });
      tokens.splice(index, 1, open, inline, close);
    }
  });
}

/** Shows tags in sentences as they are written, such as `Promise<void>`. Only the home page has HTML of its own. */
export function showTags(md) {
  md.core.ruler.push('show-tags', ({ tokens, env }) => {
    if (env.relativePath === 'index.md') return;
    for (const child of tokens.flatMap(({ children }) => children ?? []))
      if (child.type === 'html_inline') child.type = 'text';
  });
}

/** Gives indented blocks the frame of fenced ones, in which long lines scroll. */
export function frameIndentedCode(md) {
  md.core.ruler.push('frame-indented-code', ({ tokens }) => {
    for (const token of tokens.filter(({ type }) => type === 'code_block'))
      Object.assign(token, {
        type: 'fence',
        info: /^(npm|npx|node) /.test(token.content) ? 'sh' : 'text',
        markup: '```',
      });
  });
}

/** Turns header cells without text into plain cells, which screen readers do not announce as headers. */
export function clearEmptyHeaders(md) {
  md.core.ruler.push('clear-empty-headers', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      const isEmpty = token.type === 'th_open' && tokens[index + 1].content === '';
      if (isEmpty) token.tag = tokens[index + 2].tag = 'td';
    }
  });
}
