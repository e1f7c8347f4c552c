// Renders the same prompt with libraries for templates and prompts. Templates are compiled beforehand; values are bound at each rendering.
import { ChatPromptTemplate } from '@langchain/core/prompts';
import Handlebars from 'handlebars';
import Mustache from 'mustache';
import * as tsx from '@vscode/prompt-tsx';

const section = (index, who, what) =>
  `## ${index + 1}. Section ${index} (s${index})\n\nHelp ${who} with ${what}, chapter ${index}.\nAsk before you change anything.`;
const templateOf = (count, who, what) =>
  Array.from({ length: count }, (_, index) => section(index, who, what)).join('\n\n');

export async function peers({ count }) {
  const bars = templateOf(count, '{{{who}}}', '{{{what}}}');
  const handlebars = Handlebars.compile(bars, { noEscape: true });
  Mustache.parse(bars);
  const langchain = ChatPromptTemplate.fromMessages([['system', templateOf(count, '{who}', '{what}')]]);
  return {
    contenders: {
      handlebars: (names) => handlebars(names),
      mustache: (names) => Mustache.render(bars, names),
      'LangChain ChatPromptTemplate': async (names) => (await langchain.formatMessages(names))[0].content,
      ...(count <= 1_000 ? { 'prompt-tsx': promptTsx(count) } : {}),
    },
  };
}

/** Writes the prompt with the global factory instead of JSX, and with a budget that is never exceeded. */
function promptTsx(count) {
  const { PromptElement, SystemMessage, renderPrompt } = tsx;
  class Desk extends PromptElement {
    render() {
      const { who, what } = this.props;
      const parts = Array.from(
        { length: count },
        (_, index) => (index === 0 ? '' : '\n\n') + section(index, who, what),
      );
      return globalThis.vscpp(SystemMessage, null, ...parts);
    }
  }
  const tokenizer = { mode: 1, tokenLength: async () => 1, countMessageTokens: async () => 1 };
  return async (names) => {
    const { messages } = await renderPrompt(Desk, names, { modelMaxPromptTokens: 1e9 }, tokenizer);
    const { content } = messages[0];
    return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
  };
}
