import { suggestName } from '../src/suggestName.js';

test.each([
  ['get_wether', ['get_weather', 'get_user'], 'Did you mean "get_weather"?'],
  ['temperature', ['temp', 'unit'], 'Did you mean "temp"?'],
  ['name', ['user_name', 'first_name', 'email'], 'Did you mean "user_name" or "first_name"?'],
  ['identifier', ['id', 'name'], ''],
  ['quantity', ['price'], ''],
])('suggestName compares %s with %j', (name, candidates, expected) => {
  expect(suggestName(name, candidates)).toBe(expected);
});
