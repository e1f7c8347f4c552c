import { Terminal } from '../../../samples/20-retail-desk/demo/Terminal.js';

test('ADPT-12 the text of a tool cannot steer the terminal', () => {
  const lines: string[] = [];
  const terminal = new Terminal((line) => lines.push(line), false);
  terminal.say('tool', 'safe\u001b[2J\u001b]0;title\u0007 \u202etxt\r\nnext');
  const printed = lines.join('\n');
  expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(printed).toContain('safe\\u001b[2J');
  expect(printed).toContain('next');
});
