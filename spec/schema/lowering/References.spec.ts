import type { JsonSchema } from 'toolwright';
import { listReferences, References } from '../../../src/schema/lowering/References';

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });
const holding = (...parts: readonly JsonSchema[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(parts.entries()),
});

describe('references', () => {
  const $defs: Readonly<Record<string, JsonSchema>> = {
    Leaf: { type: 'string', default: ref('Tree'), enum: [ref('Tree')] },
    Tree: { type: 'array', items: ref('Tree') },
    Left: holding(ref('Right')),
    Right: { anyOf: [ref('Left'), ref('Leaf')] },
    Above: holding(ref('Tree')),
    'a/b %': holding(),
  };
  const root: JsonSchema = { ...holding(ref('Above')), $defs };
  const references = new References(root);

  test.each([
    ['#', root],
    ['#/$defs/Leaf', $defs['Leaf']],
    ['#/$defs/a~1b%20%25', $defs['a/b %']],
    ['#/properties/0', ref('Above')],
    ['#/$defs/None', undefined],
    ['#/$defs/toString', undefined],
    ['#/required', undefined],
    ['other.json#/a', undefined],
    [5, undefined],
  ])('%j leads where it says', (reference, target) => {
    expect(references.target(reference)).toEqual(target);
  });

  test.each([
    ['Tree', true],
    ['Left', true],
    ['Right', true],
    // The contents of a default or an enum are values.
    ['Leaf', false],
    ['Above', false],
    ['None', false],
  ])('the definition %s contains itself: %j', (name, recursive) => {
    expect(references.isRecursive(`#/$defs/${name}`)).toBe(recursive);
  });

  test('lead to a place directly, or through others', () => {
    const leads = (from: string, to: string) => references.leadsTo(`#/$defs/${from}`, $defs[to]);
    expect([leads('Left', 'Left'), leads('Left', 'Leaf'), leads('Above', 'Tree')]).toEqual([true, true, true]);
    expect([leads('Tree', 'Above'), leads('Leaf', 'Tree'), leads('Tree', 'None')]).toEqual([false, false, false]);
  });

  test('references are found anywhere in schemas, and not in definitions', () => {
    const schema: JsonSchema = {
      properties: { default: ref('Tree') },
      prefixItems: [ref('Leaf')],
      not: { additionalProperties: ref('Left') },
      $defs: { Mine: ref('Right') },
    };
    expect(new Set(listReferences(schema))).toEqual(new Set(['Tree', 'Leaf', 'Left'].map((name) => `#/$defs/${name}`)));
  });
});
