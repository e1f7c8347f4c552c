import ts from 'typescript';
import type { JsonSchema } from 'toolwright';
import { TypeCheck } from '../../src/check/types/TypeCheck.js';
import { writeCheckedDeclarations } from '../../src/declare/writeDeclarations.js';

const typeCheck = new TypeCheck(ts);
const object = (properties: JsonSchema, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const guest = object({ name: { type: 'string' }, age: { type: 'number' } }, ['name']);
const schema = object({ guest, tags: { type: 'array', items: object({ label: { type: 'string' } }) } }, ['guest']);
const declarations = writeCheckedDeclarations([
  { name: 'book', description: '', params: null, schema, result: null, returnSchema: null },
]);

// The finder of unknown arguments looks at the arguments themselves; what is in them, only the compiler sees.
test.each([
  ['an object', "await book({ guest: { name: 'x', nights: 3 } });", 'TS2353', 'There are: name, age.'],
  ['an object, misspelt', "await book({ guest: { name: 'x', agee: 3 } });", 'TS2561', 'Did you mean "age"?'],
  ['a list', "await book({ guest: { name: 'x' }, tags: [{ b: 'x' }] });", 'TS2353', 'There are: label.'],
])('a key that %s in an argument does not have refuses the program', (_where, code, name, hint) => {
  const fault = typeCheck.check(code, declarations, true);
  expect(fault).toMatchObject({ name, line: 1 });
  expect(fault?.hint).toContain(hint);
});

test('a key that a type of the program does not name refuses nothing: the program keeps it', () => {
  expect(typeCheck.check('const m: { a: number } = { a: 1, b: 2 };\nm.a', declarations, true)).toBeNull();
});
