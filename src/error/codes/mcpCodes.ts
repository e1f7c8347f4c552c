import { createCodeTable, type CodeText } from './CodeText.js';

/** Remedies for MCP bridges and servers: E681-E695. */
export const mcpRemedies = createCodeTable({
  E681: 'Connect the client first, and look at the cause.',
  E682: 'Use one of the names that the message lists. The log says which declarations were left out, and why.',
  E683: 'Correct the option that the message names.',
  E684: "Correct the call. If the server's list has changed, bridge it again.",
  E685: 'Connect a client again. A bridge created with a function asks it for the client of each call.',
  E686: 'Ask for less, raise maxResultBytes, or tell the author of the server.',
  E687: 'Tell the author of the server, or exclude the tool with names.',
  E691: 'Correct the option that the message names, or leave it out.',
  E692: 'Call serveMcp again for another server.',
  E693: 'Continue without the answer, or check client.peer and the capabilities of the client before you ask.',
  E694: 'Send the credentials that the server expects. If you host the server, return a text, undefined or false from http.principal.',
  E695: 'Close open sessions and read open streams. If you host the server, raise maxSessionsPerPrincipal, maxRequestsPerPrincipal or maxUnreadBytes under http.',
});

/** Titles and meanings of these codes, for docs/errors.md. */
export const mcpTexts: Readonly<Record<keyof typeof mcpRemedies, CodeText>> = {
  E681: {
    title: 'MCP server cannot be bridged',
    meaning:
      'The server did not list its tools or resources: it is not connected, did not answer in time, or gave an invalid answer.',
  },
  E682: {
    title: 'Tool is unknown to the MCP server',
    meaning:
      'names contains a tool or resource that the server does not list, or that was left out because its declaration is invalid.',
  },
  E683: {
    title: 'Invalid option of a bridge',
    meaning:
      'A bridge takes a connected MCP client, or a function that returns one, and the options of McpBridgeOptions.',
  },
  E684: {
    title: 'MCP server refused the request',
    meaning:
      'The server answered with a protocol error: the tool has gone, the arguments are refused, or the server failed.',
  },
  E685: {
    title: 'MCP server unreachable',
    meaning: 'The connection is closed, or the server did not answer in time. A bridge never connects by itself.',
  },
  E686: {
    title: 'Answer of an MCP server not accepted',
    meaning:
      'The answer is larger or deeper than a bridge accepts, or violates the protocol or the declaration of the tool.',
  },
  E687: {
    title: 'Declaration of an MCP server left out',
    meaning:
      'The declarations of a server are not trusted. A duplicate name is left out, and so is a schema that is too large, refers outside itself or in a circle, cannot be compiled or is not a schema. This is logged; everything else is bridged.',
  },
  E691: {
    title: 'Invalid option of an MCP server',
    meaning:
      'Limits are whole numbers above 0. A host is a name without a port, an origin is a URL without a path, and lists contain no duplicates.',
  },
  E692: {
    title: 'MCP server is closed',
    meaning: 'A server that was closed, or whose process lost its input, accepts no more connections.',
  },
  E693: {
    title: 'MCP client did not answer',
    meaning:
      "A handler asked its client for a form or for a text of the client's model. The client cannot do that, refused, or did not answer in time.",
  },
  E694: {
    title: 'Principal of an MCP request refused',
    meaning:
      'http.principal returned false for an HTTP request, which is answered with 401. Or it returned an invalid principal, which is logged and answered with 500.',
  },
  E695: {
    title: 'Limit per MCP principal reached',
    meaning:
      'A principal, or one address of anonymous clients, has reached its limit of sessions or open requests (429), or does not read its stream, which is then cut. Other principals are not affected.',
  },
};
