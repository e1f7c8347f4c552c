import * as fc from 'fast-check';
import { createProgramNames } from 'toolwright/internal';
import { makeLegalNames } from '../../src/client/makeLegalNames';

const LEGAL = /^[a-z0-9_-]{1,64}$/;
const name = fc.oneof(
  fc.string({ minLength: 1, maxLength: 80, unit: 'grapheme' }),
  fc.string({ minLength: 1, maxLength: 6, unit: fc.constantFrom('a', 'A', 'b', '-', '_', '.', ' ', '1', 'а') }),
  fc.constantFrom('delete', 'eval', 'open_sections', 'execute_program', 'constructor', '__proto__', 'tools', 'Object'),
);
const names = fc.uniqueArray(name, { maxLength: 30 });

describe('names of bridged tools', () => {
  test('names of bridged tools are legal, no two the same here or in programs, and the same each time', () => {
    fc.assert(
      fc.property(names, (remote) => {
        const given = makeLegalNames(remote);
        expect(given).toEqual(makeLegalNames(remote));
        expect(given.filter((each) => !LEGAL.test(each))).toEqual([]);
        const { identifiers, objections } = createProgramNames(given);
        expect(objections).toEqual([]);
        expect(new Set(identifiers.values()).size).toBe(remote.length);
      }),
    );
  });

  test('names of bridged tools do not depend on the order of the list', () => {
    fc.assert(
      fc.property(names, (remote) => {
        const [ahead, behind] = [remote, [...remote].reverse()].map(
          (list) => new Map(makeLegalNames(list).map((given, index) => [list[index], given])),
        );
        expect(new Map([...(behind ?? [])].reverse())).toEqual(ahead);
      }),
    );
  });

  test('names that programs spell alike do not depend on the order of the list', () => {
    const all = ['a-b-c', 'a-b_c', 'a_b-c', 'A-b C', 'A_b.C'];
    const given = (list: readonly string[]): readonly string[] =>
      makeLegalNames(list).map((name, at) => `${list[at] ?? ''}: ${name}`);
    expect([...given([...all].reverse())].sort()).toEqual([...given(all)].sort());
  });

  test.each([
    ['get_weather', 'get_weather'],
    ['get-weather', 'get-weather'],
    ['getWeather', 'get_weather'],
    ['read_App Config', 'read_app_config'],
    ['files.read/all', 'files_read_all'],
    ['delete', 'delete_tool'],
  ])('the bridged tool %s gets the name %s', (remote, given) => {
    expect(makeLegalNames([remote])).toEqual([given]);
  });

  test('a legal name stays, whatever other names become', () => {
    const [spelled, legal] = makeLegalNames(['getWeather', 'get_weather']);
    expect(legal).toBe('get_weather');
    expect(spelled).toMatch(/^get_weather_[0-9a-f]{6}$/);
  });

  test('two names that differ only in what programs cannot spell are distinguished', () => {
    const [dash, line] = makeLegalNames(['a-b', 'a_b']);
    expect(line).toBe('a_b');
    expect(dash).toMatch(/^a-b_[0-9a-f]{6}$/);
  });

  test('DECL-05 a name in look-alike letters never passes for the name that it looks like', () => {
    for (const lookalike of ['d\u0435lete_file', '\uff44elete_file', 'delete_file\u200b', '\u212aeep'])
      expect(makeLegalNames([lookalike])[0]).toMatch(/_[0-9a-f]{6}$/);
    expect(makeLegalNames(['d\u0435lete_file', 'delete_file'])).toContain('delete_file');
  });

  test('tools of ours keep their names', () => {
    const given = makeLegalNames(['open_sections', 'read_section', 'execute_program']);
    expect(given).toEqual(['open_sections_tool', 'read_section_tool', 'execute_program_tool']);
  });

  test('a name that is too long is cut and distinguished by a hash of the whole', () => {
    const [one = '', other = ''] = makeLegalNames([`${'a'.repeat(80)}1`, `${'a'.repeat(80)}2`]);
    expect([one.length, other.length]).toEqual([64, 64]);
    expect(one).not.toBe(other);
  });

  test('a prefix is prepended to every name', () => {
    expect(makeLegalNames(['search', 'getFile', 'delete'], 'github')).toEqual([
      'github_search',
      'github_get_file',
      'github_delete',
    ]);
  });
});
