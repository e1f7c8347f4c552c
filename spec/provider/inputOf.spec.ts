import { readCallInput } from '../../src/provider/readCalls';

describe('the input of a call, for a provider that takes objects', () => {
  test.each<[string, Parameters<typeof readCallInput>[0], object]>([
    ['is what its text says', '{"a":1}', { a: 1 }],
    ['is an object as it is', { a: 1 }, { a: 1 }],
    ['is empty for none', null, {}],
    ['is empty for a blank text', ' \n', {}],
    ['holds what is no object', '[1]', { arguments: [1] }],
    ['holds a text that is no JSON', '{"a":', { arguments: '{"a":' }],
  ])('the input of a call %s', (_what, given, expected) => {
    expect(readCallInput(given)).toEqual(expected);
  });
});
