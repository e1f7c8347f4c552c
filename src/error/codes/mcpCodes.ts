import { createCodeTable, type CodeText } from './CodeText.js';

/** MCP servers, bridged and served: E681-E695: what to do. */
export const mcpRemedies = createCodeTable({
  E681: 'Connect the client first, and look at the cause.',
  E682: 'Use one of the names that the message lists; the log says what was left out, and why.',
  E683: 'Correct what the message names.',
  E684: 'Correct the call; if the list of the server has changed, bridge it again.',
  E685: 'Connect a client again; a bridge created with a function gets the client of each call from it.',
  E686: 'Ask for less, raise maxResultBytes, or tell the author of the server.',
  E687: 'Tell the author of the server, or leave the tool out with names.',
  E691: 'Correct the option that the message names, or leave it out.',
  E692: 'Call serveMcp again for another server.',
  E693: 'Continue without the answer, or look at client.peer and at what the client declares before asking.',
  E694: 'Send the credentials that the server expects. As its host, return a text from http.principal, undefined or false.',
  E695: 'Close sessions and read streams that are open. As the host, raise maxSessionsPerPrincipal, maxRequestsPerPrincipal or maxUnreadBytes under http.',
});

/** What the codes mean, for docs/errors.md. */
export const mcpTexts: Readonly<Record<keyof typeof mcpRemedies, CodeText>> = {
  E681: {
    title: 'MCP server that cannot be bridged',
    meaning:
      'The server did not list its tools or resources: it is not connected, did not answer in time, or answered wrongly.',
  },
  E682: {
    title: 'No such tool at the MCP server',
    meaning:
      'names asks for a tool or resource that the server does not list, or that was left out for its declaration.',
  },
  E683: {
    title: 'Option of a bridge that does not fit',
    meaning:
      'A bridge takes a connected MCP client, or a function that returns one, and the options that McpBridgeOptions lists.',
  },
  E684: {
    title: 'MCP server refused the request',
    meaning:
      'The server answered with an error of the protocol: a tool that is gone, arguments that it does not take, or a fault of its own.',
  },
  E685: {
    title: 'MCP server unreachable',
    meaning: 'The connection is closed, or the server did not answer in time. A bridge never connects by itself.',
  },
  E686: {
    title: 'Answer of an MCP server not accepted',
    meaning:
      'The answer is larger or deeper than a bridge accepts, or does not follow the protocol or the declaration of the tool.',
  },
  E687: {
    title: 'Declaration of an MCP server left out',
    meaning:
      'The declarations of a server are not trusted: a schema that is too large, leads out of itself or in a circle, cannot be compiled or is not a schema, and a name that occurs twice are left out. This is logged; everything else is bridged.',
  },
  E691: {
    title: 'Option of an MCP server that does not fit',
    meaning:
      'Bounds are whole numbers above 0; a host is a name without port, an origin a URL without path; nothing is listed twice.',
  },
  E692: {
    title: 'MCP server is closed',
    meaning: 'A server that was closed, or whose process has lost its input, takes no further connections.',
  },
  E693: {
    title: 'MCP client did not answer',
    meaning:
      'A handler asked the client behind its call for a form or a text of its model. The client cannot do that, has refused, or did not answer in time.',
  },
  E694: {
    title: 'Principal of an MCP request refused',
    meaning:
      'The option http.principal returned false for a request over HTTP, which is answered with 401; or it returned something that is no principal, which is logged, and answered with 500.',
  },
  E695: {
    title: 'Limit of one MCP principal',
    meaning:
      'One principal, or one address of anonymous clients, has as many sessions or open requests as it may have (429), or does not read its stream, which is cut. Others are served on.',
  },
};
