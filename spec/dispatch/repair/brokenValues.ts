import type { BrokenCase } from './BrokenCase';

// Faults of single values within right JSON, one of a kind or several together.

export const singleValue: readonly BrokenCase[] = [
  ['order', { sku: 'A1', qty: 2, tags: 'red' }, { sku: 'A1', qty: 2, tags: ['red'] }],
  ['order', { sku: 'A1', qty: 2, tags: 'New York' }, { sku: 'A1', qty: 2, tags: ['New York'] }],
  ['order', { sku: 'A1', qty: 2, tags: 'a-b_c.d' }, { sku: 'A1', qty: 2, tags: ['a-b_c.d'] }],
  ['order', { sku: 'A1', qty: 2, tags: '#W0000001' }, { sku: 'A1', qty: 2, tags: ['#W0000001'] }],
  ['order', { sku: 'A1', qty: 2, tags: '007' }, { sku: 'A1', qty: 2, tags: ['007'] }],
  ['order', { sku: 'A1', qty: 2, tags: 'ünïcode' }, { sku: 'A1', qty: 2, tags: ['ünïcode'] }],
  ['order', '{"sku":"A1","qty":2,"tags":"red"}', { sku: 'A1', qty: 2, tags: ['red'] }],
  ['basket', { lines: { sku: 'A1', qty: 1 } }, { lines: [{ sku: 'A1', qty: 1 }] }],
  ['basket', { lines: [], coupons: 'SPRING' }, { lines: [], coupons: ['SPRING'] }],
  ['basket', { lines: { sku: 'A1', qty: 1 }, coupons: 'X' }, { lines: [{ sku: 'A1', qty: 1 }], coupons: ['X'] }],
  ['basket', '{"lines":{"sku":"A1","qty":1}}', { lines: [{ sku: 'A1', qty: 1 }] }],
  ['search', { levels: 3 }, { levels: [3] }],
  ['search', { levels: 0 }, { levels: [0] }],
  ['search', { levels: -1.5 }, { levels: [-1.5] }],
  ['search', { modes: 'slow' }, { modes: ['slow'] }],
  ['search', { modes: 'fast, then slow' }, { modes: ['fast, then slow'] }],
  ['search', { flags: true }, { flags: [true] }],
  ['search', { flags: false }, { flags: [false] }],
  ['search', { days: '2026-01-31' }, { days: ['2026-01-31T00:00:00.000Z'] }],
  ['search', { shapes: { kind: 'square', side: 1 } }, { shapes: [{ kind: 'square', side: 1 }] }],
  ['remote', { id: 7, names: 'x' }, { id: 7, names: ['x'] }],
  ['remote', '{"id":7,"names":"x y"}', { id: 7, names: ['x y'] }],
];

export const numberText: readonly BrokenCase[] = [
  ['order', { sku: 'A1', qty: '2' }, { sku: 'A1', qty: 2 }],
  ['order', '{"sku":"A1","qty":"2"}', { sku: 'A1', qty: 2 }],
  ['order', { sku: '7', qty: '2' }, { sku: '7', qty: 2 }],
  ['order', { sku: 'A1', qty: '10' }, { sku: 'A1', qty: 10 }],
  ['order', { sku: 'A1', qty: '2.0' }, { sku: 'A1', qty: 2 }],
  ['order', { sku: 'A1', qty: '1e3' }, { sku: 'A1', qty: 1000 }],
  ['order', { sku: 'A1', qty: '9007199254740991' }, { sku: 'A1', qty: 9007199254740991 }],
  ['order', { sku: 'A1', qty: 2, price: '9.95' }, { sku: 'A1', qty: 2, price: 9.95 }],
  ['order', { sku: 'A1', qty: 2, price: '9.50' }, { sku: 'A1', qty: 2, price: 9.5 }],
  ['order', { sku: 'A1', qty: 2, price: '0' }, { sku: 'A1', qty: 2, price: 0 }],
  ['order', { sku: 'A1', qty: 2, price: '-3' }, { sku: 'A1', qty: 2, price: -3 }],
  ['order', { sku: 'A1', qty: 2, price: '0.1' }, { sku: 'A1', qty: 2, price: 0.1 }],
  ['order', { sku: 'A1', qty: 2, price: '1.5e-3' }, { sku: 'A1', qty: 2, price: 0.0015 }],
  ['order', { sku: 'A1', qty: 2, price: '2E+2' }, { sku: 'A1', qty: 2, price: 200 }],
  ['order', { sku: 'A1', qty: 2, price: '0.30000000000000004' }, { sku: 'A1', qty: 2, price: 0.30000000000000004 }],
  ['basket', { lines: [{ sku: 'A1', qty: '1' }] }, { lines: [{ sku: 'A1', qty: 1 }] }],
  [
    'basket',
    {
      lines: [
        { sku: 'A1', qty: 1 },
        { sku: 'B2', qty: '30' },
      ],
    },
    {
      lines: [
        { sku: 'A1', qty: 1 },
        { sku: 'B2', qty: 30 },
      ],
    },
  ],
  ['search', { levels: ['1', '2'] }, { levels: [1, 2] }],
  ['search', { levels: [1, '2.5'] }, { levels: [1, 2.5] }],
  ['search', { grid: [['1'], [2, '3']] }, { grid: [[1], [2, 3]] }],
  ['search', { pair: ['1', 2] }, { pair: [1, 2] }],
  ['search', { limits: { a: '1', b: 2 } }, { limits: { a: 1, b: 2 } }],
  ['search', { limits: { ['toString']: '1' } }, { limits: { toString: 1 } }],
  ['search', { rank: '2' }, { rank: 2 }],
  ['search', { shape: { kind: 'circle', radius: '2' } }, { shape: { kind: 'circle', radius: 2 } }],
  ['search', { numberOrFlag: '5' }, { numberOrFlag: 5 }],
  ['remote', { id: '7' }, { id: 7 }],
  ['remote', { id: 7, place: { lat: '1.5' } }, { id: 7, place: { lat: 1.5 } }],
];

export const booleanText: readonly BrokenCase[] = [
  ['order', { sku: 'A1', qty: 2, gift: 'true' }, { sku: 'A1', qty: 2, gift: true }],
  ['order', { sku: 'A1', qty: 2, gift: 'false' }, { sku: 'A1', qty: 2, gift: false }],
  ['order', '{"sku":"A1","qty":2,"gift":"true"}', { sku: 'A1', qty: 2, gift: true }],
  ['order', '{"sku":"A1","qty":2,"gift":"false","note":"false"}', { sku: 'A1', qty: 2, gift: false, note: 'false' }],
  ['order', { sku: 'true', qty: 2, gift: 'true' }, { sku: 'true', qty: 2, gift: true }],
  ['search', { flags: ['true', false] }, { flags: [true, false] }],
  ['search', { flags: ['true', 'false', 'true'] }, { flags: [true, false, true] }],
  ['search', { auto: 'true' }, { auto: true }],
  ['search', { numberOrFlag: 'false' }, { numberOrFlag: false }],
  ['remote', { id: 7, active: 'true' }, { id: 7, active: true }],
  ['remote', { id: 7, active: 'false' }, { id: 7, active: false }],
];

export const combined: readonly BrokenCase[] = [
  ['order', '```json\n{"sku":"A1","qty":2,}\n```', { sku: 'A1', qty: 2 }],
  ['order', '```json\n{"sku":"A1","qty":"2",}\n```', { sku: 'A1', qty: 2 }],
  [
    'order',
    '```json\n{"sku":"A1","qty":"2","gift":"true","tags":"a"}\n```',
    { sku: 'A1', qty: 2, gift: true, tags: ['a'] },
  ],
  ['order', '"{\\"sku\\":\\"A1\\",\\"qty\\":\\"2\\"}"', { sku: 'A1', qty: 2 }],
  ['order', '"{\\"sku\\":\\"A1\\",\\"qty\\":2,}"', { sku: 'A1', qty: 2 }],
  ['order', '"```json\\n{\\"sku\\":\\"A1\\",\\"qty\\":2}\\n```"', { sku: 'A1', qty: 2 }],
  ['order', '```json\n"{\\"sku\\":\\"A1\\",\\"qty\\":2}"\n```', { sku: 'A1', qty: 2 }],
  ['order', { sku: 'A1', qty: '2', gift: 'false', price: '1.5' }, { sku: 'A1', qty: 2, gift: false, price: 1.5 }],
  ['basket', { lines: '{"sku":"A1","qty":"1"}' }, { lines: [{ sku: 'A1', qty: 1 }] }],
  ['basket', { lines: { sku: 'A1', qty: '1' }, coupons: '["X"]' }, { lines: [{ sku: 'A1', qty: 1 }], coupons: ['X'] }],
  ['basket', { lines: '[{"sku":"A1","qty":"1"}]' }, { lines: [{ sku: 'A1', qty: 1 }] }],
  ['basket', '{"lines":[{"sku":"A1","qty":"1",},],}', { lines: [{ sku: 'A1', qty: 1 }] }],
  ['search', { levels: '3' }, { levels: [3] }],
  ['search', { levels: '["1","2"]' }, { levels: [1, 2] }],
  ['search', { flags: 'true' }, { flags: [true] }],
  ['search', { limits: '{"a":"1"}' }, { limits: { a: 1 } }],
  ['search', { pair: '["1","2"]' }, { pair: [1, 2] }],
  ['search', { shapes: '{"kind":"circle","radius":"2"}' }, { shapes: [{ kind: 'circle', radius: 2 }] }],
  ['remote', '```\n{"id":"7","names":"x",}\n```', { id: 7, names: ['x'] }],
];

/** Clear to a reader, and left to the model all the same: their repair would be a guess about a language, or a parser of one. */
export const beyond: readonly BrokenCase[] = [
  ['order', "{'sku':'A1','qty':2}", { sku: 'A1', qty: 2 }],
  ['order', '{sku:"A1",qty:2}', { sku: 'A1', qty: 2 }],
  ['order', '{"sku":"A1","qty":2', { sku: 'A1', qty: 2 }],
  ['order', '{"sku":"A1","qty":2,"gift":True}', { sku: 'A1', qty: 2, gift: true }],
  ['order', '{"sku":"A1","qty":2} // two of them', { sku: 'A1', qty: 2 }],
  ['order', 'Here they are:\n```json\n{"sku":"A1","qty":2}\n```', { sku: 'A1', qty: 2 }],
  ['order', '{"sku":"A1" "qty":2}', { sku: 'A1', qty: 2 }],
  ['order', { sku: 'A1', qty: ' 2 ' }, { sku: 'A1', qty: 2 }],
  ['order', { sku: 'A1', qty: 2, gift: 'True' }, { sku: 'A1', qty: 2, gift: true }],
  ['order', { SKU: 'A1', qty: 2 }, { sku: 'A1', qty: 2 }],
  ['order', { order: { sku: 'A1', qty: 2 } }, { sku: 'A1', qty: 2 }],
  ['search', { mode: 'FAST' }, { mode: 'fast' }],
];
