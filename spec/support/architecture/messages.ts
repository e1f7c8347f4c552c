import ts from 'typescript';
import { nodesIn, place, type Rule } from './SourceTree';

/** The classes that take their message as it is. Other classes of errors format it, or the model reads it. */
const PLAIN_CLASSES = new Set(['PromptError', 'PromptEvaluationError', 'ToolwrightError']);

/**
 * Codes of calls, requests and answers that failed. Their messages are one sentence, because logs, spans and other errors quote them.
 */
const SENTENCES = new Set([
  'E601',
  'E605',
  'E701',
  'E702',
  'E703',
  'E704',
  'E707',
  'E708',
  'E723',
  'E724',
  'E756',
  'E757',
  'E911',
]);

/** A message names its code: a terminal, a log or a page often shows nothing else of an error. */
export const messagesNameCodes: Rule = (tree) =>
  [...tree.values()].flatMap((file) =>
    nodesIn(file)
      .filter(ts.isNewExpression)
      .filter(({ expression }) => ts.isIdentifier(expression) && PLAIN_CLASSES.has(expression.text))
      .filter(({ arguments: [message] = [] as never }) => message !== undefined && !isFormatted(message))
      .filter((node) => !SENTENCES.has(codeOf(node)))
      .map((node) => `${place(node)} creates ${codeOf(node)} with a message that does not name it`),
  );

function isFormatted(message: ts.Expression): boolean {
  return ts.isCallExpression(message) && message.expression.getText() === 'formatMessage';
}

/** The code in the details of an error; `E701` if they name none, as in the constructor. */
function codeOf({ arguments: [, details] = [] as never }: ts.NewExpression): string {
  const code = /\bcode: '(E\d{3})'/.exec(details?.getText() ?? '')?.[1];
  if (code !== undefined) return code;
  return details !== undefined && ts.isObjectLiteralExpression(details) && !/\bcode\b|\.\.\./.test(details.getText())
    ? 'E701'
    : 'a code';
}
