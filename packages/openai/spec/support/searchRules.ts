import { isJson, list, objects, shown, strangers, type Json } from './json';
import type { RequestRule } from './RequestRule';

/** Models that have a search. */
const NEW = /^gpt-(5\.[4-9]|[6-9])/;
const DEFINITION_KEYS = ['type', 'name', 'description', 'parameters', 'strict', 'defer_loading'];

/** The searches that a request declares. */
const searches = ({ tools }: Json): readonly Json[] =>
  objects(tools).flatMap(([, tool]) => (tool['type'] === 'tool_search' ? [tool] : []));

const isOfClient = ({ execution }: Json): boolean => execution === 'client';

/** The items of searches, with their positions. */
const itemsOf = ({ input }: Json, type: string): readonly (readonly [number, Json])[] =>
  objects(input).filter(([, item]) => item['type'] === type);

/** The names of the functions that the results of searches define. */
const foundNames = (body: Json): readonly unknown[] =>
  itemsOf(body, 'tool_search_output').flatMap(([, { tools }]) => objects(tools).map(([, { name }]) => name));

/** Rules on searches that the client answers, and on the provider's own. */
export const searchRules: readonly RequestRule[] = [
  {
    id: 'search-supported',
    what: 'Only newer models send searches to the client.',
    check: (body) =>
      NEW.test(shown(body['model'])) || !searches(body).some(isOfClient)
        ? []
        : ["Invalid value: 'tool_search' is not supported with this model."],
  },
  {
    id: 'search-shape',
    what: "A request declares one search: the client's with a description and a schema, the provider's with nothing.",
    check: (body) =>
      searches(body).flatMap((search, index) => {
        const { execution = 'server', description, parameters } = search;
        const isDescribed = typeof description === 'string' && isJson(parameters) && parameters['type'] === 'object';
        const known = isOfClient(search) ? ['type', 'execution', 'description', 'parameters'] : ['type', 'execution'];
        return [
          ...(index > 0 ? ["Only one 'tool_search' is allowed."] : []),
          ...(['server', 'client'].includes(shown(execution)) ? [] : [`Invalid value: '${shown(execution)}'.`]),
          ...(isOfClient(search) && !isDescribed ? ["'tool_search' with 'client' needs 'parameters'."] : []),
          ...strangers(search, known).map((key) => `Unknown parameter: 'tools.tool_search.${key}'.`),
        ];
      }),
  },
  {
    id: 'search-declared',
    what: 'Searches of the client stand in requests that declare one, and every search says who answers it.',
    check: (body) => {
      const isDeclared = searches(body).some(isOfClient);
      return ['tool_search_call', 'tool_search_output'].flatMap((type) =>
        itemsOf(body, type).flatMap(([index, item]) => {
          const isKnown = isOfClient(item) ? isDeclared : item['execution'] === 'server';
          return isKnown ? [] : [`Invalid value for 'input[${String(index)}].execution'.`];
        }),
      );
    },
  },
  {
    id: 'search-arguments',
    what: 'A search has arguments.',
    check: (body) =>
      itemsOf(body, 'tool_search_call').flatMap(([index, { arguments: args }]) =>
        args === undefined ? [`Missing required parameter: 'input[${String(index)}].arguments'.`] : [],
      ),
  },
  {
    id: 'search-id',
    what: 'A search that the client answers has an id of its own.',
    check: (body) => {
      const ids = objects(body['input']).flatMap(([, { type, call_id: id }]) =>
        shown(type).endsWith('_call') && typeof id === 'string' ? [id] : [],
      );
      return itemsOf(body, 'tool_search_call')
        .filter(([, item]) => isOfClient(item))
        .flatMap(([index, { call_id: id }]) =>
          typeof id === 'string' && id !== '' && id.length <= 64 && ids.indexOf(id) === ids.lastIndexOf(id)
            ? []
            : [`Invalid 'input[${String(index)}].call_id'.`],
        );
    },
  },
  {
    id: 'search-answered',
    what: 'A search that the client answers has one result, after it and before the next answer of the model.',
    check: (body) => {
      const items = list(body['input']);
      const calls = itemsOf(body, 'tool_search_call').filter(([, item]) => isOfClient(item));
      const outputs = itemsOf(body, 'tool_search_output').filter(([, item]) => isOfClient(item));
      const unanswered = calls.filter(([at, { call_id: id }]) => {
        const own = outputs.filter(([, output]) => output['call_id'] === id);
        const [first = -1] = own[0] ?? [];
        const isSaidBetween = items.slice(at, first).some((item) => isJson(item) && item['type'] === 'reasoning');
        return own.length !== 1 || first < at || isSaidBetween;
      });
      const orphans = outputs.filter(([, output]) => !calls.some(([, call]) => call['call_id'] === output['call_id']));
      return [...unanswered, ...orphans].map(([, { call_id: id }]) => `No tool search for call_id ${shown(id)}.`);
    },
  },
  {
    id: 'search-found',
    what: 'A result defines functions with their strict mode, and no name that is defined already.',
    check: (body) => {
      const offered = objects(body['tools']).map(([, { name }]) => name);
      const added = itemsOf(body, 'additional_tools').flatMap(([, { tools }]) =>
        objects(tools).map(([, t]) => t['name']),
      );
      const names: unknown[] = [...offered, ...added, ...foundNames(body)].filter((name) => name !== undefined);
      return itemsOf(body, 'tool_search_output').flatMap(([index, { tools }]) =>
        list(tools).flatMap((tool) => {
          const isGood =
            isJson(tool) &&
            tool['type'] === 'function' &&
            isJson(tool['parameters']) &&
            typeof tool['strict'] === 'boolean' &&
            strangers(tool, DEFINITION_KEYS).length === 0 &&
            names.indexOf(tool['name']) === names.lastIndexOf(tool['name']);
          return isGood ? [] : [`Invalid value for 'input[${String(index)}].tools'.`];
        }),
      );
    },
  },
];
