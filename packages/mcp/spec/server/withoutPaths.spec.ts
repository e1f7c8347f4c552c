import { removePaths } from '../../src/server/toCallResult';

test.each([
  ["ENOENT: no such file '/srv/app/db.json'", "ENOENT: no such file '[path]'"],
  ['no "/srv/secret store/db.json" for it', 'no "[path]" for it'],
  ["it's at /srv/app/x and can't be read", "it's at [path] and can't be read"],
  ['at file:///srv/app/main.js', 'at [path]'],
  ['C:\\Users\\desk\\notes.txt is locked', '[path] is locked'],
  ['Use 1/2 of it, and/or ask.', 'Use 1/2 of it, and/or ask.'],
  ['See https://shop.example/orders/1', 'See https://shop.example/orders/1'],
  ['Only /tmp is writable.', 'Only /tmp is writable.'],
])('removePaths turns %p into %p', (text, expected) => {
  expect(removePaths(text)).toBe(expected);
});
