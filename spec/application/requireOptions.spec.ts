import { type ApplicationOptions, createApplication, type ToolwrightError } from 'toolwright';
import type { OptionNames } from '../../src/error/optionNames';

/** For every option a value that is refused, and a part of the message. The compiler requires a line for a new option. */
const refused: OptionNames<ApplicationOptions> = {
  prompts: [5, 'prompts'],
  container: [{ resolve: () => null }, 'container: expected an object with the method get, got an object'],
  resources: [5, 'expected a list of bindings'],
  fieldNames: ['camel', 'fieldNames: expected one of as-is, snake_case, got the string "camel"'],
  coerce: ['yes', 'coerce: expected true or false, got the string "yes"'],
  repair: [true, 'repair: expected "off", "on" or "report", got'],
  limits: [5, 'limits: expected an object, got the number 5'],
  maskErrors: ['yes', 'maskErrors: expected true, or a function that returns a text, got the string "yes"'],
  toolTexts: ['any', 'toolTexts: expected one of portable, wide, got the string "any"'],
  overrides: [{}, 'overrides: expected an object with the method read, got an object'],
  tokenEstimator: [{}, 'tokenEstimator: expected a function, got an object'],
  approver: [() => ({ kind: 'approved' }), 'approver: expected an object with the method approve, got a function'],
  interceptors: [[() => null], 'interceptors[0]: expected an object, got a function'],
  random: [0.5, 'random: expected a function, got the number 0.5'],
  clock: [{ now: Date.now }, 'clock: expected an object with the methods now, monotonic, got an object'],
  ids: ['id', 'ids: expected a function, got the string "id"'],
  logger: [{ warn() {} }, 'logger: expected an object with the methods debug, info, warn, error, got an object'],
  prices: [5, 'prices is the number 5'],
  eventBus: [5, 'eventBus: expected an object with the methods subscribe, reaches, publish, flush, got the number 5'],
  redact: [/key/, 'redact: expected a function, got an object'],
  keys: ['a key of at least thirty-two characters', 'keys: expected a list of texts'],
};

test.each(Object.entries(refused) as [string, [unknown, string]][])(
  'createApplication refuses a value of another kind for %s, and names it',
  async (name, [value, problem]) => {
    const error: unknown = await createApplication({ prompts: [], [name]: value }).catch((thrown: unknown) => thrown);
    expect((error as Error).message).toContain(problem);
    expect((error as ToolwrightError).code).toBe(name === 'resources' ? 'E912' : 'E312');
  },
);
