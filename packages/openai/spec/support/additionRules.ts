import { isJson, list, objects, shown, type Json } from './json';
import type { RequestRule } from './RequestRule';

/** Models that take tools in the middle of a conversation. */
const NEW = /^gpt-(5\.[6-9]|[6-9])/;

/** What adds tools in the middle of a conversation, with the place. */
function additions({ input }: Json): readonly (readonly [number, Json])[] {
  return objects(input).filter(([, item]) => item['type'] === 'additional_tools');
}

const namesOf = (tools: unknown): readonly unknown[] => objects(tools).map(([, { name }]) => name);

/** Rules on `additional_tools`. */
export const additionRules: readonly RequestRule[] = [
  {
    id: 'added-supported',
    what: 'Only newer models take tools in the middle.',
    check: (body) =>
      NEW.test(shown(body['model']))
        ? []
        : additions(body).map(
            ([index]) =>
              `Invalid value: 'additional_tools' is not supported with this model - 'input[${String(index)}]'.`,
          ),
  },
  {
    id: 'added-shape',
    what: 'The developer adds at least one function, with its strict mode.',
    check: (body) =>
      additions(body).flatMap(([index, { role, tools }]) => {
        const isGood =
          role === 'developer' &&
          list(tools).length > 0 &&
          list(tools).every(
            (tool) =>
              isJson(tool) &&
              tool['type'] === 'function' &&
              isJson(tool['parameters']) &&
              typeof tool['strict'] === 'boolean' &&
              tool['defer_loading'] === undefined,
          );
        return isGood ? [] : [`Invalid value for 'input[${String(index)}]': expected tools of the developer.`];
      }),
  },
  {
    id: 'added-name',
    what: 'No tool is added that is there already.',
    check: (body) => {
      const names = [...namesOf(body['tools']), ...additions(body).flatMap(([, { tools }]) => namesOf(tools))];
      return names
        .filter((name, index) => names.indexOf(name) !== index && namesOf(body['tools']).indexOf(name) !== index)
        .filter((name) => additions(body).some(([, { tools }]) => namesOf(tools).includes(name)))
        .map((name) => `Tool names must be unique: '${shown(name)}'.`);
    },
  },
  {
    id: 'added-place',
    what: 'Nothing is added between a call and its result.',
    check: (body) =>
      additions(body).flatMap(([index]) => {
        const before = objects(list(body['input']).slice(0, index)).map(([, item]) => item);
        const answered = before
          .filter(({ type }) => /(call|search)_output$/.test(shown(type)))
          .map(({ call_id: id }) => id);
        const open = before.filter(
          ({ type, call_id: id }) => shown(type).endsWith('_call') && typeof id === 'string' && !answered.includes(id),
        );
        return open.length === 0 ? [] : [`No tool output found for function call ${shown(open[0]?.['call_id'])}.`];
      }),
  },
];
