import { omitFields } from '../../src/provider/withoutFields';

test('withoutFields leaves out the named fields, and keeps the rest as it is', () => {
  const given = { model: 'x', temperature: 0, stop: undefined };
  expect(omitFields(given, ['model', 'input'])).toEqual({ temperature: 0, stop: undefined });
  expect(given).toHaveProperty('model', 'x');
});
