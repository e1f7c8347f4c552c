import { listIdentifiers, listRemoteNames } from '../../src/declare/programNames.js';

describe('the names of tools in programs', () => {
  test.each([
    ['get_weather', 'get_weather'],
    ['get-weather', 'get_weather'],
    ['2nd', '_2nd'],
    ['App Config.v2', 'App_Config_v2'],
    ['$x', '$x'],
    ['toString', 'toString'],
    ['', '_'],
  ])('programs call the tool %j by the name %s', (name, identifier) => {
    expect([...listIdentifiers([name]).values()]).toEqual([identifier]);
  });

  test.each([
    'delete',
    'await',
    'let',
    'arguments',
    'undefined',
    'parallel',
    'console',
    'tools',
    'sleep',
    'Map',
    'escape',
    'URL',
  ])('E661 the tool name %s is refused in programs', (name) => {
    expect(() => listIdentifiers([name])).toThrow(/^E661 .*"[\w]+" is a (word of the language|global of programs)/);
  });

  test('tools are found by their names on the wire', () => {
    expect([...listIdentifiers(['a-b', 'c'])]).toEqual([
      ['a-b', 'a_b'],
      ['c', 'c'],
    ]);
  });

  test.each([
    [['a-b', 'a_b'], '"a-b", "a_b" are both called a_b'],
    [['a', 'a'], '"a", "a" are both called a'],
  ])('E662 the tool names %j are refused in programs', (names, message) => {
    expect(() => listIdentifiers(names)).toThrow(message);
  });
});

describe('further names of tools that run elsewhere', () => {
  const further = (...tools: readonly (readonly [string, string?])[]): object =>
    Object.fromEntries(listRemoteNames(tools.map(([name, remoteName]) => ({ name, remoteName }))));

  test('remote names are further names, as identifiers', () => {
    expect(further(['get_weather', 'getWeather'], ['read_app_config', 'read_App Config'], ['own'])).toEqual({
      getWeather: 'get_weather',
      read_App_Config: 'read_app_config',
    });
  });

  test.each<[string, readonly (readonly [string, string?])[]]>([
    ['that another tool has', [['a_b'], ['x', 'a_b'], ['c-d'], ['y', 'c_d']]],
    [
      'that two tools would get',
      [
        ['x', 'a.b'],
        ['y', 'a b'],
      ],
    ],
    [
      'that programs use otherwise',
      [
        ['x', 'Map'],
        ['y', 'delete'],
        ['z', 'tools'],
      ],
    ],
    [
      'that every object has',
      [
        ['x', 'constructor'],
        ['y', '__proto__'],
      ],
    ],
    ['that it has already', [['a-b', 'a-b']]],
  ])('no further name is one %s', (_what, tools) => {
    expect(further(...tools)).toEqual({});
  });
});
