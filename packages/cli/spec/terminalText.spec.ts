import fc from 'fast-check';
import { Terminal } from '../src/terminal/Terminal';
import { block, bold, joinLines, line, red } from '../src/terminal/TerminalText';
import { formatTable } from '../src/terminal/formatTable';
import { showError } from '../src/errors';
import { CliError } from '../src/CliError';

/** Everything that a terminal acts on, or that reorders or hides text; line ends and tabs apart. */
const ACTIVE = /(?![\n\t\u200d\ufe0f])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u;
const hostile = fc.string({
  unit: fc.constantFrom(
    'a',
    '\u001b',
    '[2J',
    ']0;t\u0007',
    '\u009b',
    '\u202e',
    '\u2066',
    '\u061c',
    '\r',
    '\n',
    '\t',
    '\u2028',
    '\u{e0041}',
    '\ufeff',
    '\u007f',
    'é',
    '👩\u200d👩',
  ),
});

function open(environment: Readonly<Record<string, string>>, isTTY = false) {
  const said = { out: '', err: '' };
  const terminal = new Terminal(
    { isTTY, columns: 100, write: (text) => (said.out += text) },
    { write: (text) => (said.err += text) },
    environment,
  );
  return { terminal, said };
}

describe('the terminal', () => {
  test('the terminal shows controls and bidi characters as JSON writes them', () => {
    const { terminal, said } = open({ NO_COLOR: '1' });
    terminal.data(line`${'\u001b[31m\u202egpj.exe\u2028\u009b2J\u{e0041}'} and ${'a\nb\r\tc'}`);
    expect(said.out).toBe('\\u001b[31m\\u202egpj.exe\\u2028\\u009b2J\\udb40\\udc41 and a\\nb\\r\\tc\n');
  });

  test('nothing that is written holds a control of its own, whatever the text', () => {
    fc.assert(
      fc.property(hostile, hostile, (one, other) => {
        const { terminal, said } = open({ NO_COLOR: '1' });
        terminal.write(one);
        terminal.data(line`${bold(one)}: ${red(line`${other}`)} ${block(other)}`);
        terminal.note(joinLines([line`${one}`, block(other)]));
        terminal.json({ [one]: other });
        terminal.jsonLine([one, other]);
        expect(`${said.out}${said.err}${terminal.forNotes(one)}`).not.toMatch(ACTIVE);
      }),
    );
  });

  test('the controls of styles are the only ones in colours', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { terminal, said } = open({ FORCE_COLOR: '1' });
        terminal.data(line`${red(bold(text))} ${text}`);
        expect(said.out.replaceAll(/\u001b\[(?:1|22|31|39)m/g, '')).not.toMatch(ACTIVE);
        // A text cannot bring the controls of styles itself: there are as many as two styles have.
        expect(said.out.split('\u001b')).toHaveLength(text === '' ? said.out.split('\u001b').length : 5);
      }),
    );
  });

  test('a value of a line cannot begin another line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const { terminal, said } = open({ NO_COLOR: '1' });
        terminal.data(line`${text}`);
        terminal.note(bold(text));
        expect(said.out.split('\n')).toHaveLength(2);
        expect(said.err.split('\n')).toHaveLength(2);
      }),
    );
  });

  test('JSON means the same, and keeps its controls escaped', () => {
    fc.assert(
      fc.property(fc.jsonValue(), hostile, (value, text) => {
        const { terminal, said } = open({});
        terminal.json({ value, text });
        expect(JSON.parse(said.out)).toEqual(JSON.parse(JSON.stringify({ value, text })));
        expect(said.out).not.toMatch(ACTIVE);
      }),
    );
  });

  test.each([false, true])('a table of hostile cells has a line for each row (terminal: %s)', async (isTTY) => {
    const { terminal, said } = open({ NO_COLOR: '1' }, isTTY);
    const cells = ['\u001b[2Ja', 'b\nc', '\u202ed'];
    terminal.data(await formatTable(terminal, ['one', 'two', 'three'], [cells, cells]));
    expect(said.out).not.toMatch(ACTIVE);
    expect(said.out.trimEnd().split('\n')).toHaveLength(3);
    expect(said.out).toContain('\\u001b[2Ja');
    expect(said.out).toContain('\\u202ed');
  });

  test('exact text is exact in a pipe, and visible to a person', () => {
    const pipe = open({});
    pipe.terminal.exact('a\u202e\u001b[2J');
    expect(pipe.said.out).toBe('a\u202e\u001b[2J\n');
    const person = open({ NO_COLOR: '1' }, true);
    person.terminal.exact('a\u202e\u001b[2J');
    expect(person.said.out).toBe('a\\u202e\\u001b[2J\n');
  });
});

describe('an error in the terminal', () => {
  test.each([
    [
      'of the command line',
      new CliError('there is no tool "a\nE999: owned\n  fix: run it"', { code: 'E966', place: 'p\nE998: x' }),
    ],
    ['without a code', new TypeError('a\nE999: owned\n  fix: run it')],
    [
      'that holds its report in its message',
      Object.assign(new TypeError('E414 clock: a\nE999: owned\n  fix: run it\n  fix: Do this. (docs/errors.md#e414)'), {
        code: 'E414',
      }),
    ],
    [
      'with findings',
      Object.assign(new TypeError('1 fault in the declarations:\n\nE101'), {
        code: 'E101',
        findings: [{ code: 'E101', place: 'a\nE999: owned', problem: 'b\n  fix: run it', remedy: 'c\nE999: owned' }],
      }),
    ],
  ])('%s cannot forge another error or remedy', (_which, error) => {
    const { terminal, said } = open({ NO_COLOR: '1' });
    showError(terminal, error, { json: false, verbose: true });
    expect(said.err).not.toMatch(/^E99\d/m);
    expect(said.err).not.toMatch(/^ {2}fix: run it/m);
    const { terminal: json, said: jsonSaid } = open({});
    showError(json, error, { json: true });
    expect(JSON.parse(jsonSaid.out)).toMatchObject({ error: {} });
    expect(jsonSaid.out.trimEnd()).not.toContain('\n');
  });
});
